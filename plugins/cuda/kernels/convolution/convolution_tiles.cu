// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution_tiles.h"

#include "kernels/convolution/window_kernel.cuh"

namespace lapidary::cuda {
namespace {

struct WindowChoice {
    enum Size : std::uint8_t { large, tall, small } size = small;
    int rows = 64, columns = 64;
    int pixels = 0, filters = 0;

    unsigned count() const {
        return static_cast<unsigned>((pixels - 1) / rows + 1) *
               static_cast<unsigned>((filters - 1) / columns + 1);
    }
    long long area() const { return static_cast<long long>(rows) * columns; }
};

int depth_of(const ConvolutionArgs& args) {
    return args.channels * args.window.kernel[0] * args.window.kernel[1] * args.window.kernel[2];
}

/// Chooses the largest tiles of which there are enough for all multiprocessors, about twice their
/// number. Epilogues that are not plain need more registers and more compile time, so they have no
/// large tiles.
WindowChoice choice_of(const ConvolutionArgs& args) {
    constexpr long long enough = 256;
    // below this depth a block mostly copies, so more blocks are better
    constexpr int least_depth = 256;
    const Window& win = args.window;
    const int pixels = args.batch * win.output[0] * win.output[1] * win.output[2];
    const WindowChoice large{WindowChoice::large, LargeWindows::m, LargeWindows::n, pixels,
                             args.filters};
    const WindowChoice tall{WindowChoice::tall, TallWindows::m, TallWindows::n, pixels,
                            args.filters};
    const int left_over = (args.filters - 1) % LargeWindows::n + 1;  // filters in the last tile
    if (is_plain(args.epilogue) && left_over > TallWindows::n && depth_of(args) >= least_depth &&
        large.count() * static_cast<long long>(args.groups) >= enough)
        return large;
    if (tall.count() * static_cast<long long>(args.groups) >= enough) return tall;
    return {WindowChoice::small, SmallWindows::m, SmallWindows::n, pixels, args.filters};
}

template <typename Tile>
void launch_tiles(Queue& queue, const ConvolutionArgs& args, Grid grid) {
    if (is_plain(args.epilogue))
        GPU_LAUNCH_SHARED((window_tiles<Tile, true>), grid, Tile::threads, Tile::shared_bytes,
                          queue, args);
    else
        GPU_LAUNCH_SHARED((window_tiles<Tile, false>), grid, Tile::threads, Tile::shared_bytes,
                          queue, args);
}

}  // namespace

bool is_for_window_tiles(const ConvolutionArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.x) |
                         reinterpret_cast<std::uintptr_t>(args.w) |
                         reinterpret_cast<std::uintptr_t>(args.y) |
                         reinterpret_cast<std::uintptr_t>(args.epilogue.residual);
    long long places = 0;
    for (std::int32_t size : args.window.kernel) places += size;
    return args.channels_last && args.type == 10 && address % 16 == 0 && args.channels % 8 == 0 &&
           args.filters % 8 == 0 && places <= 32;
}

bool can_split_window_tiles(const ConvolutionArgs& args) {
    const WindowChoice choice = choice_of(args);
    return args.groups == 1 && choice.size == WindowChoice::small &&
           choice.count() <= counter_count;
}

std::int64_t window_part_bytes(const ConvolutionArgs& args) {
    const WindowChoice choice = choice_of(args);
    return 4 * choice.count() * choice.area();
}

ProductSplit split_of_window_tiles(const ConvolutionArgs& args) {
    constexpr int enough = 132, least_depth = 384, most_parts = 8, unit = SmallWindows::depth;
    const int depth = depth_of(args);
    const WindowChoice choice = choice_of(args);
    if (!can_split_window_tiles(args) || depth < 2 * least_depth) return {1, depth, 0};
    int parts = static_cast<int>(enough / choice.count());
    if (parts > depth / least_depth) parts = depth / least_depth;
    if (parts > most_parts) parts = most_parts;
    if (parts < 2) return {1, depth, 0};
    const int of_part = ((depth + parts - 1) / parts + unit - 1) / unit * unit;
    parts = (depth + of_part - 1) / of_part;
    return {parts, of_part, parts * window_part_bytes(args)};
}

void launch_window_tiles(Queue& queue, const ConvolutionArgs& args) {
    const WindowChoice choice = choice_of(args);
    const long long items = static_cast<long long>(args.groups) * args.parts;
    const Grid grid = tile_grid(choice.count(), 1, items);
    if (choice.size == WindowChoice::large)
        GPU_LAUNCH_SHARED((window_tiles<LargeWindows, true>), grid, LargeWindows::threads,
                          LargeWindows::shared_bytes, queue, args);
    else if (choice.size == WindowChoice::tall) launch_tiles<TallWindows>(queue, args, grid);
    else launch_tiles<SmallWindows>(queue, args, grid);
}

std::optional<ConvolutionArgs> spread_convolution_of(const ConvolutionArgs& transposed) {
    ConvolutionArgs flat = transposed;
    Window& win = flat.window;
    std::int32_t places = 1;
    for (int axis = 0; axis < spatial_axes; ++axis) {
        const std::int32_t size = win.kernel[axis];
        const bool is_side_by_side = win.stride[axis] == size && win.pad[axis] == 0 &&
                                     (win.dilation[axis] == 1 || size == 1) &&
                                     win.output[axis] == win.input[axis] * size;
        if (!is_side_by_side) return std::nullopt;
        places *= size;
        flat.spread[axis] = size;
        win.output[axis] = win.input[axis];
        win.kernel[axis] = win.stride[axis] = win.dilation[axis] = 1;
    }
    // larger tiles then fit as well
    const bool fits = SmallWindows::n % (SmallWindows::piece * places) == 0;
    if (!fits || flat.groups != 1 || flat.filters % SmallWindows::piece != 0 ||
        flat.epilogue.residual)
        return std::nullopt;
    flat.filters *= places;
    if (!is_for_window_tiles(flat)) return std::nullopt;
    return flat;
}

}  // namespace lapidary::cuda
