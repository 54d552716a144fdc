// SPDX-License-Identifier: Apache-2.0
#include "kernels/product.h"

#include "kernels/product_few_rows.h"
#include "kernels/product_parts.cuh"
#include "kernels/tile_choice.h"
#include "kernels/tile_product_async.cuh"

namespace lapidary::cuda {
namespace {

/// Runs `tile` for each part of each batch of the block with its depth and the elements of its matrices.
template <typename T, typename Tile>
GPU_DEVICE void for_parts(const ProductArgs& args, const Tile& tile) {
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts; item += static_cast<int>(grid_z())) {
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

/// Where the block's tile lies, of tiles of so many rows and columns.
GPU_DEVICE TilePlace place_of_block(const ProductArgs& args, int rows, int columns) {
    return tile_place(static_cast<int>(block_x()), (args.m - 1) / rows + 1, (args.n - 1) / columns + 1);
}

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void product_exact(ProductArgs args) {
    kernel_begin();
    const TilePlace place = place_of_block(args, tile_m, tile_n);
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_exact<float, tile_m, tile_n, per_m, per_n>(place.row * tile_m, place.column * tile_n, depth, a, b,
                                                                store, args.a_column == 1, args.b_column != 1);
    });
}

template <typename T, typename Multiply>
GPU_GLOBAL void product_mma(ProductArgs args) {
    kernel_begin();
    const TilePlace place = place_of_block(args, mma_tile, mma_tile);
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_mma<Multiply>(place.row * mma_tile, place.column * mma_tile, depth, a, b, store,
                                   args.a_column == 1, args.b_column != 1);
    });
}

/// Rows of a from the tile's first one on.
template <typename T>
struct RowPieces {
    const T* first;
    long long row;
    int rows, depth, k = 0;
    GPU_METHOD void seek(int to) { k = to; }
    GPU_METHOD const T* at(int r) const { return r < rows && k < depth ? first + r * row + k : nullptr; }
};

template <typename T, typename Multiply, typename Tile, bool b_along_k>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks) product_async(ProductArgs args) {
    kernel_begin();
    const TilePlace place = place_of_block(args, Tile::m, Tile::n);
    const int row0 = place.row * Tile::m, column0 = place.column * Tile::n;
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts; item += static_cast<int>(grid_z())) {
        const Part part = part_of(args, item);
        const Matrices<T> of = matrices_of<T>(args, part.batch);
        RowPieces<T> a{of.a + static_cast<long long>(row0) * args.a_row + part.begin, args.a_row, args.m - row0,
                       part.depth};
        const auto b = [&](int k, int column) {
            if (k >= part.depth || column0 + column >= args.n) return static_cast<const T*>(nullptr);
            return of.b + static_cast<long long>(part.begin + k) * args.b_row +
                   static_cast<long long>(column0 + column) * args.b_column;
        };
        const float* const sums =
            tile_product_async<Multiply, Tile, b_along_k>(part.depth, static_cast<const T*>(args.a), a, b);
        const auto each = [&](const auto& use) {  // of the tile's results that are there
            for_quads<Tile>([&](int r, int c) {
                const int row = row0 + r, column = column0 + c, left = args.n - column;
                if (row >= args.m || left <= 0) return;
                use(row, column, static_cast<long long>(row) * args.n + column, left, left >= 4 && args.n % 4 == 0);
            });
        };
        const auto staged = [&](int row, int column, float (&v)[4]) {
            GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] = sums[(row - row0) * Tile::pitch + column - column0 + i];
        };
        float v[4];
        bool is_last = part.sums == nullptr;
        if (part.sums) {
            each([&](int row, int column, long long at, int count, bool is_whole) {
                staged(row, column, v);
                store_quad(part.sums + at, v, count, is_whole);
            });
            const int tiles = static_cast<int>(grid_x());
            is_last = args.counters && is_last_part(args.counters + part.batch * tiles + static_cast<int>(block_x()),
                                                    args.parts);
        }
        if (is_last)
            each([&](int row, int column, long long at, int count, bool is_whole) {
                const long long i = of.output + at, step = static_cast<long long>(args.batch) * args.m * args.n;
                if (part.sums) sum_parts(args.partial + i, step, args.parts, v, count, is_whole);
                else staged(row, column, v);
                finish_quad(args.epilogue, v, row, column, i, static_cast<T*>(args.y) + i, count, is_whole);
            });
        block_barrier();
    }
}

/// The sums of parts, added in their order, with the epilogue.
template <typename T>
GPU_GLOBAL void add_parts(ProductArgs args) {
    kernel_begin();
    const long long matrix = static_cast<long long>(args.m) * args.n, count = matrix * args.batch;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        float sum = 0;
        for (int part = 0; part < args.parts; ++part) sum += args.partial[part * count + i];
        const long long at = i % matrix;
        store_element(static_cast<T*>(args.y) + i, finished<T>(args.epilogue, sum, static_cast<int>(at / args.n),
                                                               static_cast<int>(at % args.n), i));
    }
}

