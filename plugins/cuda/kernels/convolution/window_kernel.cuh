// SPDX-License-Identifier: Apache-2.0
// The convolution kernel over the tiles of window_tiles.cuh, and its tile sizes.
#pragma once

#include "gpu_shared.h"
#include "kernels/product/product_parts.cuh"
#include "kernels/convolution/window_epilogue.cuh"
#include "kernels/convolution/window_tiles.cuh"

namespace lapidary::cuda {

using LargeWindows = WindowTile<128, 128, 32, 64, 1, 32, 3, 2>;
using TallWindows = WindowTile<128, 64, 32, 32, 1, 32, 3, 3>;  // for few filters, or few channels
using SmallWindows = WindowTile<64, 64, 32, 32, 2, 64, 4, 2>;  // for few pixels

struct alignas(4) HalfPair {
    half_t of[2];
};

/// The pieces of an output tile that a thread handles, in shared memory and in the output: one in
/// every `step`-th row.
template <typename Tile>
struct OutputPieces {
    static constexpr int pieces = Tile::n / Tile::piece, step = Tile::threads / pieces,
                         count = Tile::m / step;
    int first_row, there, width;
    int of_tile;
    long long of_output;

    GPU_METHOD OutputPieces(const ConvolutionArgs& args, int group, int row0, int column0)
        : first_row(static_cast<int>(thread_index()) / pieces), width(args.groups * args.filters) {
        const int column = static_cast<int>(thread_index()) % pieces * Tile::piece;
        const int left = args.batch * volume(args.window.output) - row0 - first_row;
        there = column0 + column < args.filters && left > 0 ? (left - 1) / step + 1 : 0;
        of_tile = first_row * Tile::y_pitch + column;
        of_output = static_cast<long long>(row0 + first_row) * width + group * args.filters +
                    column0 + column;
    }
    /// Copies the tile of a tensor with the shape of the output to shared memory.
    GPU_METHOD void fetch(half_t* tile, const void* from) const {
        const half_t* at = static_cast<const half_t*>(from) + of_output;
        GPU_UNROLL for (int i = 0; i < count;
                        ++i, at += static_cast<long long>(step) * width) if (i < there)
            copy_async16(tile + of_tile + i * step * Tile::y_pitch, at, true);
    }
    GPU_METHOD void store(const half_t* tile, void* to) const {
        half_t* at = static_cast<half_t*>(to) + of_output;
        constexpr int together = count < 8 ? count : 8;
        static_assert(count % together == 0);
        GPU_UNROLL for (int i = 0; i < count; i += together) {
            Piece piece[together];
            GPU_UNROLL for (int j = 0; j < together; ++j) piece[j] =
                piece_at(tile + of_tile + (i + j) * step * Tile::y_pitch);
            GPU_UNROLL for (int j = 0; j < together;
                            ++j, at += static_cast<long long>(step) * width) if (i + j < there) *
                reinterpret_cast<Piece*>(at) = piece[j];
        }
    }
};

/// Stores the pieces of a result tile where ConvolutionArgs::spread puts them.
template <typename Tile>
GPU_DEVICE void store_spread(const ConvolutionArgs& args, const half_t* tile,
                             const TilePlace& first) {
    const Window& win = args.window;
    const int places = volume(args.spread), filters = args.filters / places;
    const int pixels = args.batch * volume(win.output);
    for (int i = static_cast<int>(thread_index()); i < Tile::m * Tile::n / Tile::piece;
         i += Tile::threads) {
        const int row = i / (Tile::n / Tile::piece), piece = i % (Tile::n / Tile::piece);
        int place = piece % places, column = piece / places * Tile::piece * places;
        if (first.row + row >= pixels || first.column + column >= args.filters) continue;
        const int filter = (first.column + column) / places;
        half_t of[Tile::piece];
        GPU_UNROLL for (int e = 0; e < Tile::piece; ++e) of[e] =
            tile[row * Tile::y_pitch + column + e * places + place];
        Piece whole;
        memcpy(&whole, static_cast<const void*>(of), sizeof(whole));
        unsigned rest = static_cast<unsigned>(first.row + row);
        long long at = 0, step = 1;
        GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            const auto size = static_cast<unsigned>(win.output[axis]);
            const int pixel =
                static_cast<int>(rest % size) * args.spread[axis] + place % args.spread[axis];
            rest /= size;
            place /= args.spread[axis];
            at += pixel * step;
            step *= win.output[axis] * args.spread[axis];
        }
        at += rest * step;
        *reinterpret_cast<Piece*>(static_cast<half_t*>(args.y) + at * filters + filter) = whole;
    }
}

