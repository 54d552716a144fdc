// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/small_product.h"

#include "kernels/hopper/operand_maps.h"
#include "kernels/hopper/small_tile.cuh"
#include "kernels/product_parts.cuh"
#include "kernels/tile_epilogue.cuh"

namespace lapidary::cuda {
namespace {

using Tile = SmallGroupTile;
static_assert(Tile::size == small_group::tile && group_depth == small_group::depth_unit);

/// Sums of one part as the first warpgroup has them.
GPU_DEVICE void store_part(const float (&sum)[Tile::sums], float* part, int thread) {
    GPU_UNROLL for (int q = 0; q < Tile::quads; ++q) {
        Quad<float> quad;
        GPU_UNROLL for (int e = 0; e < 4; ++e) quad.of[e] = sum[q * 4 + e];
        *reinterpret_cast<Quad<float>*>(part + (q * 128 + thread) * 4) = quad;
    }
}

/// Sums as multiplications lay them out, as a matrix of rows Tile::pitch apart: those from `first` on.
template <int count>
GPU_DEVICE void stage_sums(const float (&sum)[count], int first, float* staged, int thread) {
    struct alignas(8) Pair {
        float of[2];
    };
    const int lane = thread % 32, row = thread / 32 * 16 + lane / 4;
    GPU_UNROLL for (int j = 0; j < count; j += 2) {
        const int i = first + j;
        const Pair pair{{sum[j], sum[j + 1]}};
        *reinterpret_cast<Pair*>(staged + (row + i / 2 % 2 * 8) * Tile::pitch + lane % 4 * 2 + i / 4 * 8) = pair;
    }
}

/// Those of all parts, `step` apart, in their order, behind a fence, by both warpgroups, a half of the sums each.
GPU_DEVICE void add_parts(const float* first, long long step, int parts, float* staged, int thread) {
    constexpr int quads = Tile::quads / 2, at_once = 4;
    const int group = thread / 128, of_group = thread % 128;
    float total[quads * 4] = {};
    for (int part = 0; part < parts; part += at_once) {
        float x[at_once][quads][4];
        GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
            GPU_UNROLL for (int q = 0; q < quads; ++q)
                load_fresh(first + (part + p) * step + ((group * quads + q) * 128 + of_group) * 4, x[p][q]);
        GPU_UNROLL for (int p = 0; p < at_once; ++p) if (part + p < parts)
            GPU_UNROLL for (int q = 0; q < quads; ++q) GPU_UNROLL for (int e = 0; e < 4; ++e) total[q * 4 + e] +=
            x[p][q][e];
    }
    stage_sums(total, group * quads * 4, staged, of_group);
}

template <typename T, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, 2)
    product_small_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b) {
    kernel_begin();
    GPU_SHARED_MEMORY(memory);
    const int along_rows = (args.m - 1) / Tile::size + 1, along_columns = (args.n - 1) / Tile::size + 1;
    const int tiles = along_rows * along_columns, result = static_cast<int>(block_x()), matrix = result / tiles;
    const TilePlace tile = tile_place(result % tiles, along_rows, along_columns);
    const bool is_one_a = args.batch == 1 || args.a_batch[0] == 0, is_one_b = args.batch == 1 || args.b_batch[0] == 0;
    const GroupPlace place{is_one_a ? 0 : matrix, is_one_b ? 0 : matrix, tile.row * Tile::size,
                           tile.column * Tile::size};
    const int part = static_cast<int>(block_z()), begin = part * args.part_depth;
    const int depth = args.k - begin < args.part_depth ? args.k - begin : args.part_depth;
    float sum[Tile::sums] = {};
    tile_product_small<T, b_along_k>(sum, place, begin, depth, a, b, memory);
    const int thread = static_cast<int>(thread_index());
    auto* const staged = reinterpret_cast<float*>(memory);
    if (args.parts > 1) {
        const long long step = static_cast<long long>(grid_x()) * Tile::results;
        float* const first = args.partial + static_cast<long long>(result) * Tile::results;
        if (thread < 128) store_part(sum, first + part * step, thread);
        if (!is_last_part(args.counters + result, args.parts)) return;
        if (thread < 256) add_parts(first, step, args.parts, staged, thread);
    } else if (thread < 128) {
        stage_sums(sum, 0, staged, thread);
    }
    block_barrier();
    if (thread >= 256) return;
    const long long output = static_cast<long long>(matrix) * args.m * args.n;
    const ResultTile<T> to{static_cast<T*>(args.y) + output, output, place.row, place.column, args.m, args.n};
    store_tile<Tile::size, Tile::size, Tile::pitch, 256>(staged, args.epilogue, to, thread);
}

template <typename T, bool b_along_k>
void launch_of(Queue& queue, const ProductArgs& args, const TileMap& a, const TileMap& b) {
    const Grid grid{static_cast<unsigned>(small_group::tiles_of(args)), 1, static_cast<unsigned>(args.parts)};
    GPU_LAUNCH_SHARED((product_small_groups<T, b_along_k>), grid, group_threads, Tile::shared_bytes, queue, args, a, b);
}

}  // namespace

void launch_small_group_product(Queue& queue, const ProductArgs& given) {
    ProductArgs args = given;
    if (args.parts == 1) args.part_depth = args.k;
    args.counters = queue.counters;
    const bool along_k = group_operand(args) == GroupOperand::along_k;
    const TileMap a = tile_map_of_a(args, Tile::size), b = tile_map_of_b(args, Tile::size);
    if (args.type == 10 && along_k) launch_of<half_t, true>(queue, args, a, b);
    else if (args.type == 10) launch_of<half_t, false>(queue, args, a, b);
    else if (along_k) launch_of<bfloat_t, true>(queue, args, a, b);
    else launch_of<bfloat_t, false>(queue, args, a, b);
}

}  // namespace lapidary::cuda
