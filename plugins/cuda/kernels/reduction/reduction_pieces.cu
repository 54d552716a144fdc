// SPDX-License-Identifier: Apache-2.0
// Reductions in pieces of 16 bytes.
#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"
#include "kernels/reduction/reduction_steps.cuh"
#include "kernels/typed.cuh"

namespace lapidary::cuda {
namespace {

/// The step of a reduction. `is_sum`: a plain sum, known at compile time.
template <bool is_sum>
GPU_DEVICE float with_element(Reduction r, float total, float x) {
    return is_sum ? total + x : combined(r, total, element_of(r, x));
}

constexpr int column_threads = 256;
constexpr int at_once = 8;  // pieces that a thread loads before it uses the first

/// Adds the pieces first, first + step ... below `end` to the totals of their elements. They begin
/// `stride` elements apart.
template <typename T, bool is_sum>
GPU_DEVICE void add_pieces(Reduction reduction, const T* input, int first, int step, int end,
                           long long stride, float (&totals)[per_piece<T>]) {
    constexpr int per = per_piece<T>;
    for (int begin = first; begin < end; begin += at_once * step) {
        Piece pieces[at_once] = {};
        GPU_UNROLL for (int k = 0; k < at_once; ++k) if (begin + k * step < end) pieces[k] =
            piece_at(input + (begin + k * step) * stride);
        GPU_UNROLL for (int k = 0; k < at_once; ++k) {
            if (begin + k * step >= end) continue;
            float x[per];
            elements_of<T>(pieces[k], x);
            GPU_UNROLL for (int i = 0; i < per; ++i) totals[i] =
                with_element<is_sum>(reduction, totals[i], x[i]);
        }
    }
}

/// A block reduces pieces of columns: each piece has a thread in each of `groups` groups, which
/// share the rows.
template <typename T, int columns, bool is_sum>
GPU_GLOBAL void reduce_columns(ReduceArgs args) {
    kernel_begin();
    constexpr int per = per_piece<T>, groups = column_threads / columns, width = columns * per;
    GPU_SHARED_16 float parts[groups * width];
    const int thread = static_cast<int>(thread_index()), column = thread % columns,
              group = thread / columns;
    const int last = args.kept_axes - 1, inner = args.kept_dims[last],
              tiles = (inner + width - 1) / width;
    const int outer = static_cast<int>(block_x()) / tiles,
              from = static_cast<int>(block_x()) % tiles * width;
    const int first = from + column * per;
    float totals[per];
    GPU_UNROLL for (int i = 0; i < per; ++i) totals[i] = start_of<float>(args.reduction, args.type);
    if (first < inner) {
        const T* const input =
            static_cast<const T*>(args.input) + first +
            (last == 0 ? 0 : static_cast<long long>(outer) * args.kept_strides[0]);
        add_pieces<T, is_sum>(args.reduction, input, group, groups, args.reduced,
                              args.reduced_strides[0], totals);
    }
    GPU_UNROLL for (int i = 0; i < per; ++i) parts[group * width + column * per + i] = totals[i];
    block_barrier();
    for (int at = thread; at < width && from + at < inner; at += column_threads) {
        float total = parts[at];
        for (int k = 1; k < groups; ++k)
            total = combined(args.reduction, total, parts[k * width + at]);
        store_element(
            static_cast<T*>(args.output) + static_cast<long long>(outer) * inner + from + at,
            result_of(args.reduction, total, args.reduced));
    }
}

/// Reduces the share of one of `threads` threads in a line.
template <typename T, bool is_sum>
GPU_DEVICE float part_of_line(const ReduceArgs& args, int line, int thread, int threads) {
    constexpr int per = per_piece<T>;
    const T* const input =
        static_cast<const T*>(args.input) +
        (args.kept_axes == 0 ? 0 : static_cast<long long>(line) * args.kept_strides[0]);
    float totals[per];
    GPU_UNROLL for (int i = 0; i < per; ++i) totals[i] = start_of<float>(args.reduction, args.type);
    add_pieces<T, is_sum>(args.reduction, input, thread, threads, args.reduced / per, per, totals);
    float total = totals[0];
    GPU_UNROLL for (int i = 1; i < per; ++i) total = combined(args.reduction, total, totals[i]);
    return total;
}

template <typename T, bool is_sum>
GPU_GLOBAL void reduce_lines_by_warps(ReduceArgs args) {
    kernel_begin();
    const int line = global_thread() / 32, lane = static_cast<int>(thread_index()) % 32;
    if (line >= args.outputs) return;
    float total = part_of_line<T, is_sum>(args, line, lane, 32);
    GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) total =
        combined(args.reduction, total, shuffle_xor(total, mask));
    if (lane == 0)
        store_element(static_cast<T*>(args.output) + line,
                      result_of(args.reduction, total, args.reduced));
}

template <typename T, bool is_sum>
GPU_GLOBAL void reduce_lines_by_blocks(ReduceArgs args) {
    kernel_begin();
    const int line = static_cast<int>(block_x()), thread = static_cast<int>(thread_index());
    const float part = part_of_line<T, is_sum>(args, line, thread, reduce_threads);
    const float total = block_reduce(part, Combined{args.reduction});
    if (thread == 0)
        store_element(static_cast<T*>(args.output) + line,
                      result_of(args.reduction, total, args.reduced));
}

template <typename T, bool is_sum>
void launch_of(Queue& queue, const ReduceArgs& args) {
    if (are_lines_of_pieces(args)) {
        const Grid grid{static_cast<unsigned>(args.outputs), 1, 1};
        const unsigned threads = threads_of_warps(args.outputs);
        if (args.reduced > 4096)
            GPU_LAUNCH((reduce_lines_by_blocks<T, is_sum>), grid, reduce_threads, queue, args);
        else
            GPU_LAUNCH((reduce_lines_by_warps<T, is_sum>), grid_of_warps(args.outputs, threads),
                       threads, queue, args);
        return;
    }
    const int inner = args.kept_dims[args.kept_axes - 1],
              outer = args.kept_axes == 1 ? 1 : args.kept_dims[0];
    const auto grid = [&](int columns) {
        const int width = columns * per_piece<T>;
        return Grid{static_cast<unsigned>((inner + width - 1) / width * outer), 1, 1};
    };
    if (inner > 16 * per_piece<T>)
        GPU_LAUNCH((reduce_columns<T, 32, is_sum>), grid(32), column_threads, queue, args);
    else GPU_LAUNCH((reduce_columns<T, 8, is_sum>), grid(8), column_threads, queue, args);
}

}  // namespace

void launch_reduce_pieces(Queue& queue, const ReduceArgs& args) {
    const bool is_sum = args.reduction == Reduction::sum || args.reduction == Reduction::mean ||
                        args.reduction == Reduction::log_sum;
    with_float_type(args.type, [&]<typename T>() {
        if (is_sum) launch_of<T, true>(queue, args);
        else launch_of<T, false>(queue, args);
    });
}

}  // namespace lapidary::cuda
