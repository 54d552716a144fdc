// SPDX-License-Identifier: Apache-2.0
// A minimum cut of a flow network.
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary {

/// Vertices 0 (source) and 1 (sink) exist from the start. Deterministic; Dinic's algorithm.
class MinimumCut {
public:
    static constexpr std::size_t source = 0, sink = 1;
    static constexpr std::int64_t unbounded = std::int64_t{1} << 62;

    std::size_t add_vertex() { return vertices_.emplace_back(), vertices_.size() - 1; }
    /// Costs `capacity` when `from` is on the source's side and `to` on the sink's.
    void add_edge(std::size_t from, std::size_t to, std::int64_t capacity);
    /// The vertices on the source's side of a minimum cut; of several cuts that with the fewest.
    std::vector<bool> source_side();

private:
    struct Edge {
        std::size_t to;
        std::int64_t capacity;
    };
    bool find_levels();
    std::int64_t push(std::size_t from, std::int64_t limit);
    // indices of edges; edge i ^ 1 is the way back
    std::vector<std::vector<std::size_t>> vertices_{2};
    std::vector<Edge> edges_;
    std::vector<int> level_;
    std::vector<std::size_t> next_;
};

}  // namespace lapidary
