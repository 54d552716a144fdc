// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduction/reduction.h"

#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"
#include "kernels/reduction/reduction_steps.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE long long offset_of(int i, int axes, const std::int32_t* dims,
                               const std::int32_t* strides) {
    long long offset = 0;
    for (int axis = axes - 1; axis >= 0; --axis) {
        const int at = axis == 0 ? i : i % dims[axis];
        if (axis > 0) i /= dims[axis];
        offset += static_cast<long long>(at) * strides[axis];
    }
    return offset;
}

/// log(sum(exp(x))) needs the largest element first; infinities are kept.
template <typename C>
GPU_DEVICE C exp_from(C x, C most) {
    if constexpr (C(1) / C(2) == C(0)) return 0;
    else return most - most != 0 ? C(0) : std::exp(x - most);
}
template <typename C>
GPU_DEVICE C log_sum_of(C sum, C most) {
    if constexpr (C(1) / C(2) == C(0)) return most;
    else return most - most != 0 ? most : most + std::log(sum);
}

template <typename C>
GPU_GLOBAL void reduce_in_block(ReduceArgs args) {
    kernel_begin();
    for (int o = static_cast<int>(block_x()); o < args.outputs; o += static_cast<int>(grid_x())) {
        const long long base = offset_of(o, args.kept_axes, args.kept_dims, args.kept_strides);
        const auto element = [&](int i) {
            return load_as<C>(
                args.input, args.type,
                base + offset_of(i, args.reduced_axes, args.reduced_dims, args.reduced_strides));
        };
        C part = start_of<C>(args.reduction, args.type);
        for (int i = static_cast<int>(thread_index()); i < args.reduced; i += reduce_threads)
            part = combined(args.reduction, part, element_of(args.reduction, element(i)));
        C total = block_reduce(part, Combined{args.reduction});
        if (args.reduction == Reduction::log_sum_exp) {
            const C most = total;
            part = 0;
            for (int i = static_cast<int>(thread_index()); i < args.reduced; i += reduce_threads)
                part += exp_from(element(i), most);
            total = log_sum_of(block_reduce(part, Plus()), most);
        }
        if (thread_index() == 0)
            store_as<C>(args.output, args.type, o, result_of(args.reduction, total, args.reduced));
    }
}

template <typename C>
GPU_GLOBAL void reduce_in_thread(ReduceArgs args) {
    kernel_begin();
    for (int o = global_thread(); o < args.outputs; o += all_threads()) {
        const long long base = offset_of(o, args.kept_axes, args.kept_dims, args.kept_strides);
        const auto element = [&](int i) {
            return load_as<C>(
                args.input, args.type,
                base + offset_of(i, args.reduced_axes, args.reduced_dims, args.reduced_strides));
        };
        C total = start_of<C>(args.reduction, args.type);
        for (int i = 0; i < args.reduced; ++i)
            total = combined(args.reduction, total, element_of(args.reduction, element(i)));
        if (args.reduction == Reduction::log_sum_exp) {
            C sum = 0;
            for (int i = 0; i < args.reduced; ++i) sum += exp_from(element(i), total);
            total = log_sum_of(sum, total);
        }
        store_as<C>(args.output, args.type, o, result_of(args.reduction, total, args.reduced));
    }
}

GPU_GLOBAL void arg_extreme(LineArgs args, bool is_max, bool takes_last) {
    kernel_begin();
    const int lines = args.outer * args.inner;
    for (int line = global_thread(); line < lines; line += all_threads()) {
        const long long base =
            static_cast<long long>(line / args.inner) * args.extent * args.inner +
            line % args.inner;
        double best = 0;
        int found = 0;
        // stops at the first NaN, which is the result
        for (int i = 0; i < args.extent && best == best; ++i) {
            const double x = load_as<double>(args.input, args.type,
                                             base + static_cast<long long>(i) * args.inner);
            const bool is_better = (is_max ? x > best : x < best) || x != x;
            if (i == 0 || is_better || (takes_last && x == best)) {
                best = x;
                found = i;
            }
        }
        static_cast<std::int64_t*>(args.output)[line] = found;
    }
}

template <typename C>
GPU_GLOBAL void cumulative_sum(LineArgs args, bool is_exclusive, bool is_reversed) {
    kernel_begin();
    const int lines = args.outer * args.inner;
    for (int line = global_thread(); line < lines; line += all_threads()) {
        const long long base =
            static_cast<long long>(line / args.inner) * args.extent * args.inner +
            line % args.inner;
        C sum = 0;
        for (int k = 0; k < args.extent; ++k) {
            const int i = is_reversed ? args.extent - 1 - k : k;
            const long long place = base + static_cast<long long>(i) * args.inner;
            const C x = load_as<C>(args.input, args.type, place);
            if (is_exclusive) store_as<C>(args.output, args.type, place, sum);
            sum = added(sum, x);
            if (!is_exclusive) store_as<C>(args.output, args.type, place, sum);
        }
    }
}

