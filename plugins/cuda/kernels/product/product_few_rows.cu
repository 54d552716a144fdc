// SPDX-License-Identifier: Apache-2.0
// Products of 2 to 8 rows, and of one row where b does not lie in pieces. Where b lies in pieces of
// 16 bytes, a thread loads several of them before it multiplies, to have enough loads in flight;
// otherwise it reads element by element.
#include "kernels/product/product_few_rows.h"

#include "kernels/product/product_parts.cuh"

namespace lapidary::cuda {
namespace {

constexpr int ahead = 4;  // pieces that a thread loads before it uses the first

/// Calls `tile` for each part of each product of the block.
template <typename T, typename Tile>
GPU_DEVICE void for_matrices(const ProductArgs& args, const Tile& tile) {
    for (int item = static_cast<int>(block_z()); item < args.batch * args.parts;
         item += static_cast<int>(grid_z())) {
        const Part part = part_of(args, item);
        tile(part, matrices_of<T>(args, part.batch));
    }
}

constexpr int along_n_threads = 256, most_lanes = 8;

/// A block computes `lanes` (2, 4 or 8) neighbouring pieces of columns; its threads share k.
template <typename T, int rows>
GPU_GLOBAL void few_rows_along_n(ProductArgs args, int lanes) {
    kernel_begin();
    constexpr int per = per_piece<T>, warps = along_n_threads / 32;
    GPU_SHARED float partial[warps][rows][most_lanes * per];
    const int thread = static_cast<int>(thread_index()), lane = thread % lanes,
              step = along_n_threads / lanes;
    const int first = static_cast<int>(block_x()) * lanes * per, column = first + lane * per;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        const int depth = column < args.n ? part.depth : 0;
        const T* const b = of.b + static_cast<long long>(part.begin) * args.b_row + column;
        float sum[rows][per] = {};
        for (int at = thread / lanes; at < depth; at += ahead * step) {
            Piece pieces[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                pieces[i] =
                    k < depth ? piece_at(b + static_cast<long long>(k) * args.b_row) : Piece{};
            }
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                if (k >= depth) continue;
                float y[per];
                elements_of<T>(pieces[i], y);
                GPU_UNROLL for (int row = 0; row < rows; ++row) {
                    if (row >= args.m) continue;
                    const float x =
                        load_element(of.a + static_cast<long long>(row) * args.a_row +
                                     static_cast<long long>(part.begin + k) * args.a_column);
                    GPU_UNROLL for (int j = 0; j < per; ++j) sum[row][j] =
                        multiply_add(x, y[j], sum[row][j]);
                }
            }
        }
        for (int mask = 16; mask >= lanes; mask /= 2)
            GPU_UNROLL for (int row = 0; row < rows; ++row) GPU_UNROLL for (int j = 0; j < per; ++j)
                sum[row][j] += shuffle_xor(sum[row][j], mask);
        if (thread % 32 < lanes)
            GPU_UNROLL for (int row = 0; row < rows; ++row) GPU_UNROLL for (int j = 0; j < per; ++j)
                partial[thread / 32][row][lane * per + j] = sum[row][j];
        block_barrier();
        for (int i = thread; i < rows * lanes * per; i += along_n_threads) {
            const int row = i / (lanes * per), c = i % (lanes * per);
            float total = 0;
            GPU_UNROLL for (int warp = 0; warp < warps; ++warp) total += partial[warp][row][c];
            store_sum(args, of, part, row, first + c, total);
        }
        block_barrier();
    });
}

constexpr int along_k_threads = 128;

