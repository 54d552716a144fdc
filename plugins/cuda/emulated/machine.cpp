// SPDX-License-Identifier: Apache-2.0
#include "emulated/machine.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <lapidary/tensor/float16.h>

#include "emulated/block_runner.h"
#include "emulated/workers.h"

namespace lapidary::cuda::emulated {

thread_local Position position;

namespace {

/// The runners of this host thread, kept for their fibers' stacks; by threads of a block and
/// whether they wait.
thread_local std::map<std::pair<unsigned, bool>, std::unique_ptr<BlockRunner>> runners;

/// Throws for launch sizes that a device would refuse.
void check_size(Grid grid, unsigned threads) {
    const bool fits = grid.x > 0 && grid.x <= INT32_MAX && grid.y > 0 &&
                      grid.y <= most_blocks_along && grid.z > 0 && grid.z <= most_blocks_along &&
                      threads > 0 && threads <= 1024;
    if (!fits)
        throw std::logic_error("a launch of " + std::to_string(grid.x) + " x " +
                               std::to_string(grid.y) + " x " + std::to_string(grid.z) +
                               " blocks of " + std::to_string(threads) +
                               " threads, which no device takes");
}

BlockRunner& waiting_runner() {
    if (!running->waits())
        throw std::logic_error("a kernel launched as free waits for other threads");
    return *running;
}

/// Converts the one or two elements of a word to floats.
void store_elements(float* to, std::uint32_t word, TileType type) {
    if (type == TileType::tf32) {
        std::memcpy(to, &word, 4);
        return;
    }
    for (unsigned half = 0; half < 2; ++half) {
        const auto bits = static_cast<std::uint16_t>(word >> (16 * half));
        BFloat16 b;
        b.bits = bits;
        to[half] = type == TileType::f16 ? half_bits_to_float(bits) : static_cast<float>(b);
    }
}

}  // namespace

unsigned thread_index() { return running->current(); }

void meet_block() { waiting_runner().leave(State::at_barrier); }
void meet_warp() { waiting_runner().leave(State::at_warp); }

float shuffle_xor(float value, int mask) {
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size;
    slots[lane * slot_floats] = value;
    runner.leave(State::at_warp);
    const float other = slots[(lane ^ static_cast<unsigned>(mask)) * slot_floats];
    runner.leave(State::at_warp);
    return other;
}

void copy_async(void* to, const void* from, bool is_valid) {
    if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16 != 0)
        throw std::logic_error("an asynchronous copy does not begin at a multiple of 16 bytes");
    Copy copy{to, {}};
    if (is_valid) std::memcpy(copy.data, from, 16);
    BlockRunner& runner = waiting_runner();
    if (runner.lands_at_once()) std::memcpy(to, copy.data, 16);
    else runner.fiber().open.push_back(copy);
}

void copy_commit() {
    Fiber& fiber = waiting_runner().fiber();
    fiber.groups.push_back(std::move(fiber.open));
    fiber.open.clear();
}

void copy_wait(int groups_left) {
    Fiber& fiber = waiting_runner().fiber();
    while (fiber.groups.size() > static_cast<std::size_t>(groups_left)) {
        for (const Copy& copy : fiber.groups.front()) std::memcpy(copy.to, copy.data, 16);
        fiber.groups.erase(fiber.groups.begin());
    }
}

void wait_until(std::function<bool()> holds) {
    BlockRunner& runner = waiting_runner();
    if (holds()) return;
    runner.fiber().condition = std::move(holds);
    runner.leave(State::at_condition);
}

void wait_for_others(std::function<bool()> holds) {
    BlockRunner& runner = waiting_runner();
    if (!together)
        throw std::logic_error("a kernel waits for blocks that are not launched together");
    if (holds()) return;
    runner.fiber().condition = std::move(holds);
    runner.leave(State::at_others);
}

void do_later(std::function<void()> work) { waiting_runner().do_later(std::move(work)); }

void put_off(std::function<void()> work) {
    BlockRunner& runner = waiting_runner();
    Fiber& fiber = runner.fiber();
    if (fiber.put_off.empty() && fiber.open_put_off.empty() && runner.lands_at_once())
        return work();
    fiber.open_put_off.push_back(std::move(work));
}

void commit_put_off() {
    Fiber& fiber = waiting_runner().fiber();
    fiber.put_off.push_back(std::move(fiber.open_put_off));
    fiber.open_put_off.clear();
}

void do_put_off(int groups_left) {
    Fiber& fiber = waiting_runner().fiber();
    while (fiber.put_off.size() > static_cast<std::size_t>(groups_left)) {
        for (const Deferred& work : fiber.put_off.front()) work();
        fiber.put_off.erase(fiber.put_off.begin());
    }
}

unsigned char* block_memory() { return waiting_runner().memory(); }

