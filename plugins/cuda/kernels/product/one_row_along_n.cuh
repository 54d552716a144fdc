// SPDX-License-Identifier: Apache-2.0
// Products of one row with a row-major matrix, read in pieces of 16 bytes. The row is used as it
// is, or each block first normalizes it, which is faster than a separate kernel.
#pragma once

#include "kernels/normalization/normalize_row.cuh"
#include "kernels/product/one_row.cuh"

namespace lapidary::cuda {

// most_lanes: most pieces of columns in a block; along_n_ahead: pieces that a thread loads before
// it uses the first
inline constexpr int most_lanes = 8, along_n_ahead = 6;

/// Normalizes the only row. Each thread handles some of its pieces; scale and bias are in shared
/// memory.
template <typename T, int threads, int most>
struct NormalizedRow {
    static constexpr int per = per_piece<T>, kept = (most / per + threads - 1) / threads;
    Piece scale[most / per], bias[most / per];

    /// Starts copying scale and bias of this thread's pieces. They are constants, so this may come
    /// before kernel_begin().
    GPU_METHOD void copy_factors(const NormalizeArgs& args) {
        for (int at = static_cast<int>(thread_index()); at * per < args.width; at += threads) {
            if (args.scale)
                copy_async16(scale + at, static_cast<const T*>(args.scale) + at * per, true);
            if (args.bias)
                copy_async16(bias + at, static_cast<const T*>(args.bias) + at * per, true);
        }
        copy_commit();
    }
    /// Writes the normalized elements, rounded to T, to `row` as floats, followed by zeros. All
    /// threads see them after a barrier.
    GPU_METHOD void stage(float (&row)[most], const NormalizeArgs& args, bool stores_sum) const {
        const int thread = static_cast<int>(thread_index());
        float x[kept][per] = {}, mean = 0, inverse = 0;
        load_row<T, threads>(args, 0, thread, x);
        measure_row<threads>(args, thread, x, mean, inverse);
        copy_wait<0>();
        GPU_UNROLL for (int j = 0; j < kept; ++j) {
            const int first = (thread + j * threads) * per;
            if (first >= most) continue;
            float y[per] = {};
            if (first < args.width) {
                const ChannelFactors<T> factors{scale[first / per], bias[first / per]};
                GPU_UNROLL for (int i = 0; i < per; ++i) y[i] = (x[j][i] - mean) * inverse;
                factors.apply(args, y);
                elements_of<T>(piece_of<T>(y), y);
                if (stores_sum && args.sum)
                    store_piece(static_cast<T*>(args.sum) + first, piece_of<T>(x[j]));
            }
            GPU_UNROLL for (int i = 0; i < per; ++i) row[first + i] = y[i];
        }
    }
};

/// A block computes `lanes` (1, 2, 4 or 8) neighbouring pieces of columns; its threads share k. If
/// b is constant, each thread loads its first pieces while earlier kernels still run. The row is
/// staged in shared memory, a part at a time if it is long. `normalizes`: the row is the result of
/// `norm`; the first block stores norm.sum.
template <typename T, int threads, bool normalizes>
GPU_GLOBAL void GPU_BLOCKS_OF(threads, 1024 / threads)
    one_row_along_n(ProductArgs args, NormalizeArgs norm, int lanes) {
    constexpr int per = per_piece<T>, warps = threads / 32, most_left = most_lanes * per / 32;
    // elements of the row that are staged at once
    constexpr int most = along_n_ahead * threads;
    GPU_SHARED float partial[warps][most_lanes * per];
    GPU_SHARED_16 float row[most];
    GPU_SHARED_16 NormalizedRow<T, threads, normalizes ? most : per> normalized;
    const int thread = static_cast<int>(thread_index()), lane = thread % lanes,
              step = threads / lanes;
    const int first = static_cast<int>(block_x()) * lanes * per, column = first + lane * per;
    const int depth = column < args.n ? args.k : 0,
              own = thread < lanes * per ? first + thread : args.n;
    Piece pieces[along_n_ahead];
    const auto load = [&](const T* b, int at) {
        const T* from = b + static_cast<long long>(at) * args.b_row + column;
        const long long stride = static_cast<long long>(step) * args.b_row;
        GPU_UNROLL for (int i = 0; i < along_n_ahead; ++i, from += stride) pieces[i] =
            at + i * step < depth ? piece_at(from) : Piece{};
    };
    const auto stage = [&](const Matrices<T>& of, int base) {
        const bool in_pieces = args.a_column == 1 && args.k % per == 0 && is_at_piece(of.a);
        stage_row<T, threads>(row, of.a + static_cast<long long>(base) * args.a_column,
                              args.a_column, args.k - base, in_pieces);
    };
    int item = static_cast<int>(block_z());
    Matrices<T> of = matrices_of<T>(args, item);
    bool is_loaded = args.has_constant_b, is_staged = true;
    if (is_loaded) load(of.b, thread / lanes);
    ElementEpilogue<T> epilogue;
    if (args.has_constant_bias && own < args.n) epilogue.load_bias(args.epilogue, own);
    if constexpr (normalizes) normalized.copy_factors(norm);
    kernel_begin();
    if constexpr (normalizes) normalized.stage(row, norm, block_x() == 0);
    else stage(of, 0);
    if (!args.has_constant_bias && own < args.n) epilogue.load_bias(args.epilogue, own);
    for (;;) {
        if (own < args.n) epilogue.load_residual(args.epilogue, of.output + own);
        float sum[per] = {};
        for (int base = 0; base < args.k; base += most) {
            const int end = args.k - base < most ? args.k : base + most;
            if (!is_staged) stage(of, base);
            is_staged = false;
            block_barrier();
            for (int at = base + thread / lanes; at < (depth < end ? depth : end);
                 at += along_n_ahead * step) {
                if (!is_loaded) load(of.b, at);
                is_loaded = false;
                float x[along_n_ahead];
                GPU_UNROLL for (int i = 0; i < along_n_ahead; ++i) x[i] = row[at - base + i * step];
                GPU_UNROLL for (int i = 0; i < along_n_ahead; ++i) {
                    float y[per];
                    elements_of<T>(pieces[i], y);
                    GPU_UNROLL for (int j = 0; j < per; ++j) sum[j] =
                        multiply_add(x[i], y[j], sum[j]);
                }
            }
            if (end < args.k) block_barrier();
        }
        is_loaded = false;
        int kept = lane * per;
        fold_sums<16, per>(sum, thread, lanes, kept);
        if (thread % (32 / per) < lanes)
            GPU_UNROLL for (int i = 0; i < most_left; ++i) if (i == 0 || lanes * per > 32 * i)
                partial[thread / 32][kept + i] = sum[i];
        block_barrier();
        if (own < args.n) {
            float total = 0;
            GPU_UNROLL for (int warp = 0; warp < warps; ++warp) total += partial[warp][thread];
            store_element(of.y + own, epilogue.finished(args.epilogue, total));
        }
        item += static_cast<int>(grid_z());
        if (normalizes || item >= args.batch) return;
        block_barrier();
        of = matrices_of<T>(args, item);
    }
}

/// How many blocks and threads one_row_along_n() has.
struct AlongN {
    int lanes = most_lanes;
    unsigned threads = 1024;
    Grid grid;

    AlongN(const ProductArgs& args, int per) {
        constexpr long long enough = 96;
        const auto blocks = [&] { return blocks_for(args.n, lanes * per); };
        while (lanes > 1 && static_cast<long long>(args.batch) * blocks() < enough) lanes /= 2;
        grid = tile_grid(1, blocks(), args.batch);
        // threads that would load their share of k at once
        const long long of_all = static_cast<long long>(args.k) * lanes / along_n_ahead;
        while (threads > 128 && of_all <= threads / 2) threads /= 2;
    }
};

template <typename T>
void launch_one_row_along_n(Queue& queue, const ProductArgs& args) {
    const AlongN in(args, per_piece<T>);
    with_pieces<128, 256, 512, 1024>(static_cast<int>(in.threads), [&]<int threads>() {
        GPU_LAUNCH((one_row_along_n<T, threads, false>), in.grid, threads, queue, args,
                   NormalizeArgs(), in.lanes);
    });
}

}  // namespace lapidary::cuda