/// Whether a comes before b. Equal elements are ordered by position, because bitonic sorting needs
/// a total order. NaN is larger than all numbers.
GPU_DEVICE bool comes_before(float a, int at_a, float b, int at_b, bool is_largest) {
    if (at_a < 0 || at_b < 0) return at_b < 0 && at_a >= 0;
    const bool is_nan_a = a != a, is_nan_b = b != b;
    if (a == b || (is_nan_a && is_nan_b)) return at_a < at_b;
    return (is_nan_a || (!is_nan_b && a > b)) == is_largest;
}

template <int size>
GPU_GLOBAL void top_k(LineArgs args, void* positions, int k, bool is_largest) {
    kernel_begin();
    GPU_SHARED float values[size];
    GPU_SHARED int places[size];
    const int line = static_cast<int>(block_x()), threads = static_cast<int>(thread_count());
    const long long base =
        static_cast<long long>(line / args.inner) * args.extent * args.inner + line % args.inner;
    for (int i = static_cast<int>(thread_index()); i < size; i += threads) {
        const bool is_there = i < args.extent;
        values[i] = is_there ? load_as<float>(args.input, args.type,
                                              base + static_cast<long long>(i) * args.inner)
                             : 0;
        places[i] = is_there ? i : -1;
    }
    block_barrier();
    for (int run = 2; run <= size; run *= 2)
        for (int gap = run / 2; gap > 0; gap /= 2) {
            for (int i = static_cast<int>(thread_index()); i < size; i += threads) {
                const int other = i ^ gap;
                if (other < i) continue;
                const bool is_forward = (i & run) == 0;
                const bool is_right =
                    comes_before(values[i], places[i], values[other], places[other], is_largest);
                const bool is_wrong =
                    comes_before(values[other], places[other], values[i], places[i], is_largest);
                if (is_forward ? !is_wrong : !is_right) continue;
                const float v = values[i];
                const int p = places[i];
                values[i] = values[other];
                places[i] = places[other];
                values[other] = v;
                places[other] = p;
            }
            block_barrier();
        }
    const long long to =
        static_cast<long long>(line / args.inner) * k * args.inner + line % args.inner;
    for (int i = static_cast<int>(thread_index()); i < k; i += threads) {
        store_as<float>(args.output, args.type, to + static_cast<long long>(i) * args.inner,
                        values[i]);
        static_cast<std::int64_t*>(positions)[to + static_cast<long long>(i) * args.inner] =
            places[i];
    }
}

Grid rows_grid(int rows) { return {static_cast<unsigned>(rows < 65535 ? rows : 65535), 1, 1}; }

template <typename C>
void launch_reduce_of(Queue& queue, const ReduceArgs& args) {
    if (args.reduced >= 64)
        GPU_LAUNCH(reduce_in_block<C>, rows_grid(args.outputs), reduce_threads, queue, args);
    else GPU_LAUNCH_FREE(reduce_in_thread<C>, grid_for(args.outputs), free_threads, queue, args);
}

}  // namespace

void launch_reduce(Queue& queue, const ReduceArgs& args) {
    if (args.outputs == 0) return;
    if (are_columns_of_pieces(args) || are_lines_of_pieces(args))
        return launch_reduce_pieces(queue, args);
    if (args.domain == Domain::floats) launch_reduce_of<float>(queue, args);
    else if (args.domain == Domain::doubles) launch_reduce_of<double>(queue, args);
    else launch_reduce_of<long long>(queue, args);
}

void launch_arg_extreme(Queue& queue, const LineArgs& args, bool is_max, bool takes_last) {
    const int lines = args.outer * args.inner;
    if (lines > 0)
        GPU_LAUNCH_FREE(arg_extreme, grid_for(lines), free_threads, queue, args, is_max,
                        takes_last);
}

void launch_cumulative_sum(Queue& queue, const LineArgs& args, Domain domain, bool is_exclusive,
                           bool is_reversed) {
    const int lines = args.outer * args.inner;
    if (lines == 0) return;
    const Grid grid = grid_for(lines);
    if (domain == Domain::floats)
        GPU_LAUNCH_FREE(cumulative_sum<float>, grid, free_threads, queue, args, is_exclusive,
                        is_reversed);
    else if (domain == Domain::doubles)
        GPU_LAUNCH_FREE(cumulative_sum<double>, grid, free_threads, queue, args, is_exclusive,
                        is_reversed);
    else
        GPU_LAUNCH_FREE(cumulative_sum<long long>, grid, free_threads, queue, args, is_exclusive,
                        is_reversed);
}

void launch_top_k(Queue& queue, const LineArgs& args, void* positions, std::int32_t k,
                  bool is_largest) {
    const int lines = args.outer * args.inner;
    if (lines == 0 || k == 0) return;
    const Grid grid{static_cast<unsigned>(lines), 1, 1};
    if (args.extent <= 256)
        GPU_LAUNCH(top_k<256>, grid, 128, queue, args, positions, k, is_largest);
    else GPU_LAUNCH(top_k<4096>, grid, 256, queue, args, positions, k, is_largest);
}

}  // namespace lapidary::cuda
