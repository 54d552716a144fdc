// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution_tiles.h"

#include "gpu_shared.h"
#include "kernels/product_parts.cuh"
#include "kernels/window_epilogue.cuh"
#include "kernels/window_tiles.cuh"

namespace lapidary::cuda {
namespace {

using LargeWindows = WindowTile<128, 128, 64, 64, 1, 32, 3, 2>;
using TallWindows = WindowTile<128, 64, 64, 32, 1, 32, 3, 3>;   // for few filters, or few channels
using SmallWindows = WindowTile<64, 64, 32, 32, 2, 64, 4, 2>;  // for few pixels: a block has twice as many warps

struct alignas(4) HalfPair {
    half_t of[2];
};

/// The thread's pieces of a tile of the output, as it lies in shared memory and in the output: every `step` rows one
/// from the first on, of which so many are there.
template <typename Tile>
struct OutputPieces {
    static constexpr int pieces = Tile::n / Tile::piece, step = Tile::threads / pieces, count = Tile::m / step;
    int first_row, there, width;
    int of_tile;
    long long of_output;

    GPU_METHOD OutputPieces(const ConvolutionArgs& args, int group, int row0, int column0)
        : first_row(static_cast<int>(thread_index()) / pieces), width(args.groups * args.filters) {
        const int column = static_cast<int>(thread_index()) % pieces * Tile::piece;
        const int left = args.batch * volume(args.window.output) - row0 - first_row;
        there = column0 + column < args.filters && left > 0 ? (left - 1) / step + 1 : 0;
        of_tile = first_row * Tile::y_pitch + column;
        of_output = static_cast<long long>(row0 + first_row) * width + group * args.filters + column0 + column;
    }
    /// From an output of the same shape.
    GPU_METHOD void fetch(half_t* tile, const void* from) const {
        const half_t* at = static_cast<const half_t*>(from) + of_output;
        GPU_UNROLL for (int i = 0; i < count; ++i, at += static_cast<long long>(step) * width)
            if (i < there) copy_async16(tile + of_tile + i * step * Tile::y_pitch, at, true);
    }
    GPU_METHOD void store(const half_t* tile, void* to) const {
        half_t* at = static_cast<half_t*>(to) + of_output;
        constexpr int together = count < 8 ? count : 8;
        static_assert(count % together == 0);
        GPU_UNROLL for (int i = 0; i < count; i += together) {
            Piece piece[together];
            GPU_UNROLL for (int j = 0; j < together; ++j) piece[j] =
                piece_at(tile + of_tile + (i + j) * step * Tile::y_pitch);
            GPU_UNROLL for (int j = 0; j < together; ++j, at += static_cast<long long>(step) * width)
                if (i + j < there) *reinterpret_cast<Piece*>(at) = piece[j];
        }
    }
};

/// `tile` has residuals, and then results.
template <typename Tile, bool is_plain>
GPU_DEVICE void finish_windows(const ConvolutionArgs& args, WindowSums<Tile>& sums, const float* bias, half_t* tile) {
    const WindowEpilogue<is_plain> epilogue(args.epilogue);
    const bool has_residual = args.epilogue.residual != nullptr;
    sums.for_pairs([&](int row, int column, float first, float second) {
        auto* const at = reinterpret_cast<HalfPair*>(tile + row * Tile::y_pitch + column);
        HalfPair pair{};
        if (has_residual) pair = *at;
        const float low = epilogue.finished(first, bias[column], has_residual ? to_float(pair.of[0]) : 0.0f);
        const float high = epilogue.finished(second, bias[column + 1], has_residual ? to_float(pair.of[1]) : 0.0f);
        store_element(pair.of, low);
        store_element(pair.of + 1, high);
        *at = pair;
    });
}

template <typename Tile, bool is_plain>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks) window_tiles(ConvolutionArgs args) {
    kernel_begin();
    GPU_SHARED_MEMORY(memory);
    GPU_SHARED float bias[Tile::n];
    auto* const ring = reinterpret_cast<half_t*>(memory);
    half_t* const tile = ring + Tile::stages * Tile::stage_size;
    const TilePlace first = first_of_tile(args.batch * volume(args.window.output), args.filters, Tile::m, Tile::n);
    const int taps = args.channels * volume(args.window.kernel);
    for (int item = static_cast<int>(block_z()); item < args.groups * args.parts; item += static_cast<int>(grid_z())) {
        const int group = args.parts == 1 ? item : 0, part = args.parts == 1 ? 0 : item;
        const int begin = part * args.part_depth;
        const int depth = args.parts == 1 || taps - begin < args.part_depth ? taps - begin : args.part_depth;
        WindowFeed<Tile> feed(args, group, begin, depth, first.row, first.column);
        WindowSums<Tile> sums;
        const OutputPieces<Tile> pieces(args, group, first.row, first.column);
        const auto extra = [&] {
            if (args.epilogue.residual) pieces.fetch(tile, args.epilogue.residual);
            const int c = static_cast<int>(thread_index());
            if (c < Tile::n)
                bias[c] = args.epilogue.bias && first.column + c < args.filters
                              ? load_element(static_cast<const half_t*>(args.epilogue.bias) + group * args.filters +
                                             first.column + c)
                              : 0.0f;
        };
        sum_windows<Tile>(sums, feed, (depth + Tile::depth - 1) / Tile::depth, ring, extra);
        sums.add(ring);
        if (Tile::can_split && args.parts > 1) {
            constexpr long long of_tile = Tile::m * Tile::n;
            const long long step = of_tile * static_cast<long long>(grid_x());
            float* const of_parts = args.partial + of_tile * static_cast<long long>(block_x());
            sums.store_part(of_parts + part * step);
            if (!is_last_part(args.counters + block_x(), args.parts)) continue;
            sums.add_parts(of_parts, step, args.parts);
        }
        finish_windows<Tile, is_plain>(args, sums, bias, tile);
        block_barrier();
        pieces.store(tile, args.y);
        block_barrier();
    }
}

struct WindowChoice {
    enum Size : std::uint8_t { large, tall, small } size = small;
    int rows = 64, columns = 64;
    int pixels = 0, filters = 0;

