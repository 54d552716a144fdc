// SPDX-License-Identifier: Apache-2.0
// Products of one row, as a new token has them: b is read once, in pieces of 16 bytes wherever its columns or what lies
// along k are next to each other, with so many pieces on their way that memory is never idle.
#include "kernels/product_few_rows.h"
#include "kernels/product_parts.cuh"

namespace lapidary::cuda {
namespace {

constexpr int ahead = 8;  // pieces that a thread asks for before it uses one

/// Runs `tile` for each matrix of the block.
template <typename T, typename Tile>
GPU_DEVICE void for_matrices(const ProductArgs& args, const Tile& tile) {
    for (int item = static_cast<int>(block_z()); item < args.batch; item += static_cast<int>(grid_z()))
        tile(part_of(args, item), matrices_of<T>(args, item));
}

constexpr int most_lanes = 8;

/// A block has `lanes` pieces of columns next to each other, 2, 4 or 8; its threads share k out.
template <typename T, int threads>
GPU_GLOBAL void GPU_BLOCKS_OF(threads, 1) one_row_along_n(ProductArgs args, int lanes) {
    kernel_begin();
    constexpr int per = per_piece<T>, warps = threads / 32;
    GPU_SHARED float partial[warps][most_lanes * per];
    const int thread = static_cast<int>(thread_index()), lane = thread % lanes, step = threads / lanes;
    const int first = static_cast<int>(block_x()) * lanes * per, column = first + lane * per;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        const int depth = column < args.n ? args.k : 0;
        float sum[per] = {};
        for (int at = thread / lanes; at < depth; at += ahead * step) {
            Piece pieces[ahead];
            float x[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * step;
                const bool is_there = k < depth;
                pieces[i] = is_there ? piece_at(of.b + static_cast<long long>(k) * args.b_row + column) : Piece{};
                x[i] = is_there ? load_element(of.a + static_cast<long long>(k) * args.a_column) : 0.0f;
            }
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                float y[per];
                elements_of<T>(pieces[i], y);
                GPU_UNROLL for (int j = 0; j < per; ++j) sum[j] = multiply_add(x[i], y[j], sum[j]);
            }
        }
        for (int mask = 16; mask >= lanes; mask /= 2)
            GPU_UNROLL for (int j = 0; j < per; ++j) sum[j] += shuffle_xor(sum[j], mask);
        if (thread % 32 < lanes) GPU_UNROLL for (int j = 0; j < per; ++j) partial[thread / 32][lane * per + j] = sum[j];
        block_barrier();
        for (int c = thread; c < lanes * per; c += threads) {
            float total = 0;
            GPU_UNROLL for (int warp = 0; warp < warps; ++warp) total += partial[warp][c];
            store_sum(args, of, part, 0, first + c, total);
        }
        block_barrier();
    });
}

constexpr int along_k_threads = 128;

/// A warp has a few columns; its lanes share k out in pieces.
template <typename T, int columns>
GPU_GLOBAL void one_row_along_k(ProductArgs args) {
    kernel_begin();
    constexpr int per = per_piece<T>, warps = along_k_threads / 32, step = 32 * per, turns = ahead / columns;
    const int lane = static_cast<int>(thread_index()) % 32;
    const int first = (static_cast<int>(block_x()) * warps + static_cast<int>(thread_index()) / 32) * columns;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        float sum[columns] = {};
        for (int at = lane * per; at < args.k; at += turns * step) {
            Piece row[turns], pieces[turns][columns];
            GPU_UNROLL for (int i = 0; i < turns; ++i) {
                const int k = at + i * step;
                row[i] = k < args.k ? piece_at(of.a + k) : Piece{};
                GPU_UNROLL for (int c = 0; c < columns; ++c) pieces[i][c] =
                    k < args.k && first + c < args.n
                        ? piece_at(of.b + static_cast<long long>(first + c) * args.b_column + k)
                        : Piece{};
            }
            GPU_UNROLL for (int i = 0; i < turns; ++i) {
                float x[per], y[per];
                elements_of<T>(row[i], x);
                GPU_UNROLL for (int c = 0; c < columns; ++c) {
                    elements_of<T>(pieces[i][c], y);
                    GPU_UNROLL for (int j = 0; j < per; ++j) sum[c] = multiply_add(x[j], y[j], sum[c]);
                }
            }
        }
        GPU_UNROLL for (int c = 0; c < columns; ++c) {
            const float total = warp_sum(sum[c]);
            if (lane == 0) store_sum(args, of, part, 0, first + c, total);
        }
    });
}

constexpr int shifted_warps = 8, shifted_threads = 32 * shifted_warps;

