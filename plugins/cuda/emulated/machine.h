// SPDX-License-Identifier: Apache-2.0
// The emulated device: runs kernels of gpu.h on fibers. Blocks of a launch are shared out among a
// few threads of the host; within a block every thread of the kernel is a fiber that runs until it
// waits. A seed other than 0 shuffles the order of fibers, lets one warp run ahead as far as it
// gets, and lets each asynchronous copy land at once or only when it is waited for: a barrier or a
// wait that a kernel lacks then changes results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "queue.h"

namespace lapidary::cuda::emulated {

struct Position {
    Grid block, grid;
    unsigned threads = 1;  // of a block
};
extern thread_local Position position;

unsigned thread_index();
/// All fibers of the block meet; those that ended count as there.
void meet_block();
/// Those of the warp.
void meet_warp();
float shuffle_xor(float value, int mask);
void copy_async(void* to, const void* from, bool is_valid);
void copy_commit();
void copy_wait(int groups_left);
enum class TileType : std::uint8_t { f16, bf16, tf32 };
/// The mma instructions m16n8k16 (16-bit types) and m16n8k8 (tf32), by their fragments.
void multiply_tiles(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                    TileType type);
/// The mma instruction m16n8k32 of bytes, signed or not, by its fragments. Sums wrap.
void multiply_byte_tiles(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                         bool is_a_signed, bool is_b_signed);

/// The ldmatrix instruction of four matrices of halves. Throws std::logic_error where a row does
/// not begin at a multiple of 16 bytes.
void load_matrices(std::uint32_t (&r)[4], const void* row, bool is_turned);

/// The fiber waits until `holds` does, which others or what they left for later bring about.
void wait_until(std::function<bool()> holds);
/// Of the block: done at some time, when nothing else goes on at the latest.
void do_later(std::function<void()> work);
/// Of the fiber: done at once, or in order when it waits for all groups but the newest
/// `groups_left`.
void put_off(std::function<void()> work);
void commit_put_off();
void do_put_off(int groups_left);
/// Shared memory of the block, at a multiple of 1024 bytes, filled with what is not a number when a
/// block begins.
unsigned char* block_memory();
inline constexpr std::size_t block_memory_bytes = std::size_t{227} << 10;

/// Runs all blocks now, in the calling thread and helpers. `waits`: its threads may wait for each
/// other. Throws std::logic_error for a launch that no device takes, std::runtime_error where
/// threads wait for each other in different places, or wait though `waits` is false.
void run(Grid grid, unsigned threads, bool waits, unsigned seed, const std::function<void()>& body);

/// Blocks that the device holds at once, for kernels whose blocks wait for each other: each is run
/// in a thread of the host of its own.
inline constexpr unsigned most_together = 4;
/// The fiber waits until `holds` does, which other blocks bring about.
void wait_for_others(std::function<bool()> holds);
/// run() of so many blocks or fewer, whose threads may wait for those of other blocks. Throws what
/// run() throws, and where blocks wait for each other in vain.
void run_together(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body);

inline constexpr unsigned most_in_cluster = 8;
/// Clusters, as gpu_cluster.h says. Blocks of one are run at once, each in a thread of the host of
/// its own.
void cluster_arrive();
void cluster_wait();
/// Where what lies there in this block's shared memory lies in that of the cluster's block `z`.
unsigned char* memory_in_cluster(const void* of_block, unsigned z);
/// Blocks with the same x and y are a cluster. Throws what run_together() throws.
void run_clusters(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body);

/// Queues it on a queue of emulated/runtime.cpp.
void launch_clusters(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body);
void launch_together(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body);
void launch(const Queue& queue, Grid grid, unsigned threads, bool waits,
            std::function<void()> body);

}  // namespace lapidary::cuda::emulated