namespace {

/// The sum as tensor cores compute it. Every term is truncated at the same bit: two below the last
/// bit of a float32 with the largest term's exponent. The sum is rounded toward zero.
float cut_off_sum(const double* terms, unsigned count) {
    constexpr std::uint64_t infinite = 0x7ff, bias = 1023, kept = 25;
    std::uint64_t largest = 0;
    for (unsigned i = 0; i < count; ++i)
        largest = std::max(largest, std::bit_cast<std::uint64_t>(terms[i]) >> 52 & infinite);
    if (largest == infinite) return static_cast<float>(std::accumulate(terms, terms + count, 0.0));
    if (largest <= kept) return 0;  // products of floats are far above this
    const double unit = std::bit_cast<double>((largest - kept) << 52);
    const double per_unit = std::bit_cast<double>((2 * bias + kept - largest) << 52);
    std::int64_t units = 0;
    for (unsigned i = 0; i < count; ++i) units += static_cast<std::int64_t>(terms[i] * per_unit);
    const double sum = static_cast<double>(units) * unit;
    const auto rounded = static_cast<float>(sum);
    return std::fabs(static_cast<double>(rounded)) > std::fabs(sum) ? std::nextafter(rounded, 0.0f)
                                                                    : rounded;
}

}  // namespace

void multiply_tiles(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                    TileType type) {
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size, per_word = type == TileType::tf32 ? 1 : 2;
    for (unsigned i = 0; i < 4; ++i)
        store_elements(slots + lane * slot_floats + i * per_word, a[i], type);
    for (unsigned i = 0; i < 2; ++i)
        store_elements(slots + lane * slot_floats + (4 + i) * per_word, b[i], type);
    runner.leave(State::at_warp);
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        double terms[17];
        unsigned count = 0;
        for (unsigned upper = 0; upper < 2; ++upper)
            for (unsigned word = 0; word < 4; ++word) {
                const float* const x = slots + (row % 8 * 4 + word) * slot_floats +
                                       ((row >= 8 ? 1 : 0) + 2 * upper) * per_word;
                const float* const y =
                    slots + (column * 4 + word) * slot_floats + (4 + upper) * per_word;
                for (unsigned k = 0; k < per_word; ++k)
                    terms[count++] = static_cast<double>(x[k]) * y[k];
            }
        terms[count++] = d[i];
        d[i] = cut_off_sum(terms, count);
    }
    runner.leave(State::at_warp);
}

void load_matrices(std::uint32_t (&r)[4], const void* row, bool is_transposed) {
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        throw std::logic_error("a row of a matrix does not begin at a multiple of 16 bytes");
    BlockRunner& runner = waiting_runner();
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size;
    std::memcpy(slots + lane * slot_floats, &row, sizeof(row));
    runner.leave(State::at_warp);
    const auto element = [&](unsigned matrix, unsigned of_row, unsigned column) {
        const unsigned char* begin = nullptr;
        std::memcpy(&begin, slots + (matrix * 8 + of_row) * slot_floats, sizeof(begin));
        std::uint16_t bits = 0;
        std::memcpy(&bits, begin + column * 2, 2);
        return std::uint32_t{bits};
    };
    for (unsigned j = 0; j < 4; ++j) {
        const unsigned major = lane / 4, minor = lane % 4 * 2;
        const std::uint32_t low =
            is_transposed ? element(j, minor, major) : element(j, major, minor);
        const std::uint32_t high =
            is_transposed ? element(j, minor + 1, major) : element(j, major, minor + 1);
        r[j] = low | high << 16;
    }
    runner.leave(State::at_warp);
}

namespace {

/// The sum of four products of bytes, which wraps.
std::uint32_t product_of_bytes(float x, float y, bool is_x_signed, bool is_y_signed) {
    unsigned char a[4], b[4];
    std::memcpy(a, &x, 4);
    std::memcpy(b, &y, 4);
    const auto number = [](unsigned char byte, bool is_signed) {
        return is_signed ? static_cast<int>(static_cast<std::int8_t>(byte))
                         : static_cast<int>(byte);
    };
    int sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += number(a[i], is_x_signed) * number(b[i], is_y_signed);
    return static_cast<std::uint32_t>(sum);
}

}  // namespace

void multiply_byte_tiles(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                         bool is_a_signed, bool is_b_signed) {
    BlockRunner& runner = waiting_runner();
    // words of bytes, stored in the float slots without conversion
    float* const slots = runner.warp_slots();
    const unsigned lane = runner.current() % warp_size;
    std::memcpy(slots + lane * slot_floats, a, sizeof(a));
    std::memcpy(slots + lane * slot_floats + 4, b, sizeof(b));
    runner.leave(State::at_warp);
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        auto sum = static_cast<std::uint32_t>(d[i]);
        for (unsigned upper = 0; upper < 2; ++upper)
            for (unsigned word = 0; word < 4; ++word)
                sum += product_of_bytes(
                    slots[(row % 8 * 4 + word) * slot_floats + (row >= 8 ? 1 : 0) + 2 * upper],
                    slots[(column * 4 + word) * slot_floats + 4 + upper], is_a_signed, is_b_signed);
        d[i] = static_cast<int>(sum);
    }
    runner.leave(State::at_warp);
}

