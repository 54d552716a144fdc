// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu.h"
#include "kernels/load_store.cuh"

/// Launches the instance of the kernel for elements of 1, 2, 4 or 8 bytes.
#define LAPIDARY_BY_SIZE(kernel, count, bytes, ...)                                               \
    do {                                                                                          \
        const Grid grid = grid_for(count);                                                        \
        if ((bytes) == 1)                                                                         \
            GPU_LAUNCH_FREE(kernel<std::uint8_t>, grid, free_threads, queue, __VA_ARGS__);        \
        else if ((bytes) == 2)                                                                    \
            GPU_LAUNCH_FREE(kernel<std::uint16_t>, grid, free_threads, queue, __VA_ARGS__);       \
        else if ((bytes) == 4)                                                                    \
            GPU_LAUNCH_FREE(kernel<std::uint32_t>, grid, free_threads, queue, __VA_ARGS__);       \
        else GPU_LAUNCH_FREE(kernel<unsigned long long>, grid, free_threads, queue, __VA_ARGS__); \
    } while (false)
