// SPDX-License-Identifier: Apache-2.0
// The functions of gpu_hopper.h on the emulated device. Copies of tiles land some time after they
// were requested and then count down their barrier. Multiplications read shared memory some time
// before they are waited for. Both read operands by the same descriptors and swizzle as the device
// does.
#pragma once

#include <cstdint>

#include "tile_map.h"

namespace lapidary::cuda {
struct WindowPlace;
}

namespace lapidary::cuda::emulated {

/// Shared memory of the running block: as much as a device has, aligned to 1024 bytes, filled with
/// NaNs.
unsigned char* shared_memory();
/// The offset of `p` in shared_memory(). Throws std::logic_error where `p` does not point into it.
unsigned shared_address(const void* p);

void barrier_init(std::uint64_t* barrier, unsigned arrivals);
void barrier_arrive(std::uint64_t* barrier, unsigned bytes);
void barrier_wait(std::uint64_t* barrier, unsigned parity);
void copy_tile(void* to, const TileMap& map, int matrix, int row, int column,
               std::uint64_t* barrier);
void copy_windows(void* to, const TileMap& map, const WindowPlace& place, int tap_row,
                  int tap_column, int channel, std::uint64_t* barrier);

/// Call from a thread that does not multiply. A store reads shared memory at some time before it is
/// waited for. A store that is never waited for does not happen.
void store_tile(const void* from, const TileMap& map, int matrix, int row, int column);
void store_commit();
void store_wait();

void store_in_cluster(void* to, unsigned z, const void* from, unsigned bytes,
                      std::uint64_t* barrier);
void barrier_wait_for_cluster(std::uint64_t* barrier, unsigned parity);

/// `count`: sums that a thread holds, half the number of columns.
void group_multiply(float* d, unsigned count, std::uint64_t a, std::uint64_t b, bool b_along_k,
                    bool is_bfloat);
/// The same for floats, truncated to TF32; `a` comes from registers.
void group_multiply_tf32(float* d, unsigned count, const std::uint32_t (&a)[4], std::uint64_t b);
void group_commit();
void group_wait(int groups_left);

}  // namespace lapidary::cuda::emulated