void run(Grid grid, unsigned threads, bool waits, unsigned seed,
         const std::function<void()>& body) {
    check_size(grid, threads);
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        auto& kept = runners[{threads, waits}];
        if (!kept) kept = std::make_unique<BlockRunner>(threads, waits);
        BlockRunner& runner = *kept;
        runner.set_body(body);
        position.grid = grid;
        position.threads = threads;
        try {
            for (std::size_t i = 0; (i = next++) < blocks;) {
                position.block = {static_cast<unsigned>(i % grid.x),
                                  static_cast<unsigned>(i / grid.x % grid.y),
                                  static_cast<unsigned>(i / grid.x / grid.y)};
                runner.run_block(
                    seed == 0 ? 0 : static_cast<std::uint32_t>(seed * 7919u + i * 31u) | 1u);
            }
        } catch (...) {
            kept.reset();  // its fibers are still inside the kernel
            throw;
        }
    };
    // helpers are not woken for little work
    run_on_workers(work, waits ? blocks / 8 : blocks / 16);
}

namespace {

/// Runs `count` blocks of the grid at once; `block_of` gives their numbers.
void run_at_once(unsigned count, Grid grid, unsigned threads, unsigned seed,
                 const std::function<void()>& body,
                 const std::function<std::size_t(unsigned)>& block_of) {
    Together all(count);
    // other blocks store to its memory until all have ended
    std::vector<std::unique_ptr<BlockRunner>> of_blocks(count);
    std::exception_ptr failure;
    const auto run_one = [&](unsigned i) {
        together = &all;
        const std::size_t block = block_of(i);
        position = {
            {static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block / grid.x % grid.y),
             static_cast<unsigned>(block / grid.x / grid.y)},
            grid,
            threads};
        try {
            of_blocks[i] = std::make_unique<BlockRunner>(threads, true);
            all.memories[i] = of_blocks[i]->memory();
            of_blocks[i]->set_body(body);
            of_blocks[i]->run_block(
                seed == 0 ? 0 : static_cast<std::uint32_t>(seed * 7919u + block * 31u) | 1u);
        } catch (...) {
            if (!all.has_failed.exchange(true)) failure = std::current_exception();
        }
        together = nullptr;
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < count; ++i) others.emplace_back(run_one, i);
    run_one(0);
    for (std::thread& t : others) t.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace

void run_together(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body) {
    check_size(grid, threads);
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    if (blocks > most_together)
        throw std::logic_error("a launch of " + std::to_string(blocks) +
                               " blocks at once, of which the device holds " +
                               std::to_string(most_together));
    run_at_once(static_cast<unsigned>(blocks), grid, threads, seed, body,
                [](unsigned i) { return i; });
}

void run_clusters(Grid grid, unsigned threads, unsigned seed, const std::function<void()>& body) {
    check_size(grid, threads);
    if (grid.z == 1) return run(grid, threads, true, seed, body);
    if (grid.z > most_in_cluster)
        throw std::logic_error("a cluster of " + std::to_string(grid.z) +
                               " blocks, which not every device takes");
    const std::size_t clusters = std::size_t{grid.x} * grid.y;
    for (std::size_t c = 0; c < clusters; ++c)
        run_at_once(grid.z, grid, threads, seed, body,
                    [=](unsigned z) { return c + z * clusters; });
}

void cluster_arrive() {
    Fiber& fiber = waiting_runner().fiber();
    if (!together)
        throw std::logic_error("a kernel meets blocks of a cluster that it was not launched in");
    if (fiber.cluster_arrivals++ != fiber.cluster_waits)
        throw std::logic_error("a thread arrives at its cluster's meeting again and did not wait");
    ++together->cluster_arrivals;
}

void cluster_wait() {
    Fiber& fiber = waiting_runner().fiber();
    Together* const all = together;
    if (++fiber.cluster_waits != fiber.cluster_arrivals)
        throw std::logic_error("a thread waits for a meeting of its cluster and did not arrive");
    const unsigned least = fiber.cluster_waits * position.threads * position.grid.z;
    wait_for_others([=] { return all->cluster_arrivals >= least; });
}

unsigned char* memory_in_cluster(const void* of_block, unsigned z) {
    if (!together || z >= together->memories.size())
        throw std::logic_error("a store to a block of no cluster");
    if (waiting_runner().fiber().cluster_waits == 0)
        throw std::logic_error("a store to a block of the cluster that may not have begun");
    unsigned char* const memory = together->memories[z];
    if (!memory) throw std::logic_error("a store to the memory of a block that has not begun");
    return memory + (static_cast<const unsigned char*>(of_block) - block_memory());
}

}  // namespace lapidary::cuda::emulated
