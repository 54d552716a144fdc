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

/// Of the running block: as much as a device has, at a multiple of 1024 bytes, filled with what is
/// not a number.
unsigned char* shared_memory();
/// Throws std::logic_error where it is no address of shared_memory().
unsigned shared_address(const void* p);

void barrier_init(std::uint64_t* barrier, unsigned arrivals);
void barrier_arrive(std::uint64_t* barrier, unsigned bytes);
void barrier_wait(std::uint64_t* barrier, unsigned parity);
void copy_tile(void* to, const TileMap& map, int matrix, int row, int column,
               std::uint64_t* barrier);
void copy_windows(void* to, const TileMap& map, const WindowPlace& place, int tap_row,
                  int tap_column, int channel, std::uint64_t* barrier);

/// For a thread that multiplies nothing. A store reads shared memory some time before it is waited
/// for; a store that is not waited for does not happen.
void store_tile(const void* from, const TileMap& map, int matrix, int row, int column);
void store_commit();
void store_wait();

void store_in_cluster(void* to, unsigned z, const void* from, unsigned bytes,
                      std::uint64_t* barrier);
void barrier_wait_for_cluster(std::uint64_t* barrier, unsigned parity);

/// `count`: of the sums of a thread, half as many as columns.
void group_multiply(float* d, unsigned count, std::uint64_t a, std::uint64_t b, bool b_along_k,
                    bool is_bfloat);
/// Of floats, cut off to TF32; `a` from registers.
void group_multiply_tf32(float* d, unsigned count, const std::uint32_t (&a)[4], std::uint64_t b);
void group_commit();
void group_wait(int groups_left);

}  // namespace lapidary::cuda::emulated