/// A warp computes a column; its lanes share k in pieces.
template <typename T, int rows>
GPU_GLOBAL void few_rows_along_k(ProductArgs args) {
    kernel_begin();
    constexpr int per = per_piece<T>, warps = along_k_threads / 32, step = 32 * per;
    const int lane = static_cast<int>(thread_index()) % 32;
    const int column = static_cast<int>(block_x()) * warps + static_cast<int>(thread_index()) / 32;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        const int depth = column < args.n ? part.depth : 0;
        const T* const a = of.a + part.begin;
        const T* const b = of.b + static_cast<long long>(column) * args.b_column + part.begin;
        float sum[rows] = {};
        for (int at = lane * per; at < depth; at += ahead * step) {
            Piece pieces[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) pieces[i] =
                at + i * step < depth ? piece_at(b + at + i * step) : Piece{};
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                if (k >= depth) continue;
                float x[per], y[per];
                elements_of<T>(pieces[i], y);
                GPU_UNROLL for (int row = 0; row < rows; ++row) {
                    if (row >= args.m) continue;
                    elements_of<T>(piece_at(a + static_cast<long long>(row) * args.a_row + k), x);
                    GPU_UNROLL for (int j = 0; j < per; ++j) sum[row] =
                        multiply_add(x[j], y[j], sum[row]);
                }
            }
        }
        GPU_UNROLL for (int row = 0; row < rows; ++row) {
            const float total = warp_sum(sum[row]);
            if (lane == 0) store_sum(args, of, part, row, column, total);
        }
    });
}

constexpr int odd_threads = 128, odd_columns = 32;

/// Reads b element by element: threads of a warp have neighbouring columns or, with b along k,
/// neighbouring elements of one column.
template <typename T, int rows, bool along_k>
GPU_GLOBAL void few_rows_odd(ProductArgs args) {
    kernel_begin();
    constexpr int parts = odd_threads / 32;
    GPU_SHARED float partial[parts][rows][odd_columns];
    const int thread = static_cast<int>(thread_index()), lane = thread % 32, warp = thread / 32;
    const int column = along_k ? static_cast<int>(block_x()) * parts + warp
                               : static_cast<int>(block_x()) * odd_columns + lane;
    const int from = along_k ? lane : warp, step = along_k ? 32 : parts;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        const int depth = column < args.n ? part.depth : 0;
        const T* const a = of.a + static_cast<long long>(part.begin) * args.a_column;
        const T* const b = of.b + static_cast<long long>(part.begin) * args.b_row +
                           static_cast<long long>(column) * args.b_column;
        float sum[rows] = {};
        for (int at = from; at < depth; at += ahead * step) {
            float y[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                y[i] = k < depth ? load_element(b + static_cast<long long>(k) * args.b_row) : 0.0f;
            }
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                GPU_UNROLL for (int row = 0; row < rows; ++row) if (row < args.m && k < depth)
                    sum[row] =
                        multiply_add(load_element(a + static_cast<long long>(row) * args.a_row +
                                                  static_cast<long long>(k) * args.a_column),
                                     y[i], sum[row]);
            }
        }
        if constexpr (along_k) {
            GPU_UNROLL for (int row = 0; row < rows; ++row) {
                const float total = warp_sum(sum[row]);
                if (lane == 0) store_sum(args, of, part, row, column, total);
            }
        } else {
            GPU_UNROLL for (int row = 0; row < rows; ++row) partial[warp][row][lane] = sum[row];
            block_barrier();
            for (int i = thread; i < rows * odd_columns; i += odd_threads) {
                const int row = i / odd_columns, c = i % odd_columns;
                float total = 0;
                GPU_UNROLL for (int p = 0; p < parts; ++p) total += partial[p][row][c];
                store_sum(args, of, part, row, static_cast<int>(block_x()) * odd_columns + c,
                          total);
            }
            block_barrier();
        }
    });
}

constexpr int least_shifted = 96;  // columns

int element_bytes(const ProductArgs& args) { return args.type == 1 ? 4 : 2; }