    unsigned count() const {
        return static_cast<unsigned>((pixels - 1) / rows + 1) * static_cast<unsigned>((filters - 1) / columns + 1);
    }
    long long area() const { return static_cast<long long>(rows) * columns; }
};

int depth_of(const ConvolutionArgs& args) {
    return args.channels * args.window.kernel[0] * args.window.kernel[1] * args.window.kernel[2];
}

/// The largest tiles of which there are enough for all multiprocessors, about twice their number. Those that are not
/// plain take more registers, and more of the compiler's time: large ones of them are not made.
WindowChoice choice_of(const ConvolutionArgs& args) {
    constexpr long long enough = 256;
    constexpr int least_depth = 256;  // below, a block does little but copy: there should be more of them
    const Window& win = args.window;
    const int pixels = args.batch * win.output[0] * win.output[1] * win.output[2];
    const WindowChoice large{WindowChoice::large, LargeWindows::m, LargeWindows::n, pixels, args.filters};
    const WindowChoice tall{WindowChoice::tall, TallWindows::m, TallWindows::n, pixels, args.filters};
    const int left_over = (args.filters - 1) % LargeWindows::n + 1;  // filters of the last tile
    if (is_plain(args.epilogue) && left_over > TallWindows::n && depth_of(args) >= least_depth && large.count() * args.groups >= enough)
        return large;
    if (tall.count() * static_cast<long long>(args.groups) >= enough) return tall;
    return {WindowChoice::small, SmallWindows::m, SmallWindows::n, pixels, args.filters};
}

template <typename Tile>
void launch_tiles(Queue& queue, const ConvolutionArgs& args, Grid grid) {
    if (is_plain(args.epilogue))
        GPU_LAUNCH_SHARED((window_tiles<Tile, true>), grid, Tile::threads, Tile::shared_bytes, queue, args);
    else GPU_LAUNCH_SHARED((window_tiles<Tile, false>), grid, Tile::threads, Tile::shared_bytes, queue, args);
}

}  // namespace

bool is_for_window_tiles(const ConvolutionArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.x) | reinterpret_cast<std::uintptr_t>(args.w) |
                         reinterpret_cast<std::uintptr_t>(args.y) |
                         reinterpret_cast<std::uintptr_t>(args.epilogue.residual);
    long long places = 0;
    for (std::int32_t size : args.window.kernel) places += size;
    return args.channels_last && args.type == 10 && address % 16 == 0 && args.channels % 8 == 0 &&
           args.filters % 8 == 0 && places <= 32;
}

bool can_split_window_tiles(const ConvolutionArgs& args) {
    const WindowChoice choice = choice_of(args);
    return args.groups == 1 && choice.size == WindowChoice::small && choice.count() <= counter_count;
}

std::int64_t window_part_bytes(const ConvolutionArgs& args) {
    const WindowChoice choice = choice_of(args);
    return 4 * choice.count() * choice.area();
}

ProductSplit split_of_window_tiles(const ConvolutionArgs& args) {
    constexpr int enough = 160, least_depth = 192, most_parts = 8, unit = SmallWindows::depth;
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
        GPU_LAUNCH_SHARED((window_tiles<LargeWindows, true>), grid, LargeWindows::threads, LargeWindows::shared_bytes,
                          queue, args);
    else if (choice.size == WindowChoice::tall) launch_tiles<TallWindows>(queue, args, grid);
    else launch_tiles<SmallWindows>(queue, args, grid);
}

}  // namespace lapidary::cuda