/// `tile` holds residuals first, then results.
template <typename Tile, bool is_plain>
GPU_DEVICE void finish_windows(const ConvolutionArgs& args, WindowSums<Tile>& sums,
                               const float* bias, half_t* tile) {
    const WindowEpilogue<is_plain> epilogue(args.epilogue);
    const bool has_residual = args.epilogue.residual != nullptr;
    sums.for_pairs([&](int row, int column, float first, float second) {
        auto* const at = reinterpret_cast<HalfPair*>(tile + row * Tile::y_pitch + column);
        HalfPair pair{};
        if (has_residual) pair = *at;
        const float low =
            epilogue.finished(first, bias[column], has_residual ? to_float(pair.of[0]) : 0.0f);
        const float high =
            epilogue.finished(second, bias[column + 1], has_residual ? to_float(pair.of[1]) : 0.0f);
        store_element(pair.of, low);
        store_element(pair.of + 1, high);
        *at = pair;
    });
}

/// The z axis of the grid counts groups, or parts where there is one group.
template <typename Tile, bool is_plain, typename Sync = WindowSync>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks) window_tiles(ConvolutionArgs args) {
    GPU_SHARED_MEMORY(memory);
    GPU_SHARED float bias[Tile::n];
    auto* const ring = reinterpret_cast<half_t*>(memory);
    half_t* const tile = ring + Tile::stages * Tile::stage_size;
    const TilePlace first =
        first_of_tile(args.batch * volume(args.window.output), args.filters, Tile::m, Tile::n);
    const int taps = args.channels * volume(args.window.kernel);
    const bool is_spread = volume(args.spread) > 1;
    for (int item = static_cast<int>(block_z()); item < args.groups * args.parts;
         item += static_cast<int>(grid_z())) {
        const int group = args.parts == 1 ? item : 0, part = args.parts == 1 ? 0 : item;
        const int begin = part * args.part_depth;
        const int depth =
            args.parts == 1 || taps - begin < args.part_depth ? taps - begin : args.part_depth;
        WindowFeed<Tile> feed(args, group, begin, depth, first.row, first.column);
        WindowSums<Tile> sums;
        const OutputPieces<Tile> pieces(args, group, first.row, first.column);
        const auto begins = [&](bool after_weights) {
            if (after_weights == args.has_constant_weight) kernel_begin();
        };
        const auto extra = [&] {
            if (args.epilogue.residual) pieces.fetch(tile, args.epilogue.residual);
            const int c = static_cast<int>(thread_index()),
                      column = group * args.filters + first.column + c;
            if (c < Tile::n)
                bias[c] = args.epilogue.bias && first.column + c < args.filters
                              ? load_element(static_cast<const half_t*>(args.epilogue.bias) +
                                             (is_spread ? column / volume(args.spread) : column))
                              : 0.0f;
        };
        sum_windows<Tile>(sums, feed, (depth + Tile::depth - 1) / Tile::depth, ring, begins, extra,
                          Sync());
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
        if (is_spread) store_spread<Tile>(args, tile, first);
        else pieces.store(tile, args.y);
        block_barrier();
    }
}

}  // namespace lapidary::cuda
