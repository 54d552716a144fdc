// SPDX-License-Identifier: Apache-2.0
// Finds, for each vertex, the vertex through which all its data has to go (post-dominators).
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary::drawing {

/// Of the vertices whose results the deepest vertex of a graph is made of: each hangs below the
/// next one that all ways to the deepest go through. One of those below a vertex is `before` it:
/// where the data that forks and meets again in it comes from.
struct PostDominators {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> order;     // vertices, what is read before what reads it
    std::vector<std::uint32_t> above;     // by vertex; none: the deepest, or not one of them
    std::vector<std::uint32_t> before;    // by vertex; none: nothing hangs below it
    std::vector<std::uint32_t> readings;  // by vertex: inputs of vertices of the tree that read it
    std::vector<bool> in_tree;            // by vertex
};

/// `inputs`: by vertex, the vertices it reads, one entry for each input. Vertices on circles are
/// left out. O(n log n).
PostDominators find_post_dominators(const std::vector<std::vector<std::uint32_t>>& inputs);

}  // namespace lapidary::drawing
