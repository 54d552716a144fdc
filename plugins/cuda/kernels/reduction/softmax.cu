// SPDX-License-Identifier: Apache-2.0
// Softmax. Along contiguous lines: a warp for a short line, which it keeps in registers; a block
// for a long one. Along other axes: a thread for each line if there are many, else a block.
#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"
#include "kernels/pieces.h"
#include "kernels/reduction/reduction.h"
#include "kernels/typed.cuh"

namespace lapidary::cuda {
namespace {

GPU_GLOBAL void softmax_of_line(LineArgs args, bool is_log) {
    kernel_begin();
    const int lines = args.outer * args.inner;
    for (int line = static_cast<int>(block_x()); line < lines; line += static_cast<int>(grid_x())) {
        const long long base =
            static_cast<long long>(line / args.inner) * args.extent * args.inner +
            line % args.inner;
        const auto element = [&](int i) {
            return load_as<float>(args.input, args.type,
                                  base + static_cast<long long>(i) * args.inner);
        };
        float most = -INFINITY, sum = 0;
        for (int i = static_cast<int>(thread_index()); i < args.extent; i += reduce_threads)
            most = Larger()(most, element(i));
        most = block_reduce(most, Larger());
        for (int i = static_cast<int>(thread_index()); i < args.extent; i += reduce_threads)
            sum += std::exp(element(i) - most);
        sum = block_sum(sum);
        for (int i = static_cast<int>(thread_index()); i < args.extent; i += reduce_threads) {
            const float x = element(i) - most;
            store_as<float>(args.output, args.type, base + static_cast<long long>(i) * args.inner,
                            is_log ? x - std::log(sum) : std::exp(x) / sum);
        }
    }
}

GPU_DEVICE float warp_most(float v) {
    GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) v = Larger()(v, shuffle_xor(v, mask));
    return v;
}

/// n neighbours: a piece or one element.
template <typename T, int n>
GPU_DEVICE void load_some(const T* from, float (&to)[n]) {
    if constexpr (n == 1) to[0] = load_element(from);
    else elements_of<T>(piece_at(from), to);
}
template <typename T, int n>
GPU_DEVICE void store_some(T* to, const float (&from)[n]) {
    if constexpr (n == 1) store_element(to, from[0]);
    else store_piece(to, piece_of<T>(from));
}

/// A warp per line of at most 32 * kept * n elements.
template <typename T, int n, int kept>
GPU_GLOBAL void softmax_by_warps(LineArgs args, bool is_log) {
    kernel_begin();
    const int line = global_thread() / 32, lane = static_cast<int>(thread_index()) % 32;
    if (line >= args.outer) return;
    const long long base = static_cast<long long>(line) * args.extent;
    const T* const input = static_cast<const T*>(args.input) + base;
    T* const output = static_cast<T*>(args.output) + base;
    float x[kept][n], most = -INFINITY, sum = 0;
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (lane + j * 32) * n;
        GPU_UNROLL for (int i = 0; i < n; ++i) x[j][i] = -INFINITY;
        if (first < args.extent) load_some<T>(input + first, x[j]);
    }
    GPU_UNROLL for (int j = 0; j < kept; ++j) GPU_UNROLL for (int i = 0; i < n; ++i) most =
        Larger()(most, x[j][i]);
    most = warp_most(most);
    GPU_UNROLL for (int j = 0; j < kept; ++j) GPU_UNROLL for (int i = 0; i < n; ++i) {
        x[j][i] -= most;
        const float e = std::exp(x[j][i]);
        if ((lane + j * 32) * n < args.extent) sum += e;
        if (!is_log) x[j][i] = e;
    }
    sum = warp_sum(sum);
    const float scale = is_log ? std::log(sum) : 1 / sum;
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (lane + j * 32) * n;
        GPU_UNROLL for (int i = 0; i < n; ++i) x[j][i] = is_log ? x[j][i] - scale : x[j][i] * scale;
        if (first < args.extent) store_some(output + first, x[j]);
    }
}

/// The largest element so far and the sum of powers relative to it. The sum is 0 where all elements
/// are -inf.
struct Running {
    float most = -INFINITY, sum = 0;

    template <int n>
    GPU_METHOD void take(const float (&x)[n]) {
        float larger = most;
        GPU_UNROLL for (int i = 0; i < n; ++i) larger = Larger()(larger, x[i]);
        const float from = larger == -INFINITY ? 0.0f : larger;
        sum *= std::exp(most - from);
        GPU_UNROLL for (int i = 0; i < n; ++i) sum += std::exp(x[i] - from);
        most = larger;
    }
};

