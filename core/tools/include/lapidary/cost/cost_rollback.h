// SPDX-License-Identifier: Apache-2.0
// Times measured on an optimized graph, shown on the original one, and the other way round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// How the time of one node is shared out among the several that it stands for.
enum class CostSplit : std::uint8_t { evenly, by_work };

/// Times by nodes of another graph than the one they were measured on.
struct CostMap {
    /// as used: by_work falls back to evenly where work cannot be estimated
    CostSplit split = CostSplit::evenly;
    std::unordered_map<NodeId, double> ms;  // in the typical run, of main-graph nodes
    /// of nodes that stand for nothing in the other graph
    double unattributed_ms = 0;
    std::size_t shared = 0;  // nodes whose time was divided
    /// of nodes in ms: between how many a time they got a part of was divided, at most
    std::unordered_map<NodeId, std::size_t> among;
};

/// One node of the graph that the times were carried to.
struct NodeCost {
    NodeId node;            // of that graph
    std::string name;       // as profiles call it: unnamed nodes by operator and number
    std::string op;         // "Conv", "com.microsoft::Gelu"
    double ms = 0;          // in the typical run
    double share = 0;       // of the time given to costliest(), 0..1
    std::size_t among = 1;  // 1: all of its time is its own
};

/// Floating-point operations (elements moved, for operators without arithmetic) that the node does
/// with the types known; nothing when a needed shape is not.
std::optional<double> estimated_work(const Graph& graph, NodeId node);

/// The model with the sizes that its values have in a run on `inputs`, so that work can be
/// estimated where dimensions are symbolic. Ids do not change. Types stay as they are if the sizes
/// cannot be found.
Model sized_for(const Model& model, const NamedValues& inputs, const Progress& progress = {});

/// `profile` ran on `optimized`; the result is by nodes of `original`, whose ids the origins of
/// optimized nodes name.
CostMap roll_back(const Profile& profile, const Graph& optimized, const Graph& original,
                  CostSplit split = CostSplit::by_work);
/// The same for times summed up before, e.g. of a part of the recording.
CostMap roll_back(const std::vector<NodeTotal>& totals, const Graph& optimized,
                  const Graph& original, CostSplit split = CostSplit::by_work);
/// `profile` ran on `original`; the result is by nodes of `optimized`.
CostMap roll_forward(const Profile& profile, const Graph& original, const Graph& optimized,
                     CostSplit split = CostSplit::by_work);

/// The nodes of `graph` that got time, dearest first; equal ones in the graph's order. Shares are
/// of `whole_ms`.
std::vector<NodeCost> costliest(const CostMap& map, const Graph& graph, double whole_ms);

}  // namespace lapidary
