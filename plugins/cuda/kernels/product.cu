// SPDX-License-Identifier: Apache-2.0
#include "kernels/product.h"

#include "kernels/tile_product_async.cuh"

namespace lapidary::cuda {
namespace {

/// One matrix of each batch and what its elements are.
template <typename T>
struct Matrices {
    const T *a, *b;
    T* y;
    long long output;  // where y begins
};

template <typename T>
GPU_DEVICE Matrices<T> matrices_of(const ProductArgs& args, int batch) {
    long long a = 0, b = 0;
    int rest = batch;
    for (int axis = args.batch_rank - 1; axis >= 0; --axis) {
        const int at = rest % args.batch_dims[axis];
        rest /= args.batch_dims[axis];
        a += static_cast<long long>(at) * args.a_batch[axis];
        b += static_cast<long long>(at) * args.b_batch[axis];
    }
    const long long y = static_cast<long long>(batch) * args.m * args.n;
    return {static_cast<const T*>(args.a) + a, static_cast<const T*>(args.b) + b, static_cast<T*>(args.y) + y, y};
}

/// One part of one batch: where it begins along k, how deep it is, and where its sums lie, null where it is the only
/// one.
struct Part {
    int batch, begin, depth;
    float* sums;
};

GPU_DEVICE Part part_of(const ProductArgs& args, int item) {
    const int part = item % args.parts, batch = item / args.parts, begin = part * args.part_depth;
    const int depth = args.k - begin < args.part_depth ? args.k - begin : args.part_depth;
    const long long matrix = static_cast<long long>(part) * args.batch + batch;
    return {batch, begin, depth, args.parts > 1 ? args.partial + matrix * args.m * args.n : nullptr};
}

template <typename T>
GPU_DEVICE void store_sum(const ProductArgs& args, const Matrices<T>& of, const Part& part, int row, int column,
                          float sum) {
    if (row >= args.m || column >= args.n) return;
    const long long at = static_cast<long long>(row) * args.n + column;
    if (part.sums) part.sums[at] = sum;
    else store_element(of.y + at, finished<T>(args.epilogue, sum, row, column, of.output + at));
}

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

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void product_exact(ProductArgs args) {
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_exact<float, tile_m, tile_n, per_m, per_n>(static_cast<int>(block_y()) * tile_m,
                                                                static_cast<int>(block_x()) * tile_n, depth, a, b,
                                                                store, args.a_column == 1, args.b_column != 1);
    });
}

template <typename T, typename Multiply>
GPU_GLOBAL void product_mma(ProductArgs args) {
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        tile_product_mma<Multiply>(static_cast<int>(block_y()) * mma_tile, static_cast<int>(block_x()) * mma_tile,
                                   depth, a, b, store, args.a_column == 1, args.b_column != 1);
    });
}

GPU_GLOBAL void product_async(ProductArgs args) {
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts; item += static_cast<int>(grid_z())) {
        const Part part = part_of(args, item);
        const Matrices<half_t> of = matrices_of<half_t>(args, part.batch);
        const auto a = [&](int row, int k) {
            return row < args.m && k < part.depth
                       ? of.a + static_cast<long long>(row) * args.a_row + part.begin + k
                       : nullptr;
        };
        const auto b = [&](int k, int column) {
            return k < part.depth && column < args.n
                       ? of.b + static_cast<long long>(part.begin + k) * args.b_row + column
                       : nullptr;
        };
        const auto store = [&](int row, int column, float sum) { store_sum(args, of, part, row, column, sum); };
        tile_product_async(static_cast<int>(block_y()) * mma_tile, static_cast<int>(block_x()) * mma_tile, part.depth,
                           of.a, a, b, store);
    }
}

/// The sums of parts, added in their order, with the epilogue.
template <typename T>
GPU_GLOBAL void add_parts(ProductArgs args) {
    const long long matrix = static_cast<long long>(args.m) * args.n, count = matrix * args.batch;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        float sum = 0;
        for (int part = 0; part < args.parts; ++part) sum += args.partial[part * count + i];
        const long long at = i % matrix;
        store_element(static_cast<T*>(args.y) + i, finished<T>(args.epilogue, sum, static_cast<int>(at / args.n),
                                                               static_cast<int>(at % args.n), i));
    }
}

constexpr int skinny_rows = 8, skinny_threads = 128, skinny_columns = 32;

/// At most 8 rows: memory-bound. Threads of a warp have neighbouring columns, or with b along k neighbouring elements
/// of one column; the parts of k are added at the end.
template <typename T>
GPU_GLOBAL void product_skinny(ProductArgs args) {
    constexpr int parts = skinny_threads / skinny_columns;
    GPU_SHARED float partial[parts][skinny_rows][skinny_columns];
    const int thread = static_cast<int>(thread_index()), lane = thread % skinny_columns, part = thread / skinny_columns;
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        const int column = static_cast<int>(block_x()) * skinny_columns + lane;
        float sum[skinny_rows] = {};
        for (int k = part; k < depth; k += parts) {
            const float y = b(k, column);
            GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) sum[row] = multiply_add(a(row, k), y, sum[row]);
        }
        GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) partial[part][row][lane] = sum[row];
        block_barrier();
        for (int i = thread; i < skinny_rows * skinny_columns; i += skinny_threads) {
            const int row = i / skinny_columns, of = i % skinny_columns;
            float total = 0;
            GPU_UNROLL for (int p = 0; p < parts; ++p) total += partial[p][row][of];
            store(row, static_cast<int>(block_x()) * skinny_columns + of, total);
        }
        block_barrier();
    });
}

