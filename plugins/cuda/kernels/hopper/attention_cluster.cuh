// SPDX-License-Identifier: Apache-2.0
// A block of a cluster that handles one query: it handles a part of the keys, and the first block
// joins the results of all.
#pragma once

#include "gpu_cluster.h"
#include "kernels/attention/attention_rows.cuh"
#include "kernels/hopper/attention_clusters.h"

namespace lapidary::cuda {

/// Shared memory of a block: the results of its warps, the results the results of all blocks have
/// arrived of the cluster (sums, then largest score and sum of weights), and the barrier that
/// counts their bytes.
template <int per>
struct AttentionClusterMemory {
    static constexpr int columns = most_row_lanes * per;
    RowsSeen<per> gathered;
    alignas(16) float came[most_clustered_parts][columns + 4];
    barrier_t barrier;
};

/// Where threads wait. Tests pass a type that leaves a wait out, to see that the fault is found.
struct AttentionClusterSync {
    GPU_METHOD void begun() const { cluster_wait(); }  // all blocks of the cluster have begun
    // from all blocks
    GPU_METHOD void came(barrier_t* parts) const { barrier_wait_for_cluster(parts, 0); }
};

/// Sends the results to the first block; a thread sends four columns.
template <int per>
GPU_DEVICE void give_part(AttentionClusterMemory<per>& shared, const AttentionArgs& args, int part,
                          int thread) {
    constexpr int columns = AttentionClusterMemory<per>::columns;
    if (4 * thread >= args.value_size) return;
    float sums[4], measures[4] = {};
    GPU_UNROLL for (int i = 0; i < 4; ++i) {
        const SeenKeys<1> all = shared.gathered.of_column(4 * thread + i);
        sums[i] = all.sum[0];
        measures[0] = all.most;
        measures[1] = all.total;
    }
    store_in_cluster(shared.came[part] + 4 * thread, 0, sums, &shared.barrier);
    if (thread == 0) store_in_cluster(shared.came[part] + columns, 0, measures, &shared.barrier);
}

template <typename T, bool in_pieces, int keys_at_once, typename Sync>
GPU_DEVICE void attend_in_cluster(const AttentionArgs& args, const RowLanes& lanes,
                                  unsigned char* memory, const Sync& sync) {
    constexpr int per = per_piece<T>, columns = AttentionClusterMemory<per>::columns;
    auto& shared = *reinterpret_cast<AttentionClusterMemory<per>*>(memory);
    const int thread = static_cast<int>(thread_index()), parts = args.parts;
    const int tile = static_cast<int>(block_x()), row = tile / args.queries,
              batch = row / args.heads;
    const AttentionBlock block{batch, row - batch * args.heads, tile - row * args.queries,
                               static_cast<int>(block_z())};
    if (thread == 0) {
        barrier_init(&shared.barrier, 1);
        barrier_init_done();
        if (block.slice == 0)
            barrier_expect(&shared.barrier,
                           static_cast<unsigned>(parts * (args.value_size + 4)) * sizeof(float));
    }
    cluster_arrive();
    SeenKeys<per> seen = see_keys<T, in_pieces, keys_at_once>(args, lanes, block);
    shared.gathered.gather(seen, lanes.count, thread);
    sync.begun();
    give_part(shared, args, block.slice, thread);
    if (block.slice != 0) return;
    sync.came(&shared.barrier);
    for (int c = thread; c < args.value_size; c += row_threads) {
        SeenKeys<1> all;
        for (int part = 0; part < parts; ++part) {
            const float* const came = shared.came[part];
            const float sum[1] = {came[c]};
            all.join(came[columns], came[columns + 1], sum);
        }
        store_element(static_cast<T*>(args.y) +
                          place_of(args.y_strides, block.batch, block.head, block.tile, c),
                      all.total == 0 ? args.blind : all.sum[0] / all.total);
    }
}

}  // namespace lapidary::cuda
