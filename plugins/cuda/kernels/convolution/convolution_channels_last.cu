// SPDX-License-Identifier: Apache-2.0
// Convolutions of images with channels last, as products. Rows are pixels of all images, columns
// are filters; along k lie the channels of one tap after the other.
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/convolution_tiles.h"
#include "kernels/hopper/window_groups.h"
#include "kernels/product/product_parts.cuh"
#include "kernels/product/tile_choice.h"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

/// Where the windows of a tile's pixels begin.
template <int tile_m>
struct TileRows {
    int image[tile_m];  // -1: there is no such row
    int first[tile_m][spatial_axes];
};

template <int tile_m>
GPU_DEVICE void fill_rows(TileRows<tile_m>& rows, const ConvolutionArgs& args, int row0) {
    const Window& win = args.window;
    const int pixels = volume(win.output), count = args.batch * pixels;
    for (int r = static_cast<int>(thread_index()); r < tile_m;
         r += static_cast<int>(thread_count())) {
        rows.image[r] = row0 + r < count ? (row0 + r) / pixels : -1;
        int rest = (row0 + r) % pixels;
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            rows.first[r][axis] = rest % win.output[axis] * win.stride[axis] - win.pad[axis];
            rest /= win.output[axis];
        }
    }
    block_barrier();
}

/// The offset of the pixel that a tap of row r reads, at channel 0 of the group; -1 outside the
/// image.
template <int tile_m>
GPU_DEVICE long long pixel_of(const TileRows<tile_m>& rows, const ConvolutionArgs& args, int r,
                              int tap) {
    if (rows.image[r] < 0) return -1;
    const Window& win = args.window;
    int place = 0, left = tap, of[spatial_axes];
    bool is_inside = true;
    GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
        of[axis] = rows.first[r][axis] + left % win.kernel[axis] * win.dilation[axis];
        left /= win.kernel[axis];
        is_inside = is_inside && of[axis] >= 0 && of[axis] < win.input[axis];
    }
    if (!is_inside) return -1;
    GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) place =
        place * win.input[axis] + of[axis];
    return (static_cast<long long>(rows.image[r]) * volume(win.input) + place) * args.groups *
           args.channels;
}

/// One group, or one part where there is one group.
struct Share {
    int group, begin, depth;
    float* sums;  // null: there is one part
};

GPU_DEVICE Share share_of(const ConvolutionArgs& args, int item) {
    const int depth = args.channels * volume(args.window.kernel);
    if (args.parts == 1) return {item, 0, depth, nullptr};
    const int begin = item * args.part_depth;
    const long long outputs =
        static_cast<long long>(args.batch) * volume(args.window.output) * args.filters;
    return {0, begin, depth - begin < args.part_depth ? depth - begin : args.part_depth,
            args.partial + item * outputs};
}

template <typename T>
GPU_DEVICE void store_sum(const ConvolutionArgs& args, const Share& share, int row, int column,
                          float sum) {
    if (row >= args.batch * volume(args.window.output) || column >= args.filters) return;
    const int filter = share.group * args.filters + column;
    const long long at = static_cast<long long>(row) * args.groups * args.filters + filter;
    if (share.sums) share.sums[at] = sum;
    else
        store_element(static_cast<T*>(args.y) + at,
                      finished<T>(args.epilogue, sum, row, filter, at));
}

/// The first row and column of the block's tile.
GPU_DEVICE TilePlace first_of_block(const ConvolutionArgs& args, int tile_m, int tile_n) {
    return first_of_tile(args.batch * volume(args.window.output), args.filters, tile_m, tile_n);
}

/// Calls `tile` for each share of the block, with its depth and the elements of the product, for
/// the tile from row0 on.
template <typename T, int tile_m, typename Tile>
GPU_DEVICE void for_shares(const ConvolutionArgs& args, int row0, const Tile& tile) {
    GPU_SHARED TileRows<tile_m> rows;
    fill_rows(rows, args, row0);
    for (int item = static_cast<int>(block_z()); item < args.groups * args.parts;
         item += static_cast<int>(grid_z())) {
        const Share share = share_of(args, item);
        const int taps = args.channels * volume(args.window.kernel);
        const T* const w = static_cast<const T*>(args.w) +
                           static_cast<long long>(share.group) * taps * args.filters;
        const T* const x =
            static_cast<const T*>(args.x) + static_cast<long long>(share.group) * args.channels;
        const auto a = [&](int row, int k) {
            if (k >= share.depth) return 0.0f;
            const int tap = (share.begin + k) / args.channels,
                      channel = (share.begin + k) % args.channels;
            const long long pixel = pixel_of(rows, args, row - row0, tap);
            return pixel < 0 ? 0.0f : load_element(x + pixel + channel);
        };
        const auto b = [&](int k, int column) {
            if (k >= share.depth || column >= args.filters) return 0.0f;
            return load_element(w + static_cast<long long>(share.begin + k) * args.filters +
                                column);
        };
        tile(share.depth, a, b,
             [&](int row, int column, float sum) { store_sum<T>(args, share, row, column, sum); });
    }
}

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void channels_last_exact(ConvolutionArgs args) {
    kernel_begin();
    const TilePlace first = first_of_block(args, tile_m, tile_n);
    for_shares<T, tile_m>(args, first.row,
                          [&](int depth, const auto& a, const auto& b, const auto& store) {
                              tile_product_exact<float, tile_m, tile_n, per_m, per_n>(
                                  first.row, first.column, depth, a, b, store, true, false);
                          });
}

