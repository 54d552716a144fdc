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

/// Runs `tile` for each batch of the block with the elements of its matrices.
template <typename T, typename Tile>
GPU_DEVICE void for_batches(const ProductArgs& args, const Tile& tile) {
    for (int batch = static_cast<int>(block_z()); batch < args.batch; batch += static_cast<int>(grid_z())) {
        const Matrices<T> of = matrices_of<T>(args, batch);
        const auto a = [&](int row, int k) {
            if (row >= args.m || k >= args.k) return 0.0f;
            return load_element(of.a + static_cast<long long>(row) * args.a_row +
                                static_cast<long long>(k) * args.a_column);
        };
        const auto b = [&](int k, int column) {
            if (column >= args.n || k >= args.k) return 0.0f;
            return load_element(of.b + static_cast<long long>(k) * args.b_row +
                                static_cast<long long>(column) * args.b_column);
        };
        const auto store = [&](int row, int column, float sum) {
            if (row >= args.m || column >= args.n) return;
            const long long at = static_cast<long long>(row) * args.n + column;
            store_element(of.y + at, finished<T>(args.epilogue, sum, row, column, of.output + at));
        };
        tile(a, b, store);
    }
}

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void product_exact(ProductArgs args) {
    for_batches<T>(args, [&](const auto& a, const auto& b, const auto& store) {
        tile_product_exact<float, tile_m, tile_n, per_m, per_n>(static_cast<int>(block_y()) * tile_m,
                                                                static_cast<int>(block_x()) * tile_n, args.k, a, b,
                                                                store, args.a_column == 1, args.b_column != 1);
    });
}

template <typename T, typename Multiply>
GPU_GLOBAL void product_mma(ProductArgs args) {
    for_batches<T>(args, [&](const auto& a, const auto& b, const auto& store) {
        tile_product_mma<Multiply>(static_cast<int>(block_y()) * mma_tile, static_cast<int>(block_x()) * mma_tile,
                                   args.k, a, b, store, args.a_column == 1, args.b_column != 1);
    });
}

GPU_GLOBAL void product_async(ProductArgs args) {
    for (int batch = static_cast<int>(block_z()); batch < args.batch; batch += static_cast<int>(grid_z())) {
        const Matrices<half_t> of = matrices_of<half_t>(args, batch);
        const auto a = [&](int row, int k) {
            return row < args.m && k < args.k ? of.a + static_cast<long long>(row) * args.a_row + k : nullptr;
        };
        const auto b = [&](int k, int column) {
            return k < args.k && column < args.n ? of.b + static_cast<long long>(k) * args.b_row + column : nullptr;
        };
        const auto store = [&](int row, int column, float sum) {
            if (row >= args.m || column >= args.n) return;
            const long long at = static_cast<long long>(row) * args.n + column;
            store_element(of.y + at, finished<half_t>(args.epilogue, sum, row, column, of.output + at));
        };
        tile_product_async(static_cast<int>(block_y()) * mma_tile, static_cast<int>(block_x()) * mma_tile, args.k, of.a,
                           a, b, store);
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
    for_batches<T>(args, [&](const auto& a, const auto& b, const auto& store) {
        const int column = static_cast<int>(block_x()) * skinny_columns + lane;
        float sum[skinny_rows] = {};
        for (int k = part; k < args.k; k += parts) {
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
    for_batches<T>(args, [&](const auto& a, const auto& b, const auto& store) {
        const int column = static_cast<int>(block_x()) * warps + warp;
        float sum[skinny_rows] = {};
        for (int k = lane; k < args.k; k += 32) {
            const float y = b(k, column);
            GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) sum[row] = multiply_add(a(row, k), y, sum[row]);
        }
        GPU_UNROLL for (int row = 0; row < skinny_rows; ++row) {
            const float total = warp_sum(sum[row]);
            if (lane == 0) store(row, column, total);
        }
    });
}

unsigned tiles(int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); }
unsigned batch_blocks(const ProductArgs& args) {
    return static_cast<unsigned>(args.batch < 65535 ? args.batch : 65535);
}
bool is_skinny(const ProductArgs& args) { return args.m <= skinny_rows; }
bool is_large(const ProductArgs& args) { return args.m > 64 && args.n > 64; }

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
void launch_exact(Queue& queue, const ProductArgs& args) {
    const Grid grid{tiles(args.n, tile_n), tiles(args.m, tile_m), batch_blocks(args)};
    constexpr unsigned threads = (tile_m / per_m) * (tile_n / per_n);
    GPU_LAUNCH((product_exact<T, tile_m, tile_n, per_m, per_n>), grid, threads, queue, args);
}

template <typename T, typename Multiply>
void launch_mma(Queue& queue, const ProductArgs& args) {
    const Grid grid{tiles(args.n, mma_tile), tiles(args.m, mma_tile), batch_blocks(args)};
    GPU_LAUNCH((product_mma<T, Multiply>), grid, mma_threads, queue, args);
}

/// Whether all lies in pieces of 16 bytes.
bool is_in_pieces(const ProductArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    int odd = args.k | args.n | args.a_row | args.b_row;
    for (int axis = 0; axis < args.batch_rank; ++axis) odd |= args.a_batch[axis] | args.b_batch[axis];
    return args.type == 10 && args.a_column == 1 && args.b_column == 1 && address % 16 == 0 && odd % 8 == 0;
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    if (is_skinny(args)) {
        const bool is_along_k = args.b_column != 1 && args.n > 1;
        const Grid grid{tiles(args.n, is_along_k ? skinny_threads / 32 : skinny_columns), 1, batch_blocks(args)};
        if (is_along_k) GPU_LAUNCH(product_skinny_along_k<T>, grid, skinny_threads, queue, args);
        else GPU_LAUNCH(product_skinny<T>, grid, skinny_threads, queue, args);
        return;
    }
    if (arithmetic == Arithmetic::tf32) return launch_mma<T, MultiplyTf32>(queue, args);
    if (arithmetic == Arithmetic::f16 && is_in_pieces(args)) {
        const Grid grid{tiles(args.n, mma_tile), tiles(args.m, mma_tile), batch_blocks(args)};
        GPU_LAUNCH(product_async, grid, mma_threads, queue, args);
        return;
    }
    if (arithmetic == Arithmetic::f16) return launch_mma<T, MultiplyF16>(queue, args);
    if (arithmetic == Arithmetic::bf16) return launch_mma<T, MultiplyBf16>(queue, args);
    if (is_large(args)) launch_exact<T, 128, 128, 8, 8>(queue, args);
    else launch_exact<T, 32, 64, 4, 8>(queue, args);
}

}  // namespace

void launch_product(Queue& queue, const ProductArgs& args, Arithmetic arithmetic) {
    if (args.m == 0 || args.n == 0 || args.batch == 0) return;
    if (args.type == 10) launch_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, arithmetic);
    else launch_of<float>(queue, args, arithmetic);
}

}  // namespace lapidary::cuda