/// A block of reduce_threads per line, which it reads twice.
template <typename T, int n>
GPU_GLOBAL void softmax_by_blocks(LineArgs args, bool is_log) {
    kernel_begin();
    const long long base = static_cast<long long>(block_x()) * args.extent;
    const T* const input = static_cast<const T*>(args.input) + base;
    T* const output = static_cast<T*>(args.output) + base;
    constexpr int step = static_cast<int>(reduce_threads) * n;
    const int begin = static_cast<int>(thread_index()) * n;
    Running own;
    GPU_UNROLL_4 for (int i = begin; i < args.extent; i += step) {
        float x[n];
        load_some<T>(input + i, x);
        own.take(x);
    }
    const float most = block_reduce(own.most, Larger());
    const float sum =
        block_sum(own.sum * (own.most == -INFINITY ? 0.0f : std::exp(own.most - most)));
    const float scale = is_log ? std::log(sum) : 1 / sum;
    GPU_UNROLL_4 for (int i = begin; i < args.extent; i += step) {
        float x[n];
        load_some<T>(input + i, x);
        GPU_UNROLL for (int k = 0; k < n; ++k) x[k] =
            is_log ? x[k] - most - scale : std::exp(x[k] - most) * scale;
        store_some(output + i, x);
    }
}

/// A thread per line; neighbouring threads have neighbouring lines.
template <typename T>
GPU_GLOBAL void softmax_by_threads(LineArgs args, bool is_log) {
    kernel_begin();
    const int line = global_thread();
    if (line >= args.outer * args.inner) return;
    const long long base =
        static_cast<long long>(line / args.inner) * args.extent * args.inner + line % args.inner;
    const T* const input = static_cast<const T*>(args.input) + base;
    T* const output = static_cast<T*>(args.output) + base;
    const long long inner = args.inner;
    Running own;
    GPU_UNROLL_4 for (int i = 0; i < args.extent; ++i) {
        const float x[1] = {load_element(input + i * inner)};
        own.take(x);
    }
    const float scale = is_log ? std::log(own.sum) : 1 / own.sum;
    GPU_UNROLL_4 for (int i = 0; i < args.extent; ++i) {
        const float x = load_element(input + i * inner) - own.most;
        store_element(output + i * inner, is_log ? x - scale : std::exp(x) * scale);
    }
}

template <typename T>
void launch_lines(Queue& queue, const LineArgs& args, bool is_log) {
    constexpr int per = per_piece<T>;
    const bool by_pieces = args.extent % per == 0 && begin_pieces({args.input, args.output});
    const unsigned threads = threads_of_warps(args.outer);
    const Grid warps = grid_of_warps(args.outer, threads),
               blocks{static_cast<unsigned>(args.outer), 1, 1};
    if (args.extent > softmax_warp_extent) {
        if (by_pieces)
            GPU_LAUNCH((softmax_by_blocks<T, per>), blocks, reduce_threads, queue, args, is_log);
        else GPU_LAUNCH((softmax_by_blocks<T, 1>), blocks, reduce_threads, queue, args, is_log);
    } else if (by_pieces) {
        constexpr int most = softmax_warp_extent / 32 / per;
        with_pieces<1, 2, most / 2, most>((args.extent / per + 31) / 32, [&]<int kept>() {
            GPU_LAUNCH((softmax_by_warps<T, per, kept>), warps, threads, queue, args, is_log);
        });
    } else {
        with_pieces<2, 5, 8, 16, 32>((args.extent + 31) / 32, [&]<int kept>() {
            GPU_LAUNCH((softmax_by_warps<T, 1, kept>), warps, threads, queue, args, is_log);
        });
    }
}

}  // namespace

void launch_softmax(Queue& queue, const LineArgs& args, bool is_log) {
    const int lines = args.outer * args.inner;
    if (lines == 0 || args.extent == 0) return;
    if (args.inner > 1 && args.inner < 32) {
        const Grid grid{static_cast<unsigned>(lines < 65535 ? lines : 65535), 1, 1};
        GPU_LAUNCH(softmax_of_line, grid, reduce_threads, queue, args, is_log);
        return;
    }
    with_float_type(args.type, [&]<typename T>() {
        if (args.inner == 1) return launch_lines<T>(queue, args, is_log);
        const Grid grid{static_cast<unsigned>((lines + 127) / 128), 1, 1};
        GPU_LAUNCH_FREE(softmax_by_threads<T>, grid, 128, queue, args, is_log);
    });
}

}  // namespace lapidary::cuda
