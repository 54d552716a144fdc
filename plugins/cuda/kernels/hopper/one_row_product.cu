// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/one_row_product.h"

#include "gpu_cluster.h"
#include "kernels/hopper/row_cluster.cuh"

namespace lapidary::cuda {
namespace {

template <typename T>
GPU_GLOBAL void GPU_BLOCKS_OF(row_cluster::most_threads, 2) one_row_clusters(ProductArgs args) {
    GPU_SHARED_MEMORY(memory);
    one_row_in_cluster<T>(args, memory, RowClusterSync());
}

}  // namespace

void launch_one_row_clusters(Queue& queue, const ProductArgs& args) {
    const Grid grid{static_cast<unsigned>((args.n - 1) / row_cluster::columns + 1), 1,
                    static_cast<unsigned>(args.parts)};
    const std::int32_t depth = args.parts == 1 ? args.k : args.part_depth;
    const unsigned threads = row_cluster_threads(depth);
    if (args.type == 10)
        GPU_LAUNCH_SMALL_CLUSTERS(one_row_clusters<half_t>, grid, threads, row_cluster_bytes, queue,
                                  args);
    else
        GPU_LAUNCH_SMALL_CLUSTERS(one_row_clusters<bfloat_t>, grid, threads, row_cluster_bytes,
                                  queue, args);
}

}  // namespace lapidary::cuda
