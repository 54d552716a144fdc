// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement/movement.h"

#include "kernels/by_size.cuh"
#include "kernels/movement/copy_layout.h"
#include "kernels/divide.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

/// The input coordinate for an output coordinate; -1: padding.
GPU_DEVICE int padded_from(PadMode mode, int at, int begin, int size) {
    int from = at - begin;
    if (from >= 0 && from < size) return from;
    if (mode == PadMode::constant) return -1;
    if (mode == PadMode::edge) return from < 0 ? 0 : size - 1;
    if (mode == PadMode::wrap) return (from % size + size) % size;
    if (size == 1) return 0;
    const int period = 2 * (size - 1);
    from = (from % period + period) % period;
    return from < size ? from : period - from;
}

template <typename T>
GPU_GLOBAL void pad(PadArgs args) {
    kernel_begin();
    const T* const input = static_cast<const T*>(args.input);
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        int rest = i;
        long long from = 0, stride = 1;
        bool is_inside = true;
        for (int axis = args.axes - 1; axis >= 0; --axis) {
            const int at = rest % args.dims[axis];
            rest /= args.dims[axis];
            const int of = padded_from(args.mode, at, args.begins[axis], args.input_dims[axis]);
            is_inside = is_inside && of >= 0;
            from += static_cast<long long>(of) * stride;
            stride *= args.input_dims[axis];
        }
        T value{};
        if (is_inside) value = input[from];
        else if (args.value) value = *static_cast<const T*>(args.value);
        static_cast<T*>(args.output)[i] = value;
    }
}

GPU_DEVICE long long index_at(const void* indices, int type, long long i) {
    return type == 7 ? static_cast<long long>(at<std::int64_t>(indices, i))
                     : at<std::int32_t>(indices, i);
}

/// Negative indices count from the end. An index out of range becomes 0 and reports a fault.
GPU_DEVICE int checked_index(const void* indices, int type, long long i, int extent, int node,
                             Fault* fault) {
    const long long found = index_at(indices, type, i);
    const long long index = found < 0 ? found + extent : found;
    if (index >= 0 && index < extent) return static_cast<int>(index);
    report_fault(fault, index_out_of_range, node, found, extent);
    return 0;
}

template <typename T>
GPU_GLOBAL void gather(GatherArgs args, Divider inner_size, Divider indices_size, int count,
                       Fault* fault) {
    kernel_begin();
    for (int i = global_thread(); i < count; i += all_threads()) {
        int rest = i;
        const int inner = take_remainder(rest, inner_size),
                  index = take_remainder(rest, indices_size), outer = rest;
        const int from =
            checked_index(args.indices, args.index_type, index, args.extent, args.node, fault);
        static_cast<T*>(args.output)[i] = static_cast<const T*>(
            args.input)[(static_cast<long long>(outer) * args.extent + from) * args.inner + inner];
    }
}

template <typename T>
GPU_GLOBAL void move_elements(ElementsArgs args, Fault* fault) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        long long place = 0;
        int rest = i;
        for (int axis = args.axes - 1; axis >= 0; --axis) {
            int at = rest % args.dims[axis];
            rest /= args.dims[axis];
            if (axis == args.axis)
                at = checked_index(args.indices, args.index_type, i, args.extent, args.node, fault);
            place += static_cast<long long>(at) * args.data_strides[axis];
        }
        const T* const input = static_cast<const T*>(args.input);
        T* const output = static_cast<T*>(args.output);
        if (args.scatters) output[place] = input[i];
        else output[i] = input[place];
    }
}

template <typename T>
GPU_GLOBAL void move_slices(SlicesArgs args, Fault* fault) {
    kernel_begin();
    const int count = args.rows * args.slice;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int row = i / args.slice, inner = i % args.slice;
        long long place =
            static_cast<long long>(row / args.rows_per_batch) * args.batch_stride + inner;
        for (int k = 0; k < args.width; ++k) {
            const int index = checked_index(args.indices, args.index_type,
                                            static_cast<long long>(row) * args.width + k,
                                            args.extents[k], args.node, fault);
            place += static_cast<long long>(index) * args.strides[k];
        }
        const T* const input = static_cast<const T*>(args.input);
        T* const output = static_cast<T*>(args.output);
        if (args.scatters) output[place] = input[i];
        else output[i] = input[place];
    }
}

template <typename T>
GPU_GLOBAL void triangle(TriangleArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        const int column = i % args.columns, row = i / args.columns % args.rows;
        const bool is_kept =
            args.keeps_upper ? column >= row + args.diagonal : column <= row + args.diagonal;
        static_cast<T*>(args.output)[i] = is_kept ? static_cast<const T*>(args.input)[i] : T{};
    }
}

template <typename T>
GPU_GLOBAL void fill(void* output, int count, unsigned long long bits) {
    kernel_begin();
    for (int i = global_thread(); i < count; i += all_threads())
        static_cast<T*>(output)[i] = static_cast<T>(bits);
}

}  // namespace

void launch_pad(Queue& queue, const PadArgs& args) {
    if (args.count > 0) LAPIDARY_BY_SIZE(pad, args.count, args.element_bytes, args);
}

void launch_gather(Queue& queue, GatherArgs args) {
    const std::int32_t unit =
        widest_unit(args.element_bytes, args.inner, {args.input, args.output});
    args.inner /= unit / args.element_bytes;
    args.element_bytes = unit;
    const long long count = static_cast<long long>(args.outer) * args.indices_count * args.inner;
    if (count == 0) return;
    const int of = static_cast<int>(count);
    const Divider inner(args.inner), indices(args.indices_count);
    Fault* const fault = queue.fault;
    if (unit == piece_bytes)
        GPU_LAUNCH_FREE(gather<Piece>, grid_for(count), free_threads, queue, args, inner, indices,
                        of, fault);
    else LAPIDARY_BY_SIZE(gather, count, unit, args, inner, indices, of, fault);
}

void launch_elements(Queue& queue, const ElementsArgs& args) {
    Fault* const fault = queue.fault;
    if (args.count > 0)
        LAPIDARY_BY_SIZE(move_elements, args.count, args.element_bytes, args, fault);
}

void launch_slices(Queue& queue, const SlicesArgs& args) {
    const long long count = static_cast<long long>(args.rows) * args.slice;
    Fault* const fault = queue.fault;
    if (count > 0) LAPIDARY_BY_SIZE(move_slices, count, args.element_bytes, args, fault);
}

void launch_triangle(Queue& queue, const TriangleArgs& args) {
    if (args.count > 0) LAPIDARY_BY_SIZE(triangle, args.count, args.element_bytes, args);
}

void launch_fill(Queue& queue, void* output, std::int32_t element_bytes, std::int32_t count,
                 std::uint64_t bits) {
    const auto wide = static_cast<unsigned long long>(bits);
    if (count > 0) LAPIDARY_BY_SIZE(fill, count, element_bytes, output, count, wide);
}

}  // namespace lapidary::cuda