/// Whether all lies in pieces of 16 bytes; b along its columns or along k.
bool is_in_pieces(const ProductArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    const bool b_along_n = args.b_column == 1 && args.n % 8 == 0;
    int odd = args.k | args.a_row | (b_along_n ? args.b_row : args.b_column);
    for (int axis = 0; axis < args.batch_rank; ++axis) odd |= args.a_batch[axis] | args.b_batch[axis];
    return (args.type == 10 || args.type == 16) && args.a_column == 1 && (b_along_n || args.b_row == 1) &&
           address % 16 == 0 && odd % 8 == 0;
}

TileChoice choice_of(const ProductArgs& args, Arithmetic arithmetic) {
    return choose_tiles(arithmetic, is_in_pieces(args), args.m, args.n, args.batch);
}

Grid grid_of(const ProductArgs& args, const TileChoice& tiles) {
    return tile_grid(tiles.along_rows(args.m), tiles.along_columns(args.n),
                     static_cast<long long>(args.batch) * args.parts);
}

template <typename T>
struct MultiplyOf;
template <>
struct MultiplyOf<half_t> {
    using Type = MultiplyF16;
};
template <>
struct MultiplyOf<bfloat_t> {
    using Type = MultiplyBf16;
};

/// 16-bit floats are multiplied as they are, floats as `arithmetic` says.
template <typename T>
void launch_tensor_cores(Queue& queue, const ProductArgs& args, Arithmetic, const TileChoice& tiles) {
    using Multiply = typename MultiplyOf<T>::Type;
    const Grid grid = grid_of(args, tiles);
    const bool along_n = args.b_column == 1 && args.n % 8 == 0, is_large = tiles.loop == TileLoop::async_large;
    if (tiles.loop == TileLoop::mma) GPU_LAUNCH((product_mma<T, Multiply>), grid, mma_threads, queue, args);
    else if (is_large && along_n)
        GPU_LAUNCH((product_async<T, Multiply, AsyncLarge, false>), grid, tiles.threads, queue, args);
    else if (is_large) GPU_LAUNCH((product_async<T, Multiply, AsyncLarge, true>), grid, tiles.threads, queue, args);
    else if (along_n)
        GPU_LAUNCH((product_async<T, Multiply, AsyncSmall, false>), grid, tiles.threads, queue, args);
    else GPU_LAUNCH((product_async<T, Multiply, AsyncSmall, true>), grid, tiles.threads, queue, args);
}
template <>
void launch_tensor_cores<float>(Queue& queue, const ProductArgs& args, Arithmetic arithmetic,
                                const TileChoice& tiles) {
    const Grid grid = grid_of(args, tiles);
    switch (arithmetic) {
    case Arithmetic::tf32x3: GPU_LAUNCH((product_mma<float, MultiplyTf32x3>), grid, mma_threads, queue, args); break;
    case Arithmetic::tf32: GPU_LAUNCH((product_mma<float, MultiplyTf32>), grid, mma_threads, queue, args); break;
    case Arithmetic::f16: GPU_LAUNCH((product_mma<float, MultiplyF16>), grid, mma_threads, queue, args); break;
    default: GPU_LAUNCH((product_mma<float, MultiplyBf16>), grid, mma_threads, queue, args); break;
    }
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    if (has_few_rows(args)) return launch_few_rows(queue, args);
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

bool is_async(const TileChoice& tiles) {
    return tiles.loop == TileLoop::async_large || tiles.loop == TileLoop::async_small;
}

/// Where blocks of a loop that adds its parts up by itself count, null where another kernel adds them.
unsigned* counters_for(const Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    if (args.parts == 1 || has_few_rows(args)) return nullptr;
    const TileChoice tiles = choice_of(args, arithmetic);
    const long long results =
        static_cast<long long>(args.batch) * tiles.along_rows(args.m) * tiles.along_columns(args.n);
    return is_async(tiles) && results <= counter_count ? queue.counters : nullptr;
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
    if (has_few_rows(args)) return split_of_few_rows(args);
    const TileChoice tiles = choice_of(args, arithmetic);
    return split_of_blocks(static_cast<long long>(args.batch) * tiles.along_rows(args.m) *
                               tiles.along_columns(args.n),
                           args.k, results);
}

void launch_epilogue(Queue& queue, const ProductArgs& args) {
    const Grid elements = grid_for(static_cast<long long>(args.batch) * args.m * args.n);
    if (args.type == 10) GPU_LAUNCH_FREE(add_parts<half_t>, elements, free_threads, queue, args);
    else if (args.type == 16) GPU_LAUNCH_FREE(add_parts<bfloat_t>, elements, free_threads, queue, args);
    else GPU_LAUNCH_FREE(add_parts<float>, elements, free_threads, queue, args);
}

void launch_product(Queue& queue, const ProductArgs& given, Arithmetic arithmetic) {
    ProductArgs args = given;
    if (args.m == 0 || args.n == 0 || args.batch == 0) return;
    if (args.parts == 1) args.part_depth = args.k;
    args.counters = counters_for(queue, args, arithmetic);
    if (args.type == 10) launch_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, arithmetic);
    else launch_of<float>(queue, args, arithmetic);
    if (args.parts > 1 && !args.counters) launch_epilogue(queue, args);
}

}  // namespace lapidary::cuda
