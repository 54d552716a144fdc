// SPDX-License-Identifier: Apache-2.0
// Products of one row, as for a new token. b is read once, in pieces of 16 bytes where it is
// contiguous along its columns or along k, with enough loads in flight to keep the memory busy.
#include "kernels/product/one_row_along_n.cuh"
#include "kernels/product/product_few_rows.h"

namespace lapidary::cuda {
namespace {

constexpr int ahead = 8;  // pieces that a thread loads before it uses the first

constexpr int along_k_threads = 128, along_k_warps = along_k_threads / 32, wide_columns = 4;

/// A warp computes a column; its lanes share k in pieces.
template <typename T>
GPU_GLOBAL void one_row_along_k(ProductArgs args) {
    constexpr int per = per_piece<T>, step = 32 * per;
    const int lane = static_cast<int>(thread_index()) % 32;
    const int column =
        static_cast<int>(block_x()) * along_k_warps + static_cast<int>(thread_index()) / 32;
    const int depth = column < args.n ? args.k : 0;
    Piece pieces[ahead];
    const auto load = [&](const T* b, int at) {
        GPU_UNROLL for (int i = 0; i < ahead; ++i) {
            const int k = at + i * step;
            pieces[i] = k < depth ? piece_at(b + static_cast<long long>(column) * args.b_column + k)
                                  : Piece{};
        }
    };
    bool is_loaded = args.has_constant_b;
    if (is_loaded) load(matrices_of<T>(args, static_cast<int>(block_z())).b, lane * per);
    kernel_begin();
    for_matrices<T>(args, [&](const Part&, const Matrices<T>& of) {
        ElementEpilogue<T> epilogue;
        if (lane == 0 && column < args.n) {
            epilogue.load_bias(args.epilogue, column);
            epilogue.load_residual(args.epilogue, of.output + column);
        }
        float sum = 0;
        for (int at = lane * per; at < depth; at += ahead * step) {
            if (!is_loaded) load(of.b, at);
            is_loaded = false;
            Piece row[ahead];
            GPU_UNROLL for (int i = 0; i < ahead; ++i) row[i] =
                at + i * step < depth ? piece_at(of.a + at + i * step) : Piece{};
            GPU_UNROLL for (int i = 0; i < ahead; ++i) {
                float x[per], y[per];
                elements_of<T>(row[i], x);
                elements_of<T>(pieces[i], y);
                GPU_UNROLL for (int j = 0; j < per; ++j) sum = multiply_add(x[j], y[j], sum);
            }
        }
        is_loaded = false;
        sum = warp_sum(sum);
        if (lane == 0 && column < args.n)
            store_element(of.y + column, epilogue.finished(args.epilogue, sum));
    });
}

/// For many columns: a warp computes some neighbouring columns at a time, and loads pieces of the
/// next ones before it has summed the current ones.
template <typename T>
GPU_GLOBAL void GPU_BLOCKS_OF(along_k_threads, 8) one_row_along_k_wide(ProductArgs args) {
    constexpr int per = per_piece<T>, step = 32 * per, columns = wide_columns;
    const int lane = static_cast<int>(thread_index()) % 32;
    const int begin =
        (static_cast<int>(block_x()) * along_k_warps + static_cast<int>(thread_index()) / 32) *
        columns;
    const int turn = static_cast<int>(grid_x()) * along_k_warps * columns;
    Piece next[columns];
    const auto load = [&](const T* b, int column, int k) {
        GPU_UNROLL for (int c = 0; c < columns; ++c) next[c] =
            k < args.k && column + c < args.n
                ? piece_at(b + static_cast<long long>(column + c) * args.b_column + k)
                : Piece{};
    };
    bool is_loaded = args.has_constant_b;
    if (is_loaded) load(matrices_of<T>(args, static_cast<int>(block_z())).b, begin, lane * per);
    kernel_begin();
    for_matrices<T>(args, [&](const Part&, const Matrices<T>& of) {
        if (!is_loaded) load(of.b, begin, lane * per);
        is_loaded = false;
        float sum[columns] = {};
        for (int column = begin, base = 0; column < args.n;) {
            Piece pieces[columns];
            GPU_UNROLL for (int c = 0; c < columns; ++c) pieces[c] = next[c];
            const int k = base + lane * per, of_column = column;
            const Piece row = k < args.k ? piece_at(of.a + k) : Piece{};
            base += step;
            if (base >= args.k) {
                base = 0;
                column += turn;
            }
            load(of.b, column, base + lane * per);
            float x[per], y[per];
            elements_of<T>(row, x);
            GPU_UNROLL for (int c = 0; c < columns; ++c) {
                elements_of<T>(pieces[c], y);
                GPU_UNROLL for (int j = 0; j < per; ++j) sum[c] = multiply_add(x[j], y[j], sum[c]);
            }
            if (column == of_column) continue;
            int own = of_column;
            fold_sums<16, columns>(sum, lane, 1, own);
            if (lane % (32 / columns) == 0 && own < args.n) {
                ElementEpilogue<T> epilogue;
                epilogue.load_bias(args.epilogue, own);
                epilogue.load_residual(args.epilogue, of.output + own);
                store_element(of.y + own, epilogue.finished(args.epilogue, sum[0]));
            }
            GPU_UNROLL for (int c = 0; c < columns; ++c) sum[c] = 0;
        }
    });
}

constexpr int shifted_warps = 8, shifted_threads = 32 * shifted_warps;

/// For rows of b that are not aligned to 16 bytes. Every eighth row has the same alignment as the
/// first one. A warp handles such a set of rows and reads the pieces around its columns; its sums
/// are shifted by `shift` columns.
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
            const auto at =
                begin + static_cast<std::uintptr_t>(row) * static_cast<std::uintptr_t>(args.b_row) +
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
                x[i] = k < args.k ? load_element(of.a + static_cast<long long>(k) * args.a_column)
                                  : 0.0f;
                if (k >= args.k) continue;
                if (from >= 0 && from + per <= end) {
                    pieces[i] = piece_at(of.b + from);
                } else {  // at the beginning or end of the matrix
                    T elements[per] = {};
                    GPU_UNROLL for (int j = 0; j < per; ++j) if (from + j >= 0 && from + j < end)
                        elements[j] = of.b[from + j];
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
            GPU_UNROLL for (int w = 0; w < shifted_warps; ++w) total +=
                partial[w][thread + shift_of(w)];
            store_sum(args, of, part, 0, first + thread, total);
        }
        block_barrier();
    });
}

