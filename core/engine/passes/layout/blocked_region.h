// SPDX-License-Identifier: Apache-2.0
// Decides which operators work on blocked channels: the choice with the largest saving after the
// cost of reorders.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "passes/layout/layout_operator.h"

namespace lapidary {

/// By ValueId::index, whether the value is in blocked order: a result of an NCHWc operator, or of
/// an operator that reads such a value.
std::vector<bool> blocked_values(const Graph& graph);

/// A ReorderInput or ReorderOutput (`op`) between plain [N, C, H, W] and blocked channels.
bool is_reorder(const Node* node, std::string_view op);

struct BlockedRegion {
    std::vector<NodeId> nodes;  // to be blocked, in the order given
    struct Left {
        NodeId node;
        std::string reason;
    };
    // convolutions that are not blocked, and operators next to blocked values that cannot take them
    std::vector<Left> left;
};

/// `nodes` in topological order. Blocked nodes stay blocked. Choosing again after the choice was
/// applied adds nothing.
BlockedRegion choose_blocked_region(const Scope& scope, const std::vector<NodeId>& nodes,
                                    std::int64_t block);

}  // namespace lapidary
