// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/window_groups.h"

#include "kernels/hopper/window_group_call.h"
#include "kernels/hopper/window_groups.cuh"

namespace lapidary::cuda {
namespace {

constexpr int multiprocessors = 132;

/// How many columns the busiest multiprocessor computes with tiles of 128 x `columns`.
long long columns_of_busiest(const ConvolutionArgs& args, int columns) {
    const long long tiles = tiles_of_window_groups(args, columns);
    return ((tiles - 1) / multiprocessors + 1) * columns;
}

/// Whether tiles of 64 columns are better, although they read a third more bytes per product.
bool takes_narrow_tiles(const ConvolutionArgs& args) {
    return args.filters <= 64 ||
           columns_of_busiest(args, 64) * 4 < columns_of_busiest(args, 128) * 3;
}

template <typename Tile, bool is_plain>
void launch_tiles(Queue& queue, const ConvolutionArgs& args) {
    const WindowGroupCall call = window_group_call<Tile>(args);
    const int blocks = call.groups.tiles < multiprocessors ? call.groups.tiles : multiprocessors;
    GPU_LAUNCH_SHARED((window_groups<Tile, is_plain>), (Grid{static_cast<unsigned>(blocks), 1, 1}),
                      window_group_threads, Tile::shared_bytes, queue, call.groups, args.epilogue,
                      call.x, call.w, call.residual, call.y);
}

template <typename Tile>
void launch_of(Queue& queue, const ConvolutionArgs& args) {
    if (is_plain(args.epilogue)) launch_tiles<Tile, true>(queue, args);
    else launch_tiles<Tile, false>(queue, args);
}

}  // namespace

void launch_window_groups(Queue& queue, const ConvolutionArgs& args) {
    if (takes_narrow_tiles(args)) launch_of<WindowGroupTile<64>>(queue, args);
    else launch_of<WindowGroupTile<128>>(queue, args);
}

}  // namespace lapidary::cuda
