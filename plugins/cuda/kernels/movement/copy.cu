// SPDX-License-Identifier: Apache-2.0
// Copies of boxes by strides.
#include "kernels/by_size.cuh"
#include "kernels/movement/copy_layout.h"
#include "kernels/divide.cuh"

namespace lapidary::cuda {
namespace {

/// A copy with dividers by dims. The dividers are arrays of numbers, because an array of structures
/// would be placed in memory, not in registers.
struct DividedCopy : CopyArgs {
    std::uint32_t multiplier[copy_axes] = {}, shift[copy_axes] = {};

    explicit DividedCopy(const CopyArgs& args) : CopyArgs(args) {
        for (int axis = 0; axis < axes; ++axis) {
            const Divider by(dims[axis]);
            multiplier[axis] = by.multiplier;
            shift[axis] = by.shift;
        }
    }
};

/// Returns the coordinate along an axis; `rest` becomes the index over the axes before it.
GPU_DEVICE int take_coordinate(const DividedCopy& args, int axis, int& rest) {
    if (axis == 0) return rest;
    const int q = quotient(rest, args.multiplier[axis], args.shift[axis]),
              at = rest - q * args.dims[axis];
    rest = q;
    return at;
}

template <typename T>
GPU_GLOBAL void copy_strided(DividedCopy args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        long long from = 0, to = 0;
        int rest = i;
        for (int axis = args.axes - 1; axis >= 0; --axis) {
            const int at = take_coordinate(args, axis, rest);
            from += static_cast<long long>(at) * args.input_strides[axis];
            to += static_cast<long long>(at) * args.output_strides[axis];
        }
        static_cast<T*>(args.output)[to] = static_cast<const T*>(args.input)[from];
    }
}

/// Transposes a tile of axis `turned` and the last one through shared memory, so that both reads
/// and writes are contiguous. In `args` the strides of these two axes are those of tiles; `rows`
/// and `columns` are their sizes in elements.
template <typename T>
GPU_GLOBAL void copy_turned(DividedCopy args, int turned, int rows, int columns, int row_stride,
                            int column_stride) {
    kernel_begin();
    GPU_SHARED T tile[copy_tile][copy_tile + 1];
    long long from = 0, to = 0;
    int rest = static_cast<int>(block_x()), row = 0, column = 0;
    for (int axis = args.axes - 1; axis >= 0; --axis) {
        const int at = take_coordinate(args, axis, rest);
        from += static_cast<long long>(at) * args.input_strides[axis];
        to += static_cast<long long>(at) * args.output_strides[axis];
        if (axis == turned) row = at * copy_tile;
        if (axis == args.axes - 1) column = at * copy_tile;
    }
    const T* const input = static_cast<const T*>(args.input) + from;
    T* const output = static_cast<T*>(args.output) + to;
    const int lane = static_cast<int>(thread_index()) % copy_tile,
              first = static_cast<int>(thread_index()) / copy_tile;
    constexpr int step = static_cast<int>(free_threads) / copy_tile;
    GPU_UNROLL for (int k = first; k < copy_tile;
                    k += step) if (row + lane < rows && column + k < columns) tile[k][lane] =
        input[lane + static_cast<long long>(k) * column_stride];
    block_barrier();
    GPU_UNROLL for (int k = first; k < copy_tile;
                    k += step) if (row + k < rows && column + lane < columns)
        output[lane + static_cast<long long>(k) * row_stride] = tile[lane][k];
}

template <typename T>
void launch_turned(Queue& queue, CopyArgs args, int turned) {
    const int last = args.axes - 1, rows = args.dims[turned], columns = args.dims[last];
    const int row_stride = args.output_strides[turned], column_stride = args.input_strides[last];
    long long blocks = 1;
    for (int axis = 0; axis < args.axes; ++axis) {
        const bool is_tiled = axis == turned || axis == last;
        if (is_tiled) {
            args.dims[axis] = (args.dims[axis] + copy_tile - 1) / copy_tile;
            args.input_strides[axis] *= copy_tile;
            args.output_strides[axis] *= copy_tile;
        }
        blocks *= args.dims[axis];
    }
    const DividedCopy divided(args);
    const Grid grid{static_cast<unsigned>(blocks), 1, 1};
    GPU_LAUNCH(copy_turned<T>, grid, free_threads, queue, divided, turned, rows, columns,
               row_stride, column_stride);
}

}  // namespace

void launch_copy(Queue& queue, CopyArgs args) {
    if (args.count == 0) return;
    if (const int turned = turned_axis(args); turned >= 0) {
        if (args.element_bytes == 1) return launch_turned<std::uint8_t>(queue, args, turned);
        if (args.element_bytes == 2) return launch_turned<std::uint16_t>(queue, args, turned);
        if (args.element_bytes == 4) return launch_turned<std::uint32_t>(queue, args, turned);
        return launch_turned<unsigned long long>(queue, args, turned);
    }
    args = widened(args);
    const DividedCopy divided(args);
    if (args.element_bytes == piece_bytes)
        GPU_LAUNCH_FREE(copy_strided<Piece>, grid_for(args.count), free_threads, queue, divided);
    else LAPIDARY_BY_SIZE(copy_strided, args.count, args.element_bytes, divided);
}

}  // namespace lapidary::cuda
