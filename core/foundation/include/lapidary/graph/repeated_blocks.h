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
    /// a constant, or a value that no vertex writes
    static constexpr std::uint32_t outside = 0xfffffffeu;
    /// the vertex whose result is read (its index), or one of the two above
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

/// Blocks that follow each other. Data goes from each to the next through one value; values that
/// several of them read are made before the first.
struct RepeatedBlocks {
    /// vertices of each, two blocks or more, in the order of the data
    std::vector<std::vector<std::uint32_t>> blocks;
};

/// The repetitions of a graph, largest first, none overlapping another. Blocks are cut where one
/// value alone carries the data on (a post-dominator of the deepest result): they are equal in
/// operators and wiring, up to values that many blocks read (a mask, say). A vertex whose result no
/// other one reads (a second result of the model) belongs to the block that it reads from. Time and
/// memory grow with vertices and inputs, times the logarithm; vertices on cycles are left out.
/// Equal input gives equal output.
std::vector<RepeatedBlocks> find_repeated_blocks(std::span<const BlockVertex> vertices,
                                                 const BlockOptions& options = {});

}  // namespace lapidary