template <typename T>
void launch_along_k(Queue& queue, const ProductArgs& args) {
    constexpr unsigned enough = 264, most = 1056, threads = along_k_threads;
    const unsigned blocks = blocks_for(args.n, along_k_warps * wide_columns);
    const Grid narrow = tile_grid(1, blocks_for(args.n, along_k_warps), args.batch);
    const Grid wide = tile_grid(1, blocks < most ? blocks : most, args.batch);
    if (blocks >= enough) GPU_LAUNCH(one_row_along_k_wide<T>, wide, threads, queue, args);
    else GPU_LAUNCH(one_row_along_k<T>, narrow, threads, queue, args);
}

template <typename T>
void launch_of(Queue& queue, const ProductArgs& args, RowLoop loop) {
    constexpr unsigned threads = shifted_threads;
    constexpr int columns = 31 * per_piece<T>;
    if (loop == RowLoop::along_n) launch_one_row_along_n<T>(queue, args);
    else if (loop == RowLoop::along_k) launch_along_k<T>(queue, args);
    else
        GPU_LAUNCH(one_row_shifted<T>, tile_grid(1, blocks_for(args.n, columns), args.batch),
                   threads, queue, args);
}

}  // namespace

void launch_one_row(Queue& queue, const ProductArgs& args, RowLoop loop) {
    if (args.type == 10) launch_of<half_t>(queue, args, loop);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args, loop);
    else launch_of<float>(queue, args, loop);
}

}  // namespace lapidary::cuda
