// SPDX-License-Identifier: Apache-2.0
// Conversions between types of floats by blocks of free_threads.
#pragma once

#include <type_traits>

#include "kernels/load_store.cuh"

namespace lapidary::cuda {

template <typename T, int n>
struct alignas(n * sizeof(T)) Elements {
    T of[n];
};

/// Elements that a thread converts at once: at most 16 bytes of either type, so that neighbouring
/// threads read and write neighbouring bytes. It repeats that conversion_times (or `times`) times,
/// at distances of a whole block.
template <typename From, typename To>
constexpr int per_conversion = per_piece<From> < per_piece<To> ? per_piece<From> : per_piece<To>;
inline constexpr int conversion_times = 2;
template <typename From, typename To, int times = conversion_times>
constexpr int block_of_conversion = per_conversion<From, To>* times* static_cast<int>(free_threads);

/// v converted to To. With `keeps_finite`, a finite value that would overflow becomes the largest
/// number of To.
template <bool keeps_finite, typename To>
GPU_DEVICE void store_converted(To* to, float v) {
    if constexpr (keeps_finite && sizeof(To) == 2) {
        store_element(to, kept_finite(v, std::is_same_v<To, half_t> ? 65504.0f : 0x1.fep127f));
    } else store_element(to, v);
}

/// Converts the `count` neighbours of a block, at most block_of_conversion. Input and output are
/// aligned to pieces.
template <int times = conversion_times, bool keeps_finite = false, typename From, typename To>
GPU_DEVICE void convert_block(const From* input, To* output, int count) {
    constexpr int n = per_conversion<From, To>, threads = static_cast<int>(free_threads);
    const int thread = static_cast<int>(thread_index());
    const int whole = count / n < times * threads ? count / n : times * threads;
    Elements<From, n> x[times];
    GPU_UNROLL for (int k = 0; k < times; ++k) if (thread + k * threads < whole) x[k] =
        reinterpret_cast<const Elements<From, n>*>(input)[thread + k * threads];
    GPU_UNROLL for (int k = 0; k < times; ++k) {
        if (thread + k * threads >= whole) continue;
        Elements<To, n> y;
        GPU_UNROLL for (int i = 0; i < n; ++i)
            store_converted<keeps_finite>(y.of + i, load_element(x[k].of + i));
        reinterpret_cast<Elements<To, n>*>(output)[thread + k * threads] = y;
    }
    // elements after the last whole group, handled by the first threads
    const int rest = whole * n + thread;
    if (whole < times * threads && rest < count)
        store_converted<keeps_finite>(output + rest, load_element(input + rest));
}

/// The same for any alignment.
template <int times = conversion_times, bool keeps_finite = false, typename From, typename To>
GPU_DEVICE void convert_block_by_element(const From* input, To* output, int count) {
    constexpr int threads = static_cast<int>(free_threads);
    GPU_UNROLL_4 for (int k = 0; k < block_of_conversion<From, To, times>; k += threads) {
        const int i = k + static_cast<int>(thread_index());
        if (i < count) store_converted<keeps_finite>(output + i, load_element(input + i));
    }
}

}  // namespace lapidary::cuda
