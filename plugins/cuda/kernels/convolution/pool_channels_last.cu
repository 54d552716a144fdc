// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution.h"

#include <cmath>

#include "kernels/load_store.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

/// Reduces a piece of channels over the places of a window that are in the image.
template <typename T, bool is_max>
struct PoolSums {
    static constexpr int size = per_piece<T>;
    float of[size];

    GPU_METHOD PoolSums() {
        GPU_UNROLL for (int i = 0; i < size; ++i) of[i] = is_max ? -INFINITY : 0.0f;
    }
    GPU_METHOD void add(const Piece& piece) {
        float v[size];
        elements_of<T>(piece, v);
        GPU_UNROLL for (int i = 0; i < size; ++i) {
            if constexpr (is_max) of[i] = of[i] != of[i] || of[i] > v[i] ? of[i] : v[i];
            else of[i] += v[i];
        }
    }
    /// The result; `divisor` counts for averages.
    GPU_METHOD Piece result(int divisor) const {
        T elements[size];
        GPU_UNROLL for (int i = 0; i < size; ++i)
            store_element(elements + i, is_max ? of[i] : of[i] / static_cast<float>(divisor));
        Piece piece;
        memcpy(&piece, static_cast<const void*>(elements), sizeof(piece));
        return piece;
    }
};
template <>
struct PoolSums<half_t, true> {
    static constexpr std::uint32_t least = 0xfc00fc00u;  // two halves of minus infinity
    Piece of{{least, least, least, least}};

    GPU_METHOD void add(const Piece& piece) {
        GPU_UNROLL for (int i = 0; i < 4; ++i) of.words[i] =
            larger_halves(of.words[i], piece.words[i]);
    }
    GPU_METHOD Piece result(int) const { return of; }
};

/// How many places of a window along an axis are below `end`, and at least 0 where `from_0`.
GPU_DEVICE int places_before(const Window& win, int axis, int first, int end, bool from_0) {
    int count = 0;
    for (int t = 0; t < win.kernel[axis]; ++t) {
        const int at = first + t * win.dilation[axis];
        count += at < end && (at >= 0 || !from_0) ? 1 : 0;
    }
    return count;
}

/// What an average is divided by.
GPU_DEVICE int divisor_of(const PoolArgs& args, const int (&first)[spatial_axes]) {
    int divisor = 1;
    GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) {
        const int end = args.window.input[axis] + (args.counts_pads ? args.pad_end[axis] : 0);
        divisor *= places_before(args.window, axis, first[axis], end, !args.counts_pads);
    }
    return divisor;
}

/// A thread computes one piece of one output pixel. rows, columns: the size of the window if it is
/// known at compile time, else 0. All loads of a window of known size are issued before the first
/// one is used.
template <typename T, bool is_max, int rows, int columns>
GPU_GLOBAL void pool_of_pieces(PoolArgs args, unsigned count) {
    kernel_begin();
    constexpr int together_rows = rows > 0 ? rows : 1, together = columns > 0 ? columns : 4;
    const Window& win = args.window;
    const auto pieces = static_cast<unsigned>(args.channels / per_piece<T>);
    const int height = rows > 0 ? rows : win.kernel[1],
              width = columns > 0 ? columns : win.kernel[2];
    for (auto i = static_cast<unsigned>(global_thread()); i < count;
         i += static_cast<unsigned>(all_threads())) {
        unsigned rest = i / pieces;
        const int channel = static_cast<int>(i - rest * pieces) * per_piece<T>;
        int first[spatial_axes];
        GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            const auto size = static_cast<unsigned>(win.output[axis]);
            const unsigned next = size == 1 ? rest : rest / size;
            first[axis] = static_cast<int>(rest - next * size) * win.stride[axis] - win.pad[axis];
            rest = next;
        }
        const T* const x = static_cast<const T*>(args.x) + channel;
        PoolSums<T, is_max> sums;
        bool sees_image = false;
        for (int d = 0; d < win.kernel[0]; ++d) {
            const int plane = first[0] + d * win.dilation[0];
            if (plane < 0 || plane >= win.input[0]) continue;
            const int of_plane = (static_cast<int>(rest) * win.input[0] + plane) * win.input[1];
            for (int row = 0; row < height; row += together_rows) {
                for (int column = 0; column < width; column += together) {
                    Piece piece[together_rows][together];
                    bool is_inside[together_rows][together];
                    GPU_UNROLL for (int r = 0; r < together_rows; ++r)
                        GPU_UNROLL for (int c = 0; c < together; ++c) {
                        const int y = first[1] + (row + r) * win.dilation[1];
                        const int z = first[2] + (column + c) * win.dilation[2];
                        is_inside[r][c] = y >= 0 && y < win.input[1] && z >= 0 &&
                                          z < win.input[2] && column + c < width;
                        sees_image = sees_image || is_inside[r][c];
                        if (is_inside[r][c])
                            piece[r][c] = piece_at(
                                x + static_cast<long long>((of_plane + y) * win.input[2] + z) *
                                        args.channels);
                    }
                    GPU_UNROLL for (int r = 0; r < together_rows; ++r)
                        GPU_UNROLL for (int c = 0; c < together; ++c) if (is_inside[r][c])
                            sums.add(piece[r][c]);
                }
            }
        }
        // a window of only padding gives 0, as the CPU kernel does
        static_cast<Piece*>(args.y)[i] =
            sees_image ? sums.result(is_max ? 1 : divisor_of(args, first)) : Piece{};
    }
}

template <typename T, bool is_max>
void launch_of(Queue& queue, const PoolArgs& args, Grid grid, unsigned count) {
    GPU_LAUNCH_FREE((pool_of_pieces<T, is_max, 0, 0>), grid, free_threads, queue, args, count);
}
template <>
void launch_of<half_t, true>(Queue& queue, const PoolArgs& args, Grid grid, unsigned count) {
    const auto& kernel = args.window.kernel;
    if (kernel[1] == 3 && kernel[2] == 3)
        GPU_LAUNCH_FREE((pool_of_pieces<half_t, true, 3, 3>), grid, free_threads, queue, args,
                        count);
    else if (kernel[1] == 2 && kernel[2] == 2)
        GPU_LAUNCH_FREE((pool_of_pieces<half_t, true, 2, 2>), grid, free_threads, queue, args,
                        count);
    else
        GPU_LAUNCH_FREE((pool_of_pieces<half_t, true, 0, 0>), grid, free_threads, queue, args,
                        count);
}

template <typename T>
void launch_typed(Queue& queue, const PoolArgs& args) {
    const Window& win = args.window;
    const auto pixels =
        static_cast<unsigned>(args.batch * win.output[0] * win.output[1] * win.output[2]);
    const unsigned count = pixels * static_cast<unsigned>(args.channels / per_piece<T>);
    if (count == 0) return;
    // one piece per thread, so that loads of many blocks are in flight
    const Grid grid{(count - 1) / free_threads + 1, 1, 1};
    if (args.is_max) launch_of<T, true>(queue, args, grid, count);
    else launch_of<T, false>(queue, args, grid, count);
}

}  // namespace

bool is_pool_of_pieces(const PoolArgs& args) {
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.x) | reinterpret_cast<std::uintptr_t>(args.y);
    return args.channels_last && address % 16 == 0 && args.channels % (args.type == 1 ? 4 : 8) == 0;
}

void launch_pool_of_pieces(Queue& queue, const PoolArgs& args) {
    if (args.type == 10) launch_typed<half_t>(queue, args);
    else if (args.type == 16) launch_typed<bfloat_t>(queue, args);
    else launch_typed<float>(queue, args);
}

}  // namespace lapidary::cuda
