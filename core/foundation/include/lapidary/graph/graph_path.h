// SPDX-License-Identifier: Apache-2.0
// Names one graph of a model: the main graph, or a subgraph by the nodes and attributes that lead
// to it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// Paths are compared by ids. Texts are for people: they stay as they were when the path was made,
/// even if the nodes were erased since.
struct GraphPath {
    /// One step inward.
    struct Step {
        NodeId node;            // of the graph that the steps before lead to
        std::string attribute;  // of that node: "then_branch"
        std::size_t index = 0;  // within an attribute that is a list of graphs
        std::string node_text;  // Node::describe()
        friend bool operator==(const Step& a, const Step& b) {
            return a.node == b.node && a.attribute == b.attribute && a.index == b.index;
        }
    };
    std::vector<Step> steps;  // from the main graph inward; empty: the main graph itself

    bool is_main() const { return steps.empty(); }  // the main graph itself
    /// The graph in the attribute of a node of this graph.
    GraphPath inner(const Node& node, std::string attribute, std::size_t index = 0) const;
    /// "main", "main/node "if0" (If)/then_branch"
    std::string text() const;
    /// By ids alone, for use as a key: "", "3.then_branch.0/".
    std::string key() const;
    friend bool operator==(const GraphPath&, const GraphPath&) = default;
};

/// " in main/...", empty for the main graph: what follows the name of a node in a sentence.
std::string in_graph(const GraphPath& path);

/// The graph at the path; null where a node or attribute is not there.
const Graph* find_graph(const Graph& main, const GraphPath& path);

}  // namespace lapidary
