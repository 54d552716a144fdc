// SPDX-License-Identifier: Apache-2.0
// The emulated device: runs kernels of gpu.h on fibers. Blocks of a launch are shared out among a
// few threads of the host; within a block every thread of the kernel is a fiber that runs until it
// waits. A seed other than 0 shuffles the order of fibers, lets one warp run ahead as far as it
// gets, and lets each asynchronous copy land at once or only when it is waited for: so a missing
// barrier or wait in a kernel changes its results.
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
/// A barrier for all fibers of the block. Fibers that have ended count as arrived.
void meet_block();
/// A barrier for the fibers of the warp.
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
void load_matrices(std::uint32_t (&r)[4], const void* row, bool is_transposed);

/// The fiber waits until holds() is true, which other fibers or deferred work bring about.
void wait_until(std::function<bool()> holds);
/// Defers work of the block: it is done at some time, at the latest when no fiber can go on.
void do_later(std::function<void()> work);
/// Defers work of the fiber: it is done at once, or in order when the fiber waits for all groups
/// but the newest `groups_left`.
void put_off(std::function<void()> work);
void commit_put_off();
void do_put_off(int groups_left);
/// Shared memory of the block, aligned to 1024 bytes, filled with NaNs when a block begins.
unsigned char* block_memory();
inline constexpr std::size_t block_memory_bytes = std::size_t{227} << 10;

/// Runs all blocks now, on the calling thread and helpers. `waits`: threads of the kernel may wait
/// for each other. Throws std::logic_error for a launch that every device refuses, and
/// std::runtime_error where threads wait at different barriers, or wait though `waits` is false.
void run(Grid grid, unsigned threads, bool waits, unsigned seed, const std::function<void()>& body);

/// Blocks that the device runs at once, for kernels whose blocks wait for each other. Each of them
/// has its own host thread.
inline constexpr unsigned most_together = 4;
/// The fiber waits until holds() is true, which other blocks bring about.
void wait_for_others(std::function<bool()> holds);
/// run() for at most most_together blocks, whose threads may wait for threads of other blocks.
/// Throws what run() throws, and std::runtime_error where blocks wait for each other forever.
void run_together(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body);

inline constexpr unsigned most_in_cluster = 8;
/// Clusters, as gpu_cluster.h describes them. The blocks of a cluster run at once, each on its own
/// host thread.
void cluster_arrive();
void cluster_wait();
/// The address in the shared memory of the cluster's block `z` that corresponds to `of_block` in
/// this block's.
unsigned char* memory_in_cluster(const void* of_block, unsigned z);
/// Blocks with the same x and y are a cluster. Throws what run_together() throws.
void run_clusters(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body);

/// Queues such a launch on a queue of emulated/runtime.cpp.
void launch_clusters(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body);
void launch_together(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body);
void launch(const Queue& queue, Grid grid, unsigned threads, bool waits,
            std::function<void()> body);

}  // namespace lapidary::cuda::emulated
