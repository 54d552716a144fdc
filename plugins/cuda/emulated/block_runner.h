// SPDX-License-Identifier: Apache-2.0
// Runs blocks of the emulated device: the threads of a block are fibers, each of which runs until
// it waits.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "emulated/stack_switch.h"

namespace lapidary::cuda::emulated {

// slot_floats: room for the elements of two tile fragments that a lane holds
inline constexpr unsigned warp_size = 32, slot_floats = 12;
inline constexpr std::size_t stack_bytes =
    stack_is_watched ? std::size_t{256} << 10 : std::size_t{64} << 10;

struct Copy {
    void* to;
    unsigned char data[16];
};
enum class State : std::uint8_t { ready, at_barrier, at_warp, at_condition, at_others, done };
using Deferred = std::function<void()>;

struct Fiber {
    ucontext_t context{};
    Jump jump;
    Stack stack;
    // the fiber's function has started; between blocks it waits for the next one
    bool has_started = false;
    State state = State::ready;
    std::vector<std::vector<Copy>> groups;  // asynchronous copies, by committed group
    std::vector<Copy> open;
    std::function<bool()> condition;
    std::vector<std::vector<Deferred>> put_off;  // deferred work, by committed group
    std::vector<Deferred> open_put_off;
    unsigned cluster_arrivals = 0, cluster_waits = 0;
};

/// State shared by blocks that run at the same time.
struct Together {
    explicit Together(unsigned blocks) : memories(blocks) {}
    std::atomic<bool> has_failed{false};
    std::atomic<unsigned> cluster_arrivals{0};  // of all threads
    // shared memory of each block of the cluster, once the block has begun
    std::vector<std::atomic<unsigned char*>> memories;
};
extern thread_local Together* together;  // of the running block; null: it runs alone

/// Runs blocks one after the other on one host thread.
class BlockRunner {
public:
    BlockRunner(unsigned threads, bool waits) : threads_(threads), waits_(waits), order_(threads) {
        std::iota(order_.begin(), order_.end(), 0u);
        if (!waits) return;
        fibers_ = std::vector<Fiber>(threads);
        stacks_ = std::make_unique_for_overwrite<unsigned char[]>(stack_bytes * threads);
        slots_.resize(std::size_t{threads + warp_size} * slot_floats);
    }
    void set_body(const std::function<void()>& body) { body_ = &body; }
    void run_block(std::uint32_t seed);

    unsigned current() const { return current_; }
    void leave(State state);
    float* warp_slots() {
        return slots_.data() + std::size_t{current_ / warp_size * warp_size} * slot_floats;
    }
    Fiber& fiber() { return fibers_[current_]; }
    bool lands_at_once() { return shuffles_ && random_() % 2 == 0; }
    bool waits() const { return waits_; }
    void do_later(Deferred work) { later_.push_back(std::move(work)); }
    unsigned char* memory();

private:
    [[noreturn]] static void start();
    void resume(unsigned i);
    void run_without_fibers();
    bool is_any_ready(unsigned warp) const;
    bool step_fibers();
    bool release_warps();
    bool release_block();
    bool release_conditions();
    bool do_some_later();
    void let_others();

    unsigned threads_;
    bool waits_, shuffles_ = false;
    const std::function<void()>* body_ = nullptr;
    std::vector<unsigned> order_;
    std::vector<Fiber> fibers_;
    std::unique_ptr<unsigned char[]> stacks_;
    std::vector<float> slots_;
    Jump home_;
    Stack home_stack_;
    unsigned current_ = 0, done_ = 0, eager_ = 0;
    std::minstd_rand random_;
    std::vector<Deferred> later_;
    std::exception_ptr failure_;  // thrown by a fiber; the runner is not used again then
    std::optional<std::chrono::steady_clock::time_point> idle_since_;
    struct Free {
        void operator()(unsigned char* p) const { std::free(p); }
    };
    std::unique_ptr<unsigned char[], Free> memory_;
};

extern thread_local BlockRunner* running;

}  // namespace lapidary::cuda::emulated
