// SPDX-License-Identifier: Apache-2.0
// Times measured on an optimized graph, shown on the original one, and the other way round.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <lapidary/model.h>
#include <lapidary/profile.h>

namespace lapidary {

/// How the time of one node is shared out among the several that it stands for.
enum class CostSplit : std::uint8_t { evenly, by_work };

struct CostMap {
    CostSplit split = CostSplit::evenly;        // as used: by_work falls back to evenly where work cannot be estimated
    std::unordered_map<NodeId, double> ms;      // mean per run, of main-graph nodes
    double unattributed_ms = 0;                 // of nodes that stand for nothing in the other graph
    std::size_t shared = 0;                     // nodes whose time was divided
};

/// Floating-point operations (elements moved, for operators without arithmetic) that the node does with the types known;
/// nothing when a needed shape is not.
std::optional<double> estimated_work(const Graph& graph, NodeId node);

/// `profile` ran on `optimized`; the result is by nodes of `original`, whose ids the origins of optimized nodes name.
CostMap roll_back(const Profile& profile, const Graph& optimized, const Graph& original, CostSplit split = CostSplit::by_work);
/// `profile` ran on `original`; the result is by nodes of `optimized`.
CostMap roll_forward(const Profile& profile, const Graph& original, const Graph& optimized, CostSplit split = CostSplit::by_work);

}  // namespace lapidary
