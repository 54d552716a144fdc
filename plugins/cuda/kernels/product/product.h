// SPDX-License-Identifier: Apache-2.0
// Products of matrices, in batches.
#pragma once

#include <cstdint>

#include "kernels/elementwise/epilogue.h"

namespace lapidary::cuda {

inline constexpr int batch_axes = 4;

/// y[batch, m, n] = epilogue(a[batch, m, k] * b[batch, k, n]); y is row-major, a and b lie by their
/// strides (elements), of which those of batches may be 0.
struct ProductArgs {
    const void *a = nullptr, *b = nullptr;
    void* y = nullptr;
    // no kernel writes b: it may be read before kernels that came before have ended
    bool has_constant_b = false;
    bool has_constant_bias = false;  // the same of the bias
    std::int32_t type = 1;           // of all: f32, f16 or bf16
    std::int32_t m = 0, n = 0, k = 0;
    std::int32_t a_row = 0, a_column = 1, b_row = 0, b_column = 1;
    std::int32_t batch = 1, batch_rank = 0;
    std::int32_t batch_dims[batch_axes] = {}, a_batch[batch_axes] = {}, b_batch[batch_axes] = {};
    Epilogue epilogue;
    /// Parts of `part_depth` along k, whose sums go to `partial`, [parts, batch, m, n], and are
    /// added in order: where too few blocks would have too much to do each. See split_of().
    std::int32_t parts = 1, part_depth = 0;
    float* partial = nullptr;
    // launch_product() sets it: of Queue, where the blocks themselves add the parts up
    unsigned* counters = nullptr;
};

/// How launch_product() is best split for a device of many multiprocessors, by the shape alone.
struct ProductSplit {
    std::int32_t parts = 1, part_depth = 0;
    std::int64_t partial_bytes = 0;
};
/// y = epilogue(partial), one part.
void launch_epilogue(Queue& queue, const ProductArgs& args);
ProductSplit split_of(const ProductArgs& args, Arithmetic arithmetic);
/// The same for so many blocks that sum over `depth` for `results` sums in all.
ProductSplit split_of_blocks(long long blocks, std::int32_t depth, long long results);

void launch_product(Queue& queue, const ProductArgs& args, Arithmetic arithmetic);

}  // namespace lapidary::cuda