template <typename T>
GPU_GLOBAL void product_skinny_along_k(ProductArgs args) {
    constexpr int warps = skinny_threads / 32;
    const int thread = static_cast<int>(thread_index()), lane = thread % 32, warp = thread / 32;
    for_parts<T>(args, [&](int depth, const auto& a, const auto& b, const auto& store) {
        const int column = static_cast<int>(block_x()) * warps + warp;
        float sum[skinny_rows] = {};
        for (int k = lane; k < depth; k += 32) {
            const float y = b(k, column);
            GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) sum[row] = multiply_add(a(row, k), y, sum[row]);
        }
        GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) {
            const float total = warp_sum(sum[row]);
            if (lane == 0) store(row, column, total);
        }
    });
}

/// The kernels, of which one takes each product.
enum class Loop : std::uint8_t { skinny, skinny_along_k, async, mma, exact_large, exact_small };

/// Whether all lies in pieces of 16 bytes.
bool is_in_pieces(const ProductArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    int odd = args.k | args.n | args.a_row | args.b_row;
    for (int axis = 0; axis < args.batch_rank; ++axis) odd |= args.a_batch[axis] | args.b_batch[axis];
    return args.type == 10 && args.a_column == 1 && args.b_column == 1 && address % 16 == 0 && odd % 8 == 0;
}

Loop loop_of(const ProductArgs& args, Arithmetic arithmetic) {
    if (args.m <= skinny_rows) return args.b_column != 1 && args.n > 1 ? Loop::skinny_along_k : Loop::skinny;
    if (arithmetic == Arithmetic::f16 && is_in_pieces(args)) return Loop::async;
    if (arithmetic != Arithmetic::exact) return Loop::mma;
    return args.m > 64 && args.n > 64 ? Loop::exact_large : Loop::exact_small;
}

Grid grid_of(const ProductArgs& args, Loop loop) {
    const auto tiles = [](int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); };
    const long long items = static_cast<long long>(args.batch) * args.parts;
    const auto z = static_cast<unsigned>(items < 65535 ? items : 65535);
    switch (loop) {
    case Loop::skinny: return {tiles(args.n, skinny_columns), 1, z};
    case Loop::skinny_along_k: return {tiles(args.n, skinny_threads / 32), 1, z};
    case Loop::exact_large: return {tiles(args.n, 128), tiles(args.m, 128), z};
    case Loop::exact_small: return {tiles(args.n, 64), tiles(args.m, 32), z};
    default: return {tiles(args.n, mma_tile), tiles(args.m, mma_tile), z};
    }
}

/// 16-bit floats are multiplied as they are, floats as `arithmetic` says.
void launch_mma(Queue& queue, const ProductArgs& args, Arithmetic, Grid grid, const half_t*) {
    GPU_LAUNCH((product_mma<half_t, MultiplyF16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ProductArgs& args, Arithmetic, Grid grid, const bfloat_t*) {
    GPU_LAUNCH((product_mma<bfloat_t, MultiplyBf16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ProductArgs& args, Arithmetic arithmetic, Grid grid, const float*) {
    switch (arithmetic) {
    case Arithmetic::tf32x3: GPU_LAUNCH((product_mma<float, MultiplyTf32x3>), grid, mma_threads, queue, args); break;
    case Arithmetic::tf32: GPU_LAUNCH((product_mma<float, MultiplyTf32>), grid, mma_threads, queue, args); break;
    case Arithmetic::f16: GPU_LAUNCH((product_mma<float, MultiplyF16>), grid, mma_threads, queue, args); break;
    default: GPU_LAUNCH((product_mma<float, MultiplyBf16>), grid, mma_threads, queue, args); break;
    }
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    const Loop loop = loop_of(args, arithmetic);
    const Grid grid = grid_of(args, loop);
    switch (loop) {
    case Loop::skinny: GPU_LAUNCH(product_skinny<T>, grid, skinny_threads, queue, args); break;
    case Loop::skinny_along_k: GPU_LAUNCH(product_skinny_along_k<T>, grid, skinny_threads, queue, args); break;
    case Loop::async: GPU_LAUNCH(product_async, grid, mma_threads, queue, args); break;
    case Loop::mma: launch_mma(queue, args, arithmetic, grid, static_cast<const T*>(nullptr)); break;
    case Loop::exact_large: GPU_LAUNCH((product_exact<T, 128, 128, 8, 8>), grid, 256, queue, args); break;
    case Loop::exact_small: GPU_LAUNCH((product_exact<T, 32, 64, 4, 8>), grid, 64, queue, args); break;
    }
    if (args.parts == 1) return;
    const Grid elements = grid_for(static_cast<long long>(args.batch) * args.m * args.n);
    GPU_LAUNCH_FREE(add_parts<T>, elements, free_threads, queue, args);
}

constexpr long long enough_blocks = 128;  // about as many as large devices have multiprocessors
constexpr int least_depth = 256, most_parts = 16, depth_unit = 64;

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
    const Grid grid = grid_of(args, loop_of(args, arithmetic));
    return split_of_blocks(static_cast<long long>(grid.x) * grid.y * args.batch, args.k,
                           static_cast<long long>(args.batch) * args.m * args.n);
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
    if (args.type == 10) launch_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, arithmetic);
    else launch_of<float>(queue, args, arithmetic);
}

}  // namespace lapidary::cuda
