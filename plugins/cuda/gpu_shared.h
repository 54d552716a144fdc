// SPDX-License-Identifier: Apache-2.0
// Shared memory whose size a launch tells, at a multiple of 1024 bytes.
#pragma once

#include "gpu.h"

#if defined(__CUDACC__)
#define GPU_SHARED_MEMORY(name) extern __shared__ __align__(1024) unsigned char name[]
#else
#define GPU_SHARED_MEMORY(name) unsigned char* const name = ::lapidary::cuda::emulated::block_memory()
#endif
