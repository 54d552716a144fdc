// SPDX-License-Identifier: Apache-2.0
// The arguments of window_groups(), for a convolution that window_groups_refusal() accepts.
#pragma once

#include "kernels/hopper/window_groups.cuh"
#include "kernels/hopper/window_groups.h"

namespace lapidary::cuda {

struct WindowGroupCall {
    WindowGroups groups;
    TileMap x, w, residual, y;
};

template <typename Tile>
WindowGroupCall window_group_call(const ConvolutionArgs& args) {
    const Window& win = args.window;
    const std::int64_t rows = rows_of_window_groups(args);
    const auto map_of = [&](const void* data, std::int64_t of_rows, std::int32_t columns,
                            std::int32_t tile_rows) {
        return make_tile_map({data, of_rows, columns, std::int64_t{columns} * 2, tile_rows, 64});
    };
    WindowGroupCall call{};
    WindowGroups& g = call.groups;
    static_cast<WindowSteps&>(g) = window_steps_of(args);
    g.steps = g.of_channels * win.kernel[1] * win.kernel[2];
    g.along_columns = (args.filters - 1) / Tile::columns + 1;
    g.tiles = tiles_of_window_groups(args, Tile::columns);
    g.filters = args.filters;
    g.is_flat = is_flat_window(win);
    call.x = g.is_flat ? map_of(args.x, rows, args.channels, Tile::rows)
                       : make_window_map(window_shape_of(args));
    call.w = map_of(args.w, std::int64_t{g.steps} * Tile::depth, args.filters, Tile::depth);
    call.y = map_of(args.y, rows, args.filters, Tile::rows);
    call.residual = args.epilogue.residual
                        ? map_of(args.epilogue.residual, rows, args.filters, Tile::rows)
                        : call.y;
    return call;
}

}  // namespace lapidary::cuda
