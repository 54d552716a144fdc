// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product.h"

#include <type_traits>

#include "kernels/product/product_async.h"
#include "kernels/product/product_few_rows.h"
#include "kernels/product/product_parts.cuh"
#include "kernels/product/product_plan.h"
#include "kernels/product/tile_choice.h"

namespace lapidary::cuda {
namespace {

/// Calls `tile` for each part of each product of the block, with its depth and the elements of its
/// matrices.
template <typename T, typename Tile>
GPU_DEVICE void for_parts(const ProductArgs& args, const Tile& tile) {
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts;
         item += static_cast<int>(grid_z())) {
        const Part part = part_of(args, item);
        const Matrices<T> of = matrices_of<T>(args, part.batch);
        const auto a = [&](int row, int k) {
            if (row >= args.m || k >= part.depth) return 0.0f;
            return load_element(of.a + static_cast<long long>(row) * args.a_row +
                                static_cast<long long>(part.begin + k) * args.a_column);
        };
        const auto b = [&](int k, int column) {
            if (column >= args.n || k >= part.depth) return 0.0f;
            return load_element(of.b + static_cast<long long>(part.begin + k) * args.b_row +
                                static_cast<long long>(column) * args.b_column);
        };
        tile(part.depth, a, b,
             [&](int row, int column, float sum) { store_sum(args, of, part, row, column, sum); });
    }
}

/// The place of the block's tile, among tiles of `rows` x `columns`.
GPU_DEVICE TilePlace place_of_block(const ProductArgs& args, int rows, int columns) {
    return tile_place(static_cast<int>(block_x()), (args.m - 1) / rows + 1,
                      (args.n - 1) / columns + 1);
}

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void product_exact(ProductArgs args) {
    kernel_begin();
    const TilePlace place = place_of_block(args, tile_m, tile_n);
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_exact<float, tile_m, tile_n, per_m, per_n>(
            place.row * tile_m, place.column * tile_n, depth, a, b, store, args.a_column == 1,
            args.b_column != 1);
    });
}

template <typename T, typename Multiply>
GPU_GLOBAL void product_mma(ProductArgs args) {
    kernel_begin();
    const TilePlace place = place_of_block(args, mma_tile, mma_tile);
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_mma<Multiply>(place.row * mma_tile, place.column * mma_tile, depth, a, b,
                                   store, args.a_column == 1, args.b_column != 1);
    });
}

/// Adds the sums of parts in order and applies the epilogue.
template <typename T>
GPU_GLOBAL void add_parts(ProductArgs args) {
    kernel_begin();
    const long long matrix = static_cast<long long>(args.m) * args.n, count = matrix * args.batch;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        float sum = 0;
        for (int part = 0; part < args.parts; ++part) sum += args.partial[part * count + i];
        const long long at = i % matrix;
        store_element(static_cast<T*>(args.y) + i,
                      finished<T>(args.epilogue, sum, static_cast<int>(at / args.n),
                                  static_cast<int>(at % args.n), i));
    }
}

TileChoice choice_of(const ProductArgs& args, Arithmetic arithmetic) {
    return choose_tiles(arithmetic, false, args.m, args.n, args.batch);
}

Grid grid_of(const ProductArgs& args, const TileChoice& tiles) {
    return tile_grid(tiles.along_rows(args.m), tiles.along_columns(args.n),
                     static_cast<long long>(args.batch) * args.parts);
}

