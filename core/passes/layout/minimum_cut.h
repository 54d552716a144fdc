// SPDX-License-Identifier: Apache-2.0
// The cheapest way to give each of some nodes one of two labels when labels and disagreements have costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapidary {

/// Minimum cut between a source (label "inside") and a sink (label "outside").
class MinimumCut {
public:
    static constexpr std::int64_t forbidden = std::int64_t{1} << 60;

    std::size_t add_node();
    /// What it costs to label the node outside, inside; either way.
    void cost_outside(std::size_t node, std::int64_t cost) { add_edge(source, node, cost); }
    void cost_inside(std::size_t node, std::int64_t cost) { add_edge(node, sink, cost); }
    /// What it costs to have `a` inside and `b` outside.
    void add_edge(std::size_t a, std::size_t b, std::int64_t cost);

    /// Labels (true: inside) of least cost; of several such the one with the fewest inside. Call once.
    std::vector<bool> solve();

    static constexpr std::size_t source = 0, sink = 1;

private:
    struct Edge {
        std::size_t to;
        std::int64_t left;  // capacity; its opposite is the edge with the index ^ 1
    };
    bool measure_levels();
    std::int64_t push();

    std::vector<Edge> edges_;
    std::vector<std::vector<std::size_t>> leaving_{2};
    std::vector<int> level_;
};

}  // namespace lapidary
