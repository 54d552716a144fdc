// SPDX-License-Identifier: Apache-2.0
// Products of matrices, in batches.
#pragma once

#include <cstdint>

#include "kernels/elementwise/epilogue.h"

namespace lapidary::cuda {

inline constexpr int batch_axes = 4;

/// y[batch, m, n] = epilogue(a[batch, m, k] * b[batch, k, n]); y is row-major. a and b have strides
/// in elements; those of the batch may be 0.
struct ProductArgs {
    const void *a = nullptr, *b = nullptr;
    void* y = nullptr;
    // no kernel writes b, so it may be read before earlier kernels have ended
    bool has_constant_b = false;
    bool has_constant_bias = false;  // the same of the bias
    std::int32_t type = 1;           // of all: f32, f16 or bf16
    std::int32_t m = 0, n = 0, k = 0;
    std::int32_t a_row = 0, a_column = 1, b_row = 0, b_column = 1;
    std::int32_t batch = 1, batch_rank = 0;
    std::int32_t batch_dims[batch_axes] = {}, a_batch[batch_axes] = {}, b_batch[batch_axes] = {};
    Epilogue epilogue;
    /// Splits k into parts of `part_depth`, so that enough blocks have work. `partial` takes the
    /// sums of the parts, [parts, batch, m, n], which are added in order. See split_of().
    std::int32_t parts = 1, part_depth = 0;
    float* partial = nullptr;
    // set by launch_product() to Queue::counters where the blocks themselves add the parts
    unsigned* counters = nullptr;
};

/// The best split of launch_product() for a device with many multiprocessors; depends only on the
/// shape.
struct ProductSplit {
    std::int32_t parts = 1, part_depth = 0;
    std::int64_t partial_bytes = 0;
};
/// y = epilogue(partial), for one part.
void launch_epilogue(Queue& queue, const ProductArgs& args);
ProductSplit split_of(const ProductArgs& args, Arithmetic arithmetic);
/// The same for `blocks` blocks that sum over `depth` and compute `results` sums in all.
ProductSplit split_of_blocks(long long blocks, std::int32_t depth, long long results);

void launch_product(Queue& queue, const ProductArgs& args, Arithmetic arithmetic);

}  // namespace lapidary::cuda
