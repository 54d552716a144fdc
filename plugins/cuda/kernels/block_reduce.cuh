// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu.h"

namespace lapidary::cuda {

inline constexpr unsigned reduce_threads = 128;

/// Returns `combine` over the values of all threads of a block of reduce_threads, in every thread
/// and always in the same order.
template <typename C, typename Combine>
GPU_DEVICE C block_reduce(C value, const Combine& combine) {
    GPU_SHARED C parts[reduce_threads];
    const unsigned thread = thread_index();
    parts[thread] = value;
    block_barrier();
    for (unsigned half = reduce_threads / 2; half > 0; half /= 2) {
        if (thread < half) parts[thread] = combine(parts[thread], parts[thread + half]);
        block_barrier();
    }
    const C result = parts[0];
    block_barrier();  // the next reduction writes there
    return result;
}

/// Returns the sum of the values of all threads of a block of `threads`, in every thread and always
/// in the same order.
template <unsigned threads = reduce_threads>
GPU_DEVICE float block_sum(float value) {
    constexpr unsigned warps = threads / 32;
    GPU_SHARED float sums[warps];
    value = warp_sum(value);
    if (thread_index() % 32 == 0) sums[thread_index() / 32] = value;
    block_barrier();
    float total = 0;
    GPU_UNROLL for (unsigned i = 0; i < warps; ++i) total += sums[i];
    block_barrier();  // the next sum writes there
    return total;
}

struct Plus {
    template <typename C>
    GPU_METHOD C operator()(C a, C b) const {
        return a + b;
    }
};
struct Larger {
    template <typename C>
    GPU_METHOD C operator()(C a, C b) const {
        return a != a || a > b ? a : b;
    }
};

}  // namespace lapidary::cuda
