// SPDX-License-Identifier: Apache-2.0
// The products of ../block_weight.h with rows whose blocks are 8-bit integers of one scale each:
// sums of a block are exact in 32 bits, the scales of row and column and the zero point follow.
#pragma once

#include <cstdint>

#include "kernels/vector/product/block_weight.h"

namespace lapidary {

/// C[rows, columns] = A W + bias for the group's vectors from `first_vector` on. Weights of 4 or 8
/// bits.
struct BlockDotTile {
    BlockWeightGroup weight;
    int rows = 0;                       // at most most_rows
    int first_vector = 0, vectors = 0;  // all of the group for at most few_rows, else half of it
    const std::int8_t* a = nullptr;     // from prepare()
    std::int64_t a_stride = 0;          // bytes
    const float *a_scales = nullptr, *a_sums = nullptr;  // a value per block
    std::int64_t a_block_stride = 0;
    std::int64_t columns = 0;     // of these vectors
    const float* bias = nullptr;  // as c; null for none
    float* c = nullptr;
    std::int64_t c_stride = 0;
};

struct BlockDotKernels {
    std::int64_t vector, group;  // those of BlockWeightKernels
    int few_rows, most_rows;
    /// One row: a block's scale is its largest magnitude / 127, its values round(a * (127 / largest
    /// magnitude)), ties to even, as ONNX Runtime rounds; 0 for inner <= k < blocks * block, in the
    /// order in which words of `bits` bits hold them; `sums` are those of the rounded values. A
    /// block that holds what is not finite has the scale NaN, one whose scale is no normal number
    /// the scale 0.
    void (*prepare)(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block,
                    int bits, std::int8_t* to, float* scales, float* sums);
    /// One row as `digits` rows, whose products add up to that of the row: a block's values become
    /// integers of 24 bits with one scale, and those become digits of base 256, of which each has
    /// its own row of bytes, scales and sums. What rounding loses is at most the block's largest
    /// magnitude / 2^22, as in a float sum. False, with nothing of use in the rows: a block holds
    /// what is not finite, or is too small or too large for such scales.
    bool (*prepare_digits)(const float* a, std::int64_t inner, std::int64_t blocks,
                           std::int64_t block, int bits, std::int8_t* to, float* scales,
                           float* sums);
    void (*multiply)(const BlockDotTile& tile);
    /// Whether products of `digits` rows take less time than one in float; then few_rows is enough
    /// for them.
    bool digits_are_fast;
    static constexpr int digits = 3;
};
LAPIDARY_PER_INTEGER_ISA(BlockDotKernels, block_dot_kernels)

}  // namespace lapidary
