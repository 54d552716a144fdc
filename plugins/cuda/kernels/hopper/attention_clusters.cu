// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/attention_clusters.h"

#include "kernels/hopper/attention_cluster.cuh"

namespace lapidary::cuda {
namespace {

template <typename T, bool in_pieces, int keys_at_once>
GPU_GLOBAL void GPU_BLOCKS_OF(row_threads, 2)
    attention_clusters(AttentionArgs args, RowLanes lanes) {
    GPU_SHARED_MEMORY(memory);
    attend_in_cluster<T, in_pieces, keys_at_once>(args, lanes, memory, AttentionClusterSync());
}

template <typename T, bool in_pieces>
void launch_of(Queue& queue, const AttentionArgs& args) {
    constexpr unsigned threads = row_threads, bytes = sizeof(AttentionClusterMemory<per_piece<T>>);
    static_assert(bytes < 48u << 10);
    const RowLanes lanes = row_lanes<T>(queue, args);
    const Grid grid{static_cast<unsigned>(args.batch * args.heads * args.queries), 1,
                    static_cast<unsigned>(args.parts)};
    const bool has_few_keys = args.part_keys <= 2 * row_threads / lanes.count;
    if (has_few_keys)
        GPU_LAUNCH_SMALL_CLUSTERS((attention_clusters<T, in_pieces, 2>), grid, threads, (bytes),
                                  queue, args, lanes);
    else
        GPU_LAUNCH_SMALL_CLUSTERS((attention_clusters<T, in_pieces, keys_at_once>), grid, threads,
                                  (bytes), queue, args, lanes);
}

}  // namespace

void launch_attention_clusters(Queue& queue, const AttentionArgs& args) {
    const auto launch = [&]<typename T>() {
        if (are_rows_in_pieces<T>(args)) launch_of<T, true>(queue, args);
        else launch_of<T, false>(queue, args);
    };
    if (args.type == 10) launch.template operator()<half_t>();
    else launch.template operator()<bfloat_t>();
}

}  // namespace lapidary::cuda
