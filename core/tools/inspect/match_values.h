// SPDX-License-Identifier: Apache-2.0
// Matches values of two graphs that compute the same: by name, by the names of the nodes that write
// them, and by structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// A value of a graph of A and the value of a graph of B that it corresponds to.
struct MatchedValue {
    const Graph* graph_a = nullptr;
    const Graph* graph_b = nullptr;
    ValueId a, b;
    const char* by = "";  // "name", "node", "structure", "position"
};

/// The values of nodes of both main graphs and of the bodies of matched nodes; and their inputs.
class MatchedValues {
public:
    /// `is_one_model`: both were made from one file. Values of one name are then the same, and
    /// others have no counterpart. The graphs outlive it.
    MatchedValues(const Graph& a, const Graph& b, bool is_one_model);

    /// In the order of the graphs; inputs come before values of nodes.
    const std::vector<MatchedValue>& pairs() const { return pairs_; }
    /// Index into pairs(); `none` where the value has no counterpart.
    static constexpr std::size_t none = ~std::size_t{0};
    std::size_t of_a(const Graph& graph, ValueId id) const { return found(by_a_, graph, id); }
    std::size_t of_b(const Graph& graph, ValueId id) const { return found(by_b_, graph, id); }
    std::size_t unmatched_a() const { return unmatched_a_; }
    std::size_t unmatched_b() const { return unmatched_b_; }

private:
    using Index = std::map<const Graph*, std::vector<std::size_t>>;  // by ValueId::index

    static std::size_t found(const Index& index, const Graph& graph, ValueId id) {
        const auto at = index.find(&graph);
        return at == index.end() || !id ? none : at->second[id.index];
    }
    void match(const Graph& a, const Graph& b);
    void match_inputs(const Graph& a, const Graph& b);
    void match_names(const Graph& a, const Graph& b);
    /// By the names of nodes, then by structure.
    void match_nodes(const Graph& a, const Graph& b);
    /// Nodes with an output that has no counterpart.
    std::vector<NodeId> unmatched(const Index& index, const Graph& graph) const;
    void match_bodies(const Graph& a, const Graph& b);
    void add(const Graph& a, ValueId of_a, const Graph& b, ValueId of_b, const char* by);

    const bool is_one_model_;
    std::vector<MatchedValue> pairs_;
    Index by_a_, by_b_;
    std::size_t unmatched_a_ = 0, unmatched_b_ = 0;
};

}  // namespace lapidary
