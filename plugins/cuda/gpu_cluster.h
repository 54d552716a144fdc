// SPDX-License-Identifier: Apache-2.0
// What kernels whose blocks are in clusters are written over: blocks of a launch with the same x
// and y are one, and store to each other's shared memory. Compute capability 9.0. As in gpu.h, nvcc
// makes instructions of it, the C++ compiler what runs on the emulated device.
#pragma once

#include "gpu_hopper.h"

#if defined(__CUDACC__)
namespace lapidary::cuda {

/// All threads of all blocks of the cluster arrive once, then wait once. After that all blocks have
/// begun, and each sees the barriers that others initialized. No other memory is ordered.
GPU_DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
GPU_DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

/// Stores to the shared memory of the cluster's block `z`, at the offset that `to` (a multiple of
/// 16 bytes) has in this block's, and counts the bytes on that block's `barrier`. Call after
/// cluster_wait(). A block must not end before all bytes that it expects have arrived.
GPU_DEVICE void store_in_cluster(float* to, unsigned z, const float (&v)[4], barrier_t* barrier) {
    asm volatile(
        "{\n.reg .u32 at, of;\nmapa.shared::cluster.u32 at, %0, %2;\nmapa.shared::cluster.u32 of, "
        "%1, %2;\n"
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [at], {%3, %4, %5, %6}, "
        "[of];\n}" ::"r"(shared_address(to)),
        "r"(shared_address(barrier)), "r"(z), "f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3])
        : "memory");
}
/// barrier_wait() for a barrier on which stores of other blocks are counted.
GPU_DEVICE void barrier_wait_for_cluster(barrier_t* barrier, unsigned parity) {
    unsigned has_ended = 0;
    while (!has_ended)
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], "
            "%2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(has_ended)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
}

/// Queues the kernel with `bytes` of shared memory, as far as its attributes allow.
template <typename... Parameters, typename... Arguments>
void queue_clusters(const Queue& queue, Grid grid, unsigned threads, unsigned bytes,
                    void (*kernel)(Parameters...), const Arguments&... arguments) {
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (grid.z > 1) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = attributes[count].val.clusterDim.y = 1;
        attributes[count++].val.clusterDim.z = grid.z;
    }
    if (queue.overlaps) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid.x, grid.y, grid.z);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = static_cast<cudaStream_t>(queue.stream);
    config.attrs = attributes;
    config.numAttrs = count;
    cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

/// `most_bytes`: the most shared memory of any launch of the kernel. Every launch sets this same
/// limit, so that recorded launches stay valid.
template <typename... Parameters, typename... Arguments>
void launch_clusters(const Queue& queue, Grid grid, unsigned threads, unsigned bytes,
                     unsigned most_bytes, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(most_bytes));
    prefer_shared_memory(queue, kernel);
    queue_clusters(queue, grid, threads, bytes, kernel, arguments...);
}

}  // namespace lapidary::cuda

/// Launches clusters of at most 8 blocks along z, which every device supports.
#define GPU_LAUNCH_CLUSTERS(kernel, grid, threads, bytes, most_bytes, queue, ...)          \
    do {                                                                                   \
        ::lapidary::cuda::launch_clusters(queue, grid, threads, bytes, most_bytes, kernel, \
                                          __VA_ARGS__);                                    \
        ::lapidary::cuda::check_launch(#kernel);                                           \
    } while (false)

/// The same with less than 48 KB of shared memory. The share of shared memory in the
/// multiprocessor's memory stays as it was.
#define GPU_LAUNCH_SMALL_CLUSTERS(kernel, grid, threads, bytes, queue, ...)                 \
    do {                                                                                    \
        ::lapidary::cuda::queue_clusters(queue, grid, threads, bytes, kernel, __VA_ARGS__); \
        ::lapidary::cuda::check_launch(#kernel);                                            \
    } while (false)

#else  // ------------------------------------------------------------------------------------------
       // emulated

namespace lapidary::cuda {

GPU_DEVICE void cluster_arrive() { emulated::cluster_arrive(); }
GPU_DEVICE void cluster_wait() { emulated::cluster_wait(); }
GPU_DEVICE void store_in_cluster(float* to, unsigned z, const float (&v)[4], barrier_t* barrier) {
    emulated::store_in_cluster(to, z, v, sizeof(v), barrier);
}
GPU_DEVICE void barrier_wait_for_cluster(barrier_t* barrier, unsigned parity) {
    emulated::barrier_wait_for_cluster(barrier, parity);
}

}  // namespace lapidary::cuda

#define GPU_LAUNCH_CLUSTERS(kernel, grid, threads, bytes, most_bytes, queue, ...) \
    ::lapidary::cuda::emulated::launch_clusters(queue, grid, threads, [=] { kernel(__VA_ARGS__); })
#define GPU_LAUNCH_SMALL_CLUSTERS(kernel, grid, threads, bytes, queue, ...) \
    ::lapidary::cuda::emulated::launch_clusters(queue, grid, threads, [=] { kernel(__VA_ARGS__); })
#endif
