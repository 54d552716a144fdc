// SPDX-License-Identifier: Apache-2.0
// Shared memory whose size a launch tells, at a multiple of 1024 bytes: GPU_LAUNCH_SHARED() launches such a kernel.
#pragma once

#include "gpu.h"

#if defined(__CUDACC__)
#define GPU_SHARED_MEMORY(name) extern __shared__ __align__(1024) unsigned char name[]
#define GPU_LAUNCH_SHARED(kernel, grid, threads, bytes, queue, ...)                                         \
    do {                                                                                                    \
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)); \
        ::lapidary::cuda::launch_kernel(queue, grid, threads, bytes, kernel, __VA_ARGS__);                  \
        ::lapidary::cuda::check_launch(#kernel);                                                            \
    } while (false)
#else
#define GPU_SHARED_MEMORY(name) unsigned char* const name = ::lapidary::cuda::emulated::block_memory()
#define GPU_LAUNCH_SHARED(kernel, grid, threads, bytes, queue, ...) \
    ::lapidary::cuda::emulated::launch(queue, grid, threads, true, [=] { kernel(__VA_ARGS__); })
#endif
