// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves with channels last for compute capability 9.0: a variant of
// convolution_tiles.h whose results differ only by the order of sums.
#pragma once

#include "kernels/convolution/convolution.h"
#include "tile_map.h"

namespace lapidary::cuda {

/// Whether an output pixel reads only the input pixel at its place.
inline bool is_flat_window(const Window& win) {
    bool is = true;
    for (int axis = 1; axis < spatial_axes; ++axis)
        is = is && win.kernel[axis] == 1 && win.stride[axis] == 1 && win.pad[axis] == 0 &&
             win.input[axis] == win.output[axis];
    return is;
}

inline WindowShape window_shape_of(const ConvolutionArgs& args) {
    const Window& win = args.window;
    WindowShape shape;
    shape.data = args.x;
    shape.images = args.batch;
    shape.rows = win.input[1];
    shape.columns = win.input[2];
    shape.channels = args.channels;
    shape.first_row = -win.pad[1];
    shape.first_column = -win.pad[2];
    shape.windows_down = win.output[1];
    shape.windows_along = win.output[2];
    shape.row_step = win.stride[1];
    shape.column_step = win.stride[2];
    shape.tile_windows = 128;
    shape.tile_channels = 64;
    return shape;
}

inline int rows_of_window_groups(const ConvolutionArgs& args) {
    return args.batch * args.window.output[1] * args.window.output[2];
}
inline int tiles_of_window_groups(const ConvolutionArgs& args, int columns) {
    return ((rows_of_window_groups(args) - 1) / 128 + 1) * ((args.filters - 1) / columns + 1);
}

/// Why launch_window_groups() does not take the convolution. Null where it does.
inline const char* window_groups_refusal(const ConvolutionArgs& args) {
    const Window& win = args.window;
    const auto address = reinterpret_cast<std::uintptr_t>(args.x) |
                         reinterpret_cast<std::uintptr_t>(args.w) |
                         reinterpret_cast<std::uintptr_t>(args.y) |
                         reinterpret_cast<std::uintptr_t>(args.epilogue.residual);
    bool is_spread = false;
    for (const std::int32_t size : args.spread) is_spread = is_spread || size != 1;
    if (args.type != 10 || !args.channels_last) return "it is not of halves with channels last";
    if (args.groups != 1 || args.parts != 1 || is_spread)
        return "it has groups, or parts, or results that are spread";
    if (args.channels == 0 || args.channels % 64 != 0)
        return "channels of a place of the window are not whole stages";
    if (args.filters % 8 != 0 || address % 16 != 0 ||
        reinterpret_cast<std::uintptr_t>(args.epilogue.bias) % 4 != 0)
        return "an operand does not lie in pieces of 16 bytes";
    if (win.input[0] != 1 || win.output[0] != 1 || win.kernel[0] != 1)
        return "it has more than two spatial axes";
    for (int axis = 1; axis < spatial_axes; ++axis)
        if ((win.kernel[axis] - 1) * win.dilation[axis] > 255) return "its window is too large";
    if (!is_flat_window(win) && !window_shape_of(args).fits())
        return "no descriptor holds its windows";
    return nullptr;
}

/// Whether to use it: always where `use` is of_all, else where its tiles fill a device with many
/// multiprocessors.
inline bool is_for_window_groups(const ConvolutionArgs& args, HopperUse use) {
    constexpr long long least_tiles = 264;  // of 128 x 64: two for each multiprocessor
    if (use == HopperUse::none || window_groups_refusal(args) != nullptr) return false;
    return use == HopperUse::of_all || tiles_of_window_groups(args, 64) >= least_tiles;
}

void launch_window_groups(Queue& queue, const ConvolutionArgs& args);

}  // namespace lapidary::cuda