/// Rows of b that do not begin at multiples of 16 bytes. Every eighth row lies in pieces as the first one does: a warp
/// has those rows, reads the pieces around its columns, and its sums stand shifted by `shift` columns.
template <typename T>
GPU_GLOBAL void one_row_shifted(ProductArgs args) {
    kernel_begin();
    constexpr int per = per_piece<T>, window = 32 * per, columns = window - per;
    static_assert(shifted_warps % per == 0);
    GPU_SHARED float partial[shifted_warps][window];
    const int thread = static_cast<int>(thread_index()), lane = thread % 32, warp = thread / 32;
    const int first = static_cast<int>(block_x()) * columns;
    for_matrices<T>(args, [&](const Part& part, const Matrices<T>& of) {
        const auto shift_of = [&](int row) {
            const auto begin = reinterpret_cast<std::uintptr_t>(of.b) / sizeof(T);
            const auto at = begin + static_cast<std::uintptr_t>(row) * static_cast<std::uintptr_t>(args.b_row) +
                            static_cast<std::uintptr_t>(first);
            return static_cast<int>(at % per);
        };
        const long long end = static_cast<long long>(args.k - 1) * args.b_row + args.n;
        const int column = first - shift_of(warp) + lane * per;
        float sum[per] = {};
        for (int at = warp; at < (column < args.n ? args.k : 0); at += ahead * shifted_warps) {
            Piece pieces[ahead];
            float x[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                const int k = at + i * shifted_warps;
                const long long from = static_cast<long long>(k) * args.b_row + column;
                pieces[i] = Piece{};
                x[i] = k < args.k ? load_element(of.a + static_cast<long long>(k) * args.a_column) : 0.0f;
                if (k >= args.k) continue;
                if (from >= 0 && from + per <= end) {
                    pieces[i] = piece_at(of.b + from);
                } else {  // where the matrix begins or ends
                    T elements[per] = {};
                    GPU_UNROLL for (int j = 0; j < per; ++j) if (from + j >= 0 && from + j < end) elements[j] =
                        of.b[from + j];
                    memcpy(&pieces[i], static_cast<const void*>(elements), sizeof(Piece));
                }
            }
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                float y[per];
                elements_of<T>(pieces[i], y);
                GPU_UNROLL for (int j = 0; j < per; ++j) sum[j] = multiply_add(x[i], y[j], sum[j]);
            }
        }
        GPU_UNROLL for (int j = 0; j < per; ++j) partial[warp][lane * per + j] = sum[j];
        block_barrier();
        if (thread < columns) {
            float total = 0;
            GPU_UNROLL for (int w = 0; w < shifted_warps; ++w) total += partial[w][thread + shift_of(w)];
            store_sum(args, of, part, 0, first + thread, total);
        }
        block_barrier();
    });
}

unsigned blocks_for(int columns, int of_block) { return static_cast<unsigned>((columns - 1) / of_block + 1); }

template <typename T>
void launch_along_n(Queue& queue, const ProductArgs& args) {
    constexpr int enough = 96;
    const auto blocks = [&](int lanes) { return blocks_for(args.n, lanes * per_piece<T>); };
    int lanes = most_lanes;
    while (lanes > 2 && static_cast<long long>(args.batch) * blocks(lanes) < enough) lanes /= 2;
    const Grid grid = tile_grid(1, blocks(lanes), args.batch);
    const int pieces = args.k * lanes / ahead;  // threads that read all at once
    if (pieces > 512) GPU_LAUNCH((one_row_along_n<T, 1024>), grid, 1024, queue, args, lanes);
    else if (pieces > 256) GPU_LAUNCH((one_row_along_n<T, 512>), grid, 512, queue, args, lanes);
    else GPU_LAUNCH((one_row_along_n<T, 256>), grid, 256, queue, args, lanes);
}

template <typename T>
void launch_along_k(Queue& queue, const ProductArgs& args) {
    constexpr int many = 4, warps = along_k_threads / 32, enough = 264;
    const unsigned blocks = blocks_for(args.n, warps * many);
    const Grid few = tile_grid(1, blocks_for(args.n, warps), args.batch), wide = tile_grid(1, blocks, args.batch);
    constexpr unsigned threads = along_k_threads;
    if (blocks >= enough) GPU_LAUNCH((one_row_along_k<T, many>), wide, threads, queue, args);
    else GPU_LAUNCH((one_row_along_k<T, 1>), few, threads, queue, args);
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, RowLoop loop) {
    constexpr unsigned threads = shifted_threads;
    constexpr int columns = 31 * per_piece<T>;
    if (loop == RowLoop::along_n) launch_along_n<T>(queue, args);
    else if (loop == RowLoop::along_k) launch_along_k<T>(queue, args);
    else GPU_LAUNCH(one_row_shifted<T>, tile_grid(1, blocks_for(args.n, columns), args.batch), threads, queue, args);
}

}  // namespace

void launch_one_row(Queue& queue, const ProductArgs& args, RowLoop loop) {
    if (args.type == 10) launch_of<half_t>(queue, args, loop);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, loop);
    else launch_of<float>(queue, args, loop);
}

}  // namespace lapidary::cuda
