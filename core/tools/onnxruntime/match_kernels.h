// SPDX-License-Identifier: Apache-2.0
// Matches ONNX Runtime's kernels with nodes of a model, by means of the graph that it ran.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/profile/profile.h>
#include <lapidary/profile/trace_match.h>

namespace lapidary {

/// From the names of nodes of the graph that ONNX Runtime made of a model to nodes of the model: by
/// the values that they write, which keep their names when nodes are fused; else as the nth of an
/// operator ("Conv", for a QLinearConv too) where the model has as many and none that is known says
/// otherwise; else by those of their neighbours, as nodes that change a layout or a type belong to
/// them.
class OriginalNodes {
public:
    OriginalNodes(const Graph& original, const Graph& optimized);
    /// The empty id: it is not known.
    NodeId find(const std::string& name) const;
    /// The nodes of that operator whose names are not in `reported`, in order; the empty id if
    /// unknown.
    std::vector<NodeId> unmatched(const std::string& op_type,
                                  const std::set<std::string>& reported) const;

private:
    NodeId original_of(const Node& node) const;
    NodeId itself(const Node& node) const;
    void match_by_operator();
    NodeId by_neighbours(const Node& node) const;

    const Graph& original_;
    const Graph& optimized_;
    // nodes with a unique name
    std::unordered_map<std::string, NodeId> by_name_, original_by_name_;
    // of nodes of the optimized graph, by index
    std::unordered_map<std::uint32_t, NodeId> by_operator_;
};

/// match_trace(), then what OriginalNodes knows of the rest; `optimized` may be null.
TraceMatch match_kernels(Profile& profile, const Graph& original, const OriginalNodes* optimized);

}  // namespace lapidary
