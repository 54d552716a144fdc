// SPDX-License-Identifier: Apache-2.0
// Products with weights of 2, 4 or 8 bits that have a scale and a zero point per block of k.
// Columns lie in groups of a few vectors; a column's values of k are one stream of bits, cut into
// words of 32 bits: word w of all columns of a group lies side by side, so that a mask, a
// conversion and a multiplication per vector and k are all that a product takes. The place of a
// value in its word makes it larger by a power of two, which the left operand makes good: prepare()
// divides by it.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// The group's arrays hold `group` values per word or block.
struct BlockWeightGroup {
    const std::uint32_t* words = nullptr;
    const float* scales = nullptr;
    const std::uint8_t* byte_zeros = nullptr;  // zero points, or
    const float* zeros = nullptr;              // these, or
    float zero = 0;                            // one for all
    std::int64_t blocks = 0, block = 0;        // values of k in a block
    int bits = 4;
};

/// C[rows, columns] = A W + bias for the group's vectors from `first_vector` on.
struct BlockWeightTile {
    BlockWeightGroup weight;
    int rows = 0;                       // at most most_rows
    int first_vector = 0, vectors = 0;  // all of the group for at most few_rows, else half of it
    const float* a = nullptr;           // from prepare()
    std::int64_t a_stride = 0;
    const float* a_sums = nullptr;
    std::int64_t a_sums_stride = 0;
    std::int64_t columns = 0;     // of these vectors
    const float* bias = nullptr;  // as c; null for none
    float* c = nullptr;
    std::int64_t c_stride = 0;
};

struct BlockWeightKernels {
    std::int64_t vector;  // columns
    std::int64_t group;   // columns: four vectors
    int few_rows, most_rows;
    /// Word w of column n from bytes[n * stride + 4 w]; 0 for columns <= n < group.
    void (*pack)(const std::uint8_t* bytes, std::int64_t stride, std::int64_t words,
                 std::int64_t columns, std::uint32_t* to);
    /// One row: to[k] is a[k] over the power of two of its place, 0 for inner <= k < blocks *
    /// block; sums[b] is the block's sum.
    void (*prepare)(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block,
                    int bits, float* to, float* sums);
    void (*multiply)(const BlockWeightTile& tile);
    /// to[k * stride + i] = (value - zero point) * scale of row first_k + k and vector `vector`'s
    /// column i for k < inner. `first_k` is a multiple of the values in a word.
    void (*unpack)(const BlockWeightGroup& weight, int vector, std::int64_t first_k,
                   std::int64_t inner, float* to, std::int64_t stride);
};
LAPIDARY_PER_ISA(BlockWeightKernels, block_weight_kernels)

}  // namespace lapidary
