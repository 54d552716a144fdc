// SPDX-License-Identifier: Apache-2.0
// Blocks that a graph repeats one behind the other, as the layers of a transformer: found by
// operators and wiring alone, whatever the names. A pure function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lapidary {

/// What a node reads at one of its inputs.
struct BlockInput {
    static constexpr std::uint32_t absent = 0xffffffffu;  // an optional input that is left out
    /// a constant, or the result of what is no vertex
    static constexpr std::uint32_t outside = 0xfffffffeu;
    /// whose result is read: index of the vertex, or one of the two above
    std::uint32_t vertex = outside;
    std::uint32_t output = 0;  // which of its results
};

/// A node, or an input of the graph.
struct BlockVertex {
    std::uint64_t label = 0;         // equal for what counts as the same operator
    bool is_counted = true;          // as a node; an input of the graph is not
    std::vector<BlockInput> inputs;  // in order
};

/// What counts as a repetition worth reporting.
struct BlockOptions {
    std::uint32_t least_nodes = 4;    // of one block
    std::uint32_t least_in_all = 12;  // nodes of all blocks together
};

/// Blocks that follow each other; data goes from each to the next through one value, and what
/// several of them read comes from before.
struct RepeatedBlocks {
    /// vertices of each, two blocks or more, in the order of the data
    std::vector<std::vector<std::uint32_t>> blocks;
};

/// The repetitions of a graph, largest first, none overlapping another. Blocks are cut where one
/// value alone carries the data on (a post-dominator of the deepest result): they are equal in
/// operators and wiring, up to values that many blocks read (a mask, say). What no other vertex
/// reads (a second result of the model) goes with the block that it is made of. Time and memory
/// grow with vertices and inputs, times the logarithm; vertices on circles are left alone. Equal
/// input gives equal output.
std::vector<RepeatedBlocks> find_repeated_blocks(std::span<const BlockVertex> vertices,
                                                 const BlockOptions& options = {});

}  // namespace lapidary
