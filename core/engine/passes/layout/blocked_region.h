// SPDX-License-Identifier: Apache-2.0
// Decides which operators work on blocked channels: the choice for which saved work less reorders
// is most.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "passes/layout/layout_operator.h"

namespace lapidary {

/// Values in blocked order: results of NCHWc operators and of what reads such values, by
/// ValueId::index.
std::vector<bool> blocked_values(const Graph& graph);

/// A ReorderInput or ReorderOutput (`op`) between plain [N, C, H, W] and blocked channels.
bool is_reorder(const Node* node, std::string_view op);

struct BlockedRegion {
    std::vector<NodeId> nodes;  // to be blocked, in the order given
    struct Left {
        NodeId node;
        std::string reason;
    };
    // convolutions left alone, and what stands beside blocked values and cannot take them
    std::vector<Left> left;
};

/// `nodes` in topological order. What is blocked already stays so, and applying the choice and
/// choosing again adds nothing.
BlockedRegion choose_blocked_region(const Scope& scope, const std::vector<NodeId>& nodes,
                                    std::int64_t block);

}  // namespace lapidary