RowLoop loop_of(const ProductArgs& args) {
    const int per = 16 / element_bytes(args);
    const auto lies = [&](const void* data, int odd, const std::int32_t(&steps)[batch_axes]) {
        for (int axis = 0; axis < args.batch_rank; ++axis) odd |= steps[axis];
        return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && odd % per == 0;
    };
    if (args.b_column == 1 && lies(args.b, args.n | args.b_row, args.b_batch))
        return RowLoop::along_n;
    const bool along_k = args.b_column != 1 && args.n > 1;
    if (args.b_row == 1 && args.a_column == 1 &&
        lies(args.b, args.k | args.b_column, args.b_batch) &&
        lies(args.a, args.a_row, args.a_batch))
        return RowLoop::along_k;
    if (args.m == 1 && args.b_column == 1 && args.n >= least_shifted) return RowLoop::shifted;
    return along_k ? RowLoop::odd_along_k : RowLoop::odd;
}

unsigned blocks_for(int columns, int of_block) {
    return static_cast<unsigned>((columns - 1) / of_block + 1);
}

/// Chooses wide rows of b where there are still enough blocks.
int lanes_of(const ProductArgs& args) {
    constexpr long long enough = 96;
    int lanes = most_lanes;
    while (lanes > 2 && static_cast<long long>(args.batch) *
                                blocks_for(args.n, lanes * 16 / element_bytes(args)) <
                            enough)
        lanes /= 2;
    return lanes;
}

Grid grid_of(const ProductArgs& args, int of_block) {
    return tile_grid(1, blocks_for(args.n, of_block),
                     static_cast<long long>(args.batch) * args.parts);
}

template <typename T, int rows>
void launch_rows(Queue& queue, const ProductArgs& args, RowLoop loop) {
    constexpr unsigned n_threads = along_n_threads, k_threads = along_k_threads;
    if (loop == RowLoop::along_n) {
        const int lanes = lanes_of(args);
        GPU_LAUNCH((few_rows_along_n<T, rows>), grid_of(args, lanes * per_piece<T>), n_threads,
                   queue, args, lanes);
    } else
        GPU_LAUNCH((few_rows_along_k<T, rows>), grid_of(args, along_k_threads / 32), k_threads,
                   queue, args);
}

template <typename T, int rows>
void launch_odd(Queue& queue, const ProductArgs& args, RowLoop loop) {
    constexpr unsigned threads = odd_threads;
    if (loop == RowLoop::odd)
        GPU_LAUNCH((few_rows_odd<T, rows, false>), grid_of(args, odd_columns), threads, queue,
                   args);
    else
        GPU_LAUNCH((few_rows_odd<T, rows, true>), grid_of(args, odd_threads / 32), threads, queue,
                   args);
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args) {
    const RowLoop loop = loop_of(args);
    const bool is_odd = loop == RowLoop::odd || loop == RowLoop::odd_along_k;
    if (is_odd && args.m == 1) launch_odd<T, 1>(queue, args, loop);
    else if (is_odd) launch_odd<T, most_few_rows>(queue, args, loop);
    else if (args.m <= 4) launch_rows<T, 4>(queue, args, loop);
    else launch_rows<T, most_few_rows>(queue, args, loop);
}

}  // namespace

ProductSplit split_of_few_rows(const ProductArgs& args) {
    const RowLoop loop = loop_of(args);
    // a block has enough threads to share k itself
    if (loop != RowLoop::odd && loop != RowLoop::odd_along_k) return {1, args.k, 0};
    const int columns = loop == RowLoop::odd ? odd_columns : odd_threads / 32;
    return split_of_blocks(static_cast<long long>(args.batch) * blocks_for(args.n, columns), args.k,
                           static_cast<long long>(args.batch) * args.m * args.n);
}

void launch_few_rows(Queue& queue, const ProductArgs& args) {
    const RowLoop loop = loop_of(args);
    if (args.m == 1 && loop != RowLoop::odd && loop != RowLoop::odd_along_k)
        return launch_one_row(queue, args, loop);
    if (args.type == 10) launch_of<half_t>(queue, args);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args);
    else launch_of<float>(queue, args);
}

}  // namespace lapidary::cuda