/// 16-bit floats are multiplied directly, floats as `arithmetic` says.
template <typename T>
void launch_tensor_cores(Queue& queue, const ProductArgs& args, Arithmetic,
                         const TileChoice& tiles) {
    using Multiply = std::conditional_t<std::is_same_v<T, half_t>, MultiplyF16, MultiplyBf16>;
    GPU_LAUNCH((product_mma<T, Multiply>), grid_of(args, tiles), tiles.threads, queue, args);
}
template <>
void launch_tensor_cores<float>(Queue& queue, const ProductArgs& args, Arithmetic arithmetic,
                                const TileChoice& tiles) {
    const Grid grid = grid_of(args, tiles);
    switch (arithmetic) {
    case Arithmetic::tf32x3:
        GPU_LAUNCH((product_mma<float, MultiplyTf32x3>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::tf32:
        GPU_LAUNCH((product_mma<float, MultiplyTf32>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::f16:
        GPU_LAUNCH((product_mma<float, MultiplyF16>), grid, mma_threads, queue, args);
        break;
    default: GPU_LAUNCH((product_mma<float, MultiplyBf16>), grid, mma_threads, queue, args); break;
    }
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    const TileChoice tiles = choice_of(args, arithmetic);
    const Grid grid = grid_of(args, tiles);
    switch (tiles.loop) {
    case TileLoop::exact_large:
        GPU_LAUNCH((product_exact<T, LAPIDARY_EXACT_LARGE>), grid, tiles.threads, queue, args);
        break;
    case TileLoop::exact_small:
        GPU_LAUNCH((product_exact<T, LAPIDARY_EXACT_SMALL>), grid, tiles.threads, queue, args);
        break;
    case TileLoop::exact_flat:
        GPU_LAUNCH((product_exact<T, LAPIDARY_EXACT_FLAT>), grid, tiles.threads, queue, args);
        break;
    default: launch_tensor_cores<T>(queue, args, arithmetic, tiles); break;
    }
}

constexpr int least_depth = 192, most_parts = 16, depth_unit = 64;

}  // namespace

ProductSplit split_of_blocks(long long blocks, std::int32_t depth, long long results) {
    ProductSplit split{1, depth, 0};
    if (blocks == 0 || blocks > enough_blocks * 3 / 4 || depth < 2 * least_depth) return split;
    long long parts = (enough_blocks + blocks - 1) / blocks;
    if (parts > depth / least_depth) parts = depth / least_depth;
    if (parts > most_parts) parts = most_parts;
    const auto of_part = static_cast<std::int32_t>((depth + parts - 1) / parts);
    split.part_depth = (of_part + depth_unit - 1) / depth_unit * depth_unit;
    split.parts = (depth + split.part_depth - 1) / split.part_depth;
    if (split.parts == 1) return {1, depth, 0};
    split.partial_bytes = 4LL * split.parts * results;
    return split;
}

ProductSplit split_of(const ProductArgs& args, Arithmetic arithmetic) {
    const long long results = static_cast<long long>(args.batch) * args.m * args.n;
    if (results == 0) return {1, args.k, 0};
    if (is_for_async(args, arithmetic) && !is_for_one_row_loop(args))
        return async_plan(args, arithmetic).split;
    if (has_few_rows(args)) return split_of_few_rows(args);
    const TileChoice tiles = choice_of(args, arithmetic);
    return split_of_blocks(
        static_cast<long long>(args.batch) * tiles.along_rows(args.m) * tiles.along_columns(args.n),
        args.k, results);
}

void launch_epilogue(Queue& queue, const ProductArgs& args) {
    const Grid elements = grid_for(static_cast<long long>(args.batch) * args.m * args.n);
    if (args.type == 10) GPU_LAUNCH_FREE(add_parts<half_t>, elements, free_threads, queue, args);
    else if (args.type == 16)
        GPU_LAUNCH_FREE(add_parts<bfloat_t>, elements, free_threads, queue, args);
    else GPU_LAUNCH_FREE(add_parts<float>, elements, free_threads, queue, args);
}

void launch_product(Queue& queue, const ProductArgs& given, Arithmetic arithmetic) {
    ProductArgs args = given;
    if (args.m == 0 || args.n == 0 || args.batch == 0) return;
    if (args.parts == 1) args.part_depth = args.k;
    if (is_for_async(args, arithmetic) && !is_for_one_row_loop(args)) {
        args.counters = queue.counters;
        const AsyncSize size = async_plan(args, arithmetic).size;
        if (args.type == 1) launch_async_floats(queue, args, size, arithmetic);
        else launch_async_halves(queue, args, size);
        return;
    }
    if (has_few_rows(args)) launch_few_rows(queue, args);
    else if (args.type == 10) launch_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, arithmetic);
    else launch_of<float>(queue, args, arithmetic);
    if (args.parts > 1) launch_epilogue(queue, args);
}

}  // namespace lapidary::cuda
