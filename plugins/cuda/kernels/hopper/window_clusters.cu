// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/window_clusters.h"

#include "kernels/hopper/window_clusters.cuh"

namespace lapidary::cuda {

void launch_window_clusters(Queue& queue, const ConvolutionArgs& args, ClusterSize size) {
    const ProductArgs product = product_of_windows(args, size);
    if (is_flat_window(args.window)) return launch_small_group_product(queue, product);
    const WindowClusterCall call = window_cluster_call(args, product);
    GPU_LAUNCH_CLUSTERS((window_clusters<>), call.grid, group_threads,
                        small_group::shared_bytes(call.stages, product.parts),
                        small_group::most_shared_bytes, queue, product, call.windows, call.x,
                        call.w, call.stages);
}

}  // namespace lapidary::cuda
