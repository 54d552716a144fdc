// SPDX-License-Identifier: Apache-2.0
#include "emulated/block_runner.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "emulated/machine.h"

namespace lapidary::cuda::emulated {

thread_local Together* together = nullptr;
thread_local BlockRunner* running = nullptr;

namespace {

// after waiting so long for other blocks, a launch counts as deadlocked
constexpr std::chrono::seconds longest_wait{30};

}  // namespace

void BlockRunner::leave(State state) {
    Fiber& f = fibers_[current_];
    f.state = state;
    if (!LAPIDARY_SET_JUMP(f.jump)) {
        f.stack.leave_for(home_stack_);
        jump_to(home_);
    }
    f.stack.arrive_from(home_stack_);
}

void BlockRunner::start() {
    running->fiber().stack.arrive_from(running->home_stack_);
    for (;;) {
        try {
            (*running->body_)();
        } catch (...) {
            running->failure_ = std::current_exception();
        }  // an exception must not leave the fiber's stack
        running->leave(State::done);
    }
}

void BlockRunner::resume(unsigned i) {
    current_ = i;
    if (LAPIDARY_SET_JUMP(home_)) return home_stack_.arrive();
    Fiber& f = fibers_[i];
    if (f.has_started) {
        home_stack_.leave_for(f.stack);
        jump_to(f.jump);
    }
    f.has_started = true;
    f.stack = {stacks_.get() + stack_bytes * i, stack_bytes};
    home_stack_.leave_for(f.stack);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stacks_.get() + stack_bytes * i;
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, &BlockRunner::start, 0);
    setcontext(&f.context);
}

bool BlockRunner::is_any_ready(unsigned warp) const {
    const std::size_t end = std::min<std::size_t>(threads_, (warp + 1) * warp_size);
    for (std::size_t i = warp * warp_size; i < end; ++i)
        if (fibers_[i].state == State::ready) return true;
    return false;
}

/// Runs each ready fiber once, or only those of one warp.
bool BlockRunner::step_fibers() {
    const unsigned warps = (threads_ + warp_size - 1) / warp_size;
    if (shuffles_) {
        std::shuffle(order_.begin(), order_.end(), random_);
        if (eager_ >= warps || !is_any_ready(eager_))
            eager_ = static_cast<unsigned>(random_()) % (warps * 2);
    }
    const bool is_one_ahead = shuffles_ && eager_ < warps && is_any_ready(eager_);
    bool has_moved = false;
    for (unsigned i : order_) {
        if (fibers_[i].state != State::ready || (is_one_ahead && i / warp_size != eager_)) continue;
        resume(i);
        has_moved = true;
        done_ += fibers_[i].state == State::done ? 1 : 0;
    }
    return has_moved;
}

bool BlockRunner::release_warps() {
    bool has_moved = false;
    for (unsigned first = 0; first < threads_; first += warp_size) {
        const unsigned end = std::min(threads_, first + warp_size);
        unsigned waiting = 0, gone = 0;
        for (unsigned i = first; i < end; ++i) {
            waiting += fibers_[i].state == State::at_warp ? 1 : 0;
            gone += fibers_[i].state == State::done ? 1 : 0;
        }
        if (waiting == 0 || waiting + gone != end - first) continue;
        for (unsigned i = first; i < end; ++i)
            if (fibers_[i].state == State::at_warp) fibers_[i].state = State::ready;
        has_moved = true;
    }
    return has_moved;
}

bool BlockRunner::release_block() {
    const auto waiting = std::ranges::count(fibers_, State::at_barrier, &Fiber::state);
    if (waiting == 0 || static_cast<unsigned>(waiting) + done_ != threads_) return false;
    for (Fiber& f : fibers_)
        if (f.state == State::at_barrier) f.state = State::ready;
    return true;
}

bool BlockRunner::release_conditions() {
    bool has_moved = false;
    for (Fiber& f : fibers_) {
        if ((f.state != State::at_condition && f.state != State::at_others) || !f.condition())
            continue;
        f.state = State::ready;
        has_moved = true;
    }
    return has_moved;
}

/// Does one piece of deferred work, chosen at random.
bool BlockRunner::do_some_later() {
    if (later_.empty()) return false;
    const std::size_t chosen = shuffles_ ? random_() % later_.size() : 0;
    const Deferred work = std::move(later_[chosen]);
    later_.erase(later_.begin() + static_cast<std::ptrdiff_t>(chosen));
    work();
    return true;
}

unsigned char* BlockRunner::memory() {
    if (!memory_) {
        memory_.reset(static_cast<unsigned char*>(std::aligned_alloc(1024, block_memory_bytes)));
        std::memset(memory_.get(), 0xff, block_memory_bytes);
    }
    return memory_.get();
}

void BlockRunner::run_without_fibers() {
    const unsigned offset = shuffles_ ? static_cast<unsigned>(random_()) % threads_ : 0;
    for (unsigned i = 0; i < threads_; ++i) {
        current_ = (i + offset) % threads_;
        (*body_)();
    }
}

void BlockRunner::run_block(std::uint32_t seed) {
    running = this;
    shuffles_ = seed != 0;
    random_.seed(seed);
    if (!waits_) return run_without_fibers();
    for (Fiber& f : fibers_) {
        f.state = State::ready;
        f.groups.clear();
        f.open.clear();
        f.put_off.clear();
        f.open_put_off.clear();
        f.cluster_arrivals = f.cluster_waits = 0;
    }
    later_.clear();
    if (memory_) std::memset(memory_.get(), 0xff, block_memory_bytes);
    done_ = 0;
    eager_ = ~0u;
    while (done_ < threads_) {
        bool has_moved = step_fibers();
        if (failure_) std::rethrow_exception(failure_);
        // lets some warps run ahead of others
        if (shuffles_ && has_moved && done_ < threads_ && random_() % 4 == 0) continue;
        has_moved |= release_warps();
        has_moved |= release_block();
        if (shuffles_ ? random_() % 3 == 0 : !has_moved) has_moved |= do_some_later();
        has_moved |= release_conditions();
        if (!has_moved) has_moved = do_some_later();
        if (has_moved || done_ == threads_) idle_since_.reset();
        else let_others();
    }
}

/// Waits for other blocks when no fiber of this block can go on.
void BlockRunner::let_others() {
    const auto now = std::chrono::steady_clock::now();
    if (std::ranges::count(fibers_, State::at_others, &Fiber::state) == 0)
        throw std::runtime_error("threads of a block wait for each other in different places");
    if (together->has_failed) throw std::runtime_error("another block of the launch failed");
    if (!idle_since_) idle_since_ = now;
    if (now - *idle_since_ > longest_wait)
        throw std::runtime_error("blocks of a launch wait for each other in vain");
    std::this_thread::yield();
}

}  // namespace lapidary::cuda::emulated
