// SPDX-License-Identifier: Apache-2.0
// Shared memory whose size the launch sets, aligned to 1024 bytes. GPU_LAUNCH_SHARED() launches
// such a kernel.
#pragma once

#include "gpu.h"

#if defined(__CUDACC__)
namespace lapidary::cuda {
/// copy_async16() that keeps the bytes in the multiprocessor's cache, for data that other threads
/// there copy too.
GPU_DEVICE void copy_async16_cached(void* to, const void* from, bool is_valid) {
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(from),
                 "r"(is_valid ? 16 : 0)
                 : "memory");
}
}  // namespace lapidary::cuda
#define GPU_SHARED_MEMORY(name) extern __shared__ __align__(1024) unsigned char name[]
#define GPU_LAUNCH_SHARED(kernel, grid, threads, bytes, queue, ...)                        \
    do {                                                                                   \
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,          \
                             static_cast<int>(bytes));                                     \
        ::lapidary::cuda::launch_kernel(queue, grid, threads, bytes, kernel, __VA_ARGS__); \
        ::lapidary::cuda::check_launch(#kernel);                                           \
    } while (false)
#else
namespace lapidary::cuda {
GPU_DEVICE void copy_async16_cached(void* to, const void* from, bool is_valid) {
    copy_async16(to, from, is_valid);
}
}  // namespace lapidary::cuda
#define GPU_SHARED_MEMORY(name) \
    unsigned char* const name = ::lapidary::cuda::emulated::block_memory()
#define GPU_LAUNCH_SHARED(kernel, grid, threads, bytes, queue, ...) \
    ::lapidary::cuda::emulated::launch(queue, grid, threads, true, [=] { kernel(__VA_ARGS__); })
#endif
