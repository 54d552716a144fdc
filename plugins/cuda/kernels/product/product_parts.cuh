// SPDX-License-Identifier: Apache-2.0
// Batches and parts of products: the operands and results of a block, and adding the parts along k.
#pragma once

#include "kernels/product/product.h"
#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

/// The matrices of one product of the batch, typed.
template <typename T>
struct Matrices {
    const T *a, *b;
    T* y;
    long long output;  // where y begins
};

template <typename T>
GPU_DEVICE Matrices<T> matrices_of(const ProductArgs& args, int batch) {
    long long a = 0, b = 0;
    int rest = batch;
    for (int axis = args.batch_rank - 1; axis >= 0; --axis) {
        const int at = rest % args.batch_dims[axis];
        rest /= args.batch_dims[axis];
        a += static_cast<long long>(at) * args.a_batch[axis];
        b += static_cast<long long>(at) * args.b_batch[axis];
    }
    const long long y = static_cast<long long>(batch) * args.m * args.n;
    return {static_cast<const T*>(args.a) + a, static_cast<const T*>(args.b) + b,
            static_cast<T*>(args.y) + y, y};
}

/// One part of one product: where it begins along k, how deep it is, and where its sums are stored
/// (null where it is the only part).
struct Part {
    int batch, begin, depth;
    float* sums;
};

GPU_DEVICE Part part_of(const ProductArgs& args, int item) {
    const int batch = args.batch == 1 ? 0 : args.parts == 1 ? item : item / args.parts;
    const int part = item - batch * args.parts, begin = part * args.part_depth;
    const int depth = args.k - begin < args.part_depth ? args.k - begin : args.part_depth;
    const long long matrix = static_cast<long long>(part) * args.batch + batch;
    return {batch, begin, depth,
            args.parts > 1 ? args.partial + matrix * args.m * args.n : nullptr};
}

template <typename T>
GPU_DEVICE void store_sum(const ProductArgs& args, const Matrices<T>& of, const Part& part, int row,
                          int column, float sum) {
    if (row >= args.m || column >= args.n) return;
    const long long at = static_cast<long long>(row) * args.n + column;
    if (part.sums) part.sums[at] = sum;
    else store_element(of.y + at, finished<T>(args.epilogue, sum, row, column, of.output + at));
}

/// True where this block is the last of the `parts` blocks that share a result to write its sums.
/// `counter` is then 0 again. Call with all threads of the block.
GPU_DEVICE bool is_last_part(unsigned* counter, int parts) {
    GPU_SHARED unsigned before;
    block_barrier();
    // the barriers extend this thread's fences to the whole block
    if (thread_index() == 0) {
        memory_fence();
        before = count_up(counter);
        if (before + 1 == static_cast<unsigned>(parts)) *counter = 0;
        memory_fence();
    }
    block_barrier();
    return before + 1 == static_cast<unsigned>(parts);
}

/// Loads what other blocks wrote before a fence.
GPU_DEVICE void load_fresh_quad(const float* from, float (&v)[4], int count, bool is_whole) {
    if (is_whole) return load_fresh(from, v);
    GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] = i < count ? load_fresh(from + i) : 0.0f;
}

/// Adds the sums of all parts in order, for four neighbours; parts are `step` apart.
GPU_DEVICE void sum_parts(const float* first, long long step, int parts, float (&v)[4], int count,
                          bool is_whole) {
    GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] = 0;
    GPU_UNROLL_4 for (int part = 0; part < parts; ++part) {
        float of_part[4];
        load_fresh_quad(first + part * step, of_part, count, is_whole);
        GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] += of_part[i];
    }
}

}  // namespace lapidary::cuda