template <typename T, typename Multiply>
GPU_GLOBAL void channels_last_mma(ConvolutionArgs args) {
    kernel_begin();
    const TilePlace first = first_of_block(args, mma_tile, mma_tile);
    for_shares<T, mma_tile>(
        args, first.row, [&](int depth, const auto& a, const auto& b, const auto& store) {
            tile_product_mma<Multiply>(first.row, first.column, depth, a, b, store, true, false);
        });
}

int rows_of(const ConvolutionArgs& args) {
    return args.batch * args.window.output[0] * args.window.output[1] * args.window.output[2];
}

TileChoice choice_of(const ConvolutionArgs& args, Arithmetic arithmetic) {
    return choose_tiles(arithmetic, false, rows_of(args), args.filters, args.groups);
}

Grid grid_of(const ConvolutionArgs& args, const TileChoice& tiles) {
    return tile_grid(tiles.along_rows(rows_of(args)), tiles.along_columns(args.filters),
                     static_cast<long long>(args.groups) * args.parts);
}

/// 16-bit floats are multiplied directly, floats as `arithmetic` says.
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic, Grid grid, const half_t*) {
    GPU_LAUNCH((channels_last_mma<half_t, MultiplyF16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic, Grid grid, const bfloat_t*) {
    GPU_LAUNCH((channels_last_mma<bfloat_t, MultiplyBf16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic, Grid grid,
                const float*) {
    switch (arithmetic) {
    case Arithmetic::tf32x3:
        GPU_LAUNCH((channels_last_mma<float, MultiplyTf32x3>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::tf32:
        GPU_LAUNCH((channels_last_mma<float, MultiplyTf32>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::f16:
        GPU_LAUNCH((channels_last_mma<float, MultiplyF16>), grid, mma_threads, queue, args);
        break;
    default:
        GPU_LAUNCH((channels_last_mma<float, MultiplyBf16>), grid, mma_threads, queue, args);
        break;
    }
}

template <typename T>
void launch_of(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic) {
    const TileChoice tiles = choice_of(args, arithmetic);
    const Grid grid = grid_of(args, tiles);
    switch (tiles.loop) {
    case TileLoop::exact_large:
        GPU_LAUNCH((channels_last_exact<T, LAPIDARY_EXACT_LARGE>), grid, tiles.threads, queue,
                   args);
        break;
    case TileLoop::exact_small:
        GPU_LAUNCH((channels_last_exact<T, LAPIDARY_EXACT_SMALL>), grid, tiles.threads, queue,
                   args);
        break;
    case TileLoop::exact_flat:
        GPU_LAUNCH((channels_last_exact<T, LAPIDARY_EXACT_FLAT>), grid, tiles.threads, queue, args);
        break;
    default: launch_mma(queue, args, arithmetic, grid, static_cast<const T*>(nullptr)); break;
    }
}

}  // namespace

void launch_convolution_channels_last(Queue& queue, const ConvolutionArgs& args,
                                      Arithmetic arithmetic) {
    if (is_for_window_groups(args, queue.hopper)) launch_window_groups(queue, args);
    else if (is_for_window_tiles(args)) launch_window_tiles(queue, args);
    else if (args.type == 10) launch_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, arithmetic);
    else launch_of<float>(queue, args, arithmetic);
}

long long blocks_channels_last(const ConvolutionArgs& args, Arithmetic arithmetic) {
    const TileChoice tiles = choice_of(args, arithmetic);
    return static_cast<long long>(tiles.along_rows(rows_of(args))) *
           tiles.along_columns(args.filters);
}

}  // namespace lapidary::cuda
