// SPDX-License-Identifier: Apache-2.0
// What kernels whose blocks wait for each other are written over: all blocks of a launch are on the
// device at once, or it is not launched. As in gpu.h, nvcc makes instructions of it, the C++
// compiler what runs on the emulated device.
#pragma once

#include "gpu_shared.h"

#if defined(__CUDACC__)
namespace lapidary::cuda {

/// By one thread: waits until the counter is at least `least`. What the counting threads wrote
/// before a fence is visible then.
GPU_DEVICE void wait_for_count(const unsigned* counter, unsigned least) {
    unsigned count = 0;
    while (count < least)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
}

/// How many blocks of the kernel the device runs at once; 0 where it has too little shared memory.
template <typename... Parameters>
unsigned most_blocks_together(void (*kernel)(Parameters...), unsigned threads, unsigned bytes) {
    int device = 0, count = 0, launches = 0, most_bytes = 0, each = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&launches, cudaDevAttrCooperativeLaunch, device);
    cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (launches == 0 || bytes > static_cast<unsigned>(most_bytes)) return 0;
    const bool fits = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(bytes)) == cudaSuccess &&
                      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                          &each, kernel, static_cast<int>(threads), bytes) == cudaSuccess;
    if (!fits) cudaGetLastError();  // else the next launch would report it
    return fits ? static_cast<unsigned>(each * count) : 0;
}

/// False where other work leaves too little room on the device now; nothing is queued then.
template <typename... Parameters, typename... Arguments>
bool launch_together(const Queue& queue, Grid grid, unsigned threads, unsigned bytes,
                     void (*kernel)(Parameters...), const Arguments&... arguments) {
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid.x, grid.y, grid.z);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = static_cast<cudaStream_t>(queue.stream);
    config.attrs = &together;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...) !=
        cudaErrorCooperativeLaunchTooLarge)
        return true;
    cudaGetLastError();
    return false;
}

}  // namespace lapidary::cuda

/// An expression that is false where nothing was queued. most_blocks_together() must have been
/// called with the same `bytes`.
#define GPU_LAUNCH_TOGETHER(kernel, grid, threads, bytes, queue, ...)                       \
    (::lapidary::cuda::launch_together(queue, grid, threads, bytes, kernel, __VA_ARGS__) && \
     (::lapidary::cuda::check_launch(#kernel), true))

#else  // ------------------------------------------------------------------------------------------
       // emulated

namespace lapidary::cuda {

GPU_DEVICE void wait_for_count(const unsigned* counter, unsigned least) {
    auto* const shared = const_cast<unsigned*>(counter);
    emulated::wait_for_others([=] { return std::atomic_ref<unsigned>(*shared).load() >= least; });
}
template <typename Kernel>
unsigned most_blocks_together(Kernel, unsigned, unsigned bytes) {
    return bytes <= emulated::block_memory_bytes ? emulated::most_together : 0;
}

}  // namespace lapidary::cuda

#define GPU_LAUNCH_TOGETHER(kernel, grid, threads, bytes, queue, ...)           \
    (::lapidary::cuda::emulated::launch_together(queue, grid, threads,          \
                                                 [=] { kernel(__VA_ARGS__); }), \
     true)
#endif

namespace lapidary::cuda {

/// A barrier for all blocks of a launch, to be used any number of times. It uses two counters of
/// Queue, which are 0 before and after. All threads of all blocks call each method.
class GridMeeting {
public:
    GPU_METHOD GridMeeting(unsigned* counters, unsigned blocks)
        : counters_(counters), blocks_(blocks) {}
    /// Waits for all blocks. What any thread wrote before can then be read with load_fresh().
    GPU_METHOD void meet() {
        block_barrier();
        if (blocks_ == 1) return;
        if (thread_index() == 0) {
            memory_fence();
            count_up(counters_);
            wait_for_count(counters_, blocks_ * ++round_);
        }
        block_barrier();
    }
    /// The last call.
    GPU_METHOD void end() {
        if (thread_index() != 0 || count_up(counters_ + 1) + 1 != blocks_) return;
        counters_[0] = counters_[1] = 0;
    }

private:
    unsigned* counters_;
    unsigned blocks_, round_ = 0;
};

}  // namespace lapidary::cuda
