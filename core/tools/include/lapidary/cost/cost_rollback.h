// SPDX-License-Identifier: Apache-2.0
// Attributes times measured on an optimized graph to the nodes of the original one, and the
// reverse.
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

/// How the time of one node is divided among the several that it replaces.
enum class CostSplit : std::uint8_t { evenly, by_work };

/// Times by nodes of a graph other than the measured one.
struct CostMap {
    /// the split that was used: `evenly` if work cannot be estimated
    CostSplit split = CostSplit::evenly;
    std::unordered_map<NodeId, double> ms;  // in the typical run, of main-graph nodes
    /// of measured nodes that correspond to no node of the other graph
    double unattributed_ms = 0;
    std::size_t shared = 0;  // measured nodes whose time was divided
    /// for nodes in `ms`: the largest number of nodes that a time they got a part of was divided
    /// among
    std::unordered_map<NodeId, std::size_t> among;
};

/// One node of the graph that times were attributed to.
struct NodeCost {
    NodeId node;            // of that graph
    std::string name;       // as in profiles: unnamed nodes have operator and number
    std::string op;         // "Conv", "com.microsoft::Gelu"
    double ms = 0;          // in the typical run
    double share = 0;       // of the time given to costliest(), 0..1
    std::size_t among = 1;  // as in CostMap::among; 1: its time was not divided
};

/// Floating-point operations of the node (for operators without arithmetic: elements moved) by its
/// types. Nothing: a shape that is needed is not known.
std::optional<double> estimated_work(const Graph& graph, NodeId node);

/// The model with the sizes that its values have in a run on `inputs`, so that work can be
/// estimated where dimensions are symbolic. Ids do not change. Types stay as they are if the sizes
/// cannot be found.
Model sized_for(const Model& model, const NamedValues& inputs, const Progress& progress = {});

/// `profile`: of a run of `optimized`. The result is by nodes of `original`, which the origins of
/// optimized nodes refer to.
CostMap roll_back(const Profile& profile, const Graph& optimized, const Graph& original,
                  CostSplit split = CostSplit::by_work);
/// The same for times that were already summed, e.g. of a part of the recording.
CostMap roll_back(const std::vector<NodeTotal>& totals, const Graph& optimized,
                  const Graph& original, CostSplit split = CostSplit::by_work);
/// `profile`: of a run of `original`. The result is by nodes of `optimized`.
CostMap roll_forward(const Profile& profile, const Graph& original, const Graph& optimized,
                     CostSplit split = CostSplit::by_work);

/// The nodes of `graph` that have time, longest first; equal ones in the graph's order. Shares are
/// of `whole_ms`.
std::vector<NodeCost> costliest(const CostMap& map, const Graph& graph, double whole_ms);

}  // namespace lapidary
