// SPDX-License-Identifier: Apache-2.0
// A block of a product of one row: it handles the columns of its cluster for its part of k. A
// thread reads a piece of the row, and a piece of columns of the matching rows of b. So the row
// needs no shared memory.
#pragma once

#include "gpu_cluster.h"
#include "kernels/hopper/one_row_product.h"
#include "kernels/product/one_row.cuh"

namespace lapidary::cuda {

/// Threads of a block: enough to cover the part with one piece each, up to the largest block.
inline unsigned row_cluster_threads(std::int32_t depth) {
    using namespace row_cluster;
    const std::int32_t wanted = ((depth - 1) / per + 1) * lanes, whole = (wanted + 31) / 32 * 32;
    return static_cast<unsigned>(whole < columns        ? columns
                                 : whole < most_threads ? whole
                                                        : most_threads);
}

/// Shared memory of a block: the sums of its warps, the sums from the cluster's blocks, and the
/// barrier that counts their bytes.
struct RowClusterMemory {
    float of_warps[row_cluster::most_threads / 32][row_cluster::columns];
    float came[row_cluster::most_parts][row_cluster::columns];
    barrier_t barrier;
};
inline constexpr unsigned row_cluster_bytes = sizeof(RowClusterMemory);

/// Where threads wait. Tests pass a type that leaves a wait out, to see that the fault is found.
struct RowClusterSync {
    GPU_METHOD void begun() const { cluster_wait(); }    // all blocks of the cluster have begun
    GPU_METHOD void summed() const { block_barrier(); }  // all warps
    // the results of all blocks have arrived
    GPU_METHOD void came(barrier_t* sums) const { barrier_wait_for_cluster(sums, 0); }
};

/// Sums a piece of columns over the thread's share of rows `begin` to `end`. The loads of its first
/// piece are already in flight.
template <typename T>
struct RowOfThread {
    static constexpr int per = row_cluster::per;
    Piece pieces[per];
    float sum[per] = {};

    GPU_METHOD void load(const ProductArgs& args, int column, int row, int end) {
        const T* const from =
            static_cast<const T*>(args.b) + static_cast<long long>(row) * args.b_row + column;
        GPU_UNROLL for (int i = 0; i < per; ++i) pieces[i] =
            row < end && column < args.n ? piece_at(from + static_cast<long long>(i) * args.b_row)
                                         : Piece{};
    }
    GPU_METHOD void add(const ProductArgs& args, int row, int end) {
        float x[per];
        elements_of<T>(row < end ? piece_at(static_cast<const T*>(args.a) + row) : Piece{}, x);
        GPU_UNROLL for (int i = 0; i < per; ++i) {
            float y[per];
            elements_of<T>(pieces[i], y);
            GPU_UNROLL for (int j = 0; j < per; ++j) sum[j] = multiply_add(x[i], y[j], sum[j]);
        }
    }
};

/// Called by the block before any other block sends it sums.
GPU_DEVICE void begin_row_cluster(RowClusterMemory& shared, int part, int parts) {
    if (thread_index() == 0) {
        barrier_init(&shared.barrier, 1);
        barrier_init_done();
        const unsigned bytes = static_cast<unsigned>(parts * row_cluster::columns) * sizeof(float);
        if (part == 0) barrier_expect(&shared.barrier, bytes);
    }
    if (parts > 1) cluster_arrive();
}

/// Sends the sums of all warps of the block to the first block.
GPU_DEVICE void give_row_sums(RowClusterMemory& shared, int part, int parts) {
    const int thread = static_cast<int>(thread_index()),
              warps = static_cast<int>(thread_count()) / 32;
    if (thread >= row_cluster::columns / 4) return;
    float total[4] = {};
    for (int warp = 0; warp < warps; ++warp)
        GPU_UNROLL for (int i = 0; i < 4; ++i) total[i] += shared.of_warps[warp][thread * 4 + i];
    if (parts > 1) store_in_cluster(shared.came[part] + thread * 4, 0, total, &shared.barrier);
    else GPU_UNROLL for (int i = 0; i < 4; ++i) shared.came[0][thread * 4 + i] = total[i];
}

template <typename T, typename Sync>
GPU_DEVICE void one_row_in_cluster(const ProductArgs& args, unsigned char* memory,
                                   const Sync& sync) {
    using namespace row_cluster;
    auto& shared = *reinterpret_cast<RowClusterMemory*>(memory);
    const int thread = static_cast<int>(thread_index());
    const int part = static_cast<int>(block_z()), parts = args.parts, lane = thread % lanes;
    const int first = static_cast<int>(block_x()) * columns, column = first + lane * per;
    const int begin = part * args.part_depth, step = static_cast<int>(thread_count()) / lanes * per;
    const int end =
        parts == 1 || args.k - begin < args.part_depth ? args.k : begin + args.part_depth;
    // the column that it finishes
    const int own = part == 0 && thread < columns ? first + thread : args.n;
    begin_row_cluster(shared, part, parts);
    RowOfThread<T> row;
    ElementEpilogue<T> epilogue;
    int at = begin + thread / lanes * per;
    if (args.has_constant_b) row.load(args, column, at, end);
    if (args.has_constant_bias && own < args.n) epilogue.load_bias(args.epilogue, own);
    if (parts > 1) sync.begun();
    kernel_begin();
    if (!args.has_constant_b) row.load(args, column, at, end);
    if (!args.has_constant_bias && own < args.n) epilogue.load_bias(args.epilogue, own);
    if (own < args.n) epilogue.load_residual(args.epilogue, own);
    row.add(args, at, end);
    for (at += step; at < end; at += step) {
        row.load(args, column, at, end);
        row.add(args, at, end);
    }
    int kept = lane * per;
    fold_sums<16, per>(row.sum, thread, lanes, kept);
    GPU_UNROLL for (int i = 0; i < 2; ++i) shared.of_warps[thread / 32][kept + i] = row.sum[i];
    sync.summed();
    give_row_sums(shared, part, parts);
    if (part != 0) return;
    if (parts > 1) sync.came(&shared.barrier);
    else block_barrier();
    if (own >= args.n) return;
    float sum = 0;
    for (int other = 0; other < parts; ++other) sum += shared.came[other][thread];
    store_element(static_cast<T*>(args.y) + own, epilogue.finished(args.epilogue, sum));
}

}  // namespace lapidary::cuda
