// SPDX-License-Identifier: Apache-2.0
#include "base/threads/worker_region.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/steady_now.h"
#include "base/threads/inside_task.h"
#include "base/threads/wait_for_change.h"

namespace lapidary {
namespace {

constexpr int spins_before_yield = 4000;  // some tens of microseconds
// between runs, for callers that run in a loop
constexpr auto linger = std::chrono::microseconds(200);

constexpr std::uint64_t back = std::uint64_t{1} << 32;  // one task from the back
// at once: both counts stay far below 2^32
constexpr std::int64_t most_tasks = std::int64_t{1} << 20;

void pause_cpu() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

void WorkerRegion::begin_run(const std::function<void(int)>& launch) {
    running_.store(true);
    if (!spin_) wake();
    for (int worker = 1; worker < size_; ++worker) {
        bool absent = false;
        if (present_[static_cast<std::size_t>(worker)].compare_exchange_strong(absent, true))
            launch(worker);
    }
}

void WorkerRegion::quit() {
    quit_.store(true);
    wake();
}

void WorkerRegion::wake() {
    generation_.fetch_add(2);
    wake_waiters(generation_);
}

void WorkerRegion::serve(int worker, const std::function<bool()>& is_wanted) {
    auto& present = present_[static_cast<std::size_t>(worker)];
    std::uint64_t seen = generation_.load();
    if (seen % 2 != 0) --seen;  // a region is open already: take part
    int spins = 0;
    std::chrono::steady_clock::time_point idle_since{};
    while (!quit_.load(std::memory_order_relaxed)) {
        const std::uint64_t now = generation_.load(std::memory_order_acquire);
        if (now != seen) {
            seen = now;
            spins = 0;
            idle_since = {};
            if (now % 2 == 0) continue;
            active_.fetch_add(1);
            if (generation_.load() == now) work(count_, *body_, observer_, worker);
            active_.fetch_sub(1, std::memory_order_release);
            continue;
        }
        if (++spins % 64 != 0) {
            pause_cpu();
            continue;
        }
        if (spins > spins_before_yield) std::this_thread::yield();
        if (running_.load()) {
            idle_since = {};
            if (!spin_ && spins > 256) wait_for_change(generation_, seen);
            continue;
        }
        const auto time = std::chrono::steady_clock::now();
        if (idle_since == std::chrono::steady_clock::time_point{}) idle_since = time;
        if (spin_ && time - idle_since < linger && !is_wanted()) continue;
        present.store(false);
        bool absent = false;
        // a new run may just have begun
        if (!running_.load() || !present.compare_exchange_strong(absent, true)) return;
    }
    present.store(false);
}

std::int64_t WorkerRegion::take_task(std::int64_t count, int worker) {
    const bool from_back = worker % 2 != 0;
    const std::uint64_t taken = taken_.fetch_add(from_back ? back : 1, std::memory_order_relaxed);
    const auto front = static_cast<std::int64_t>(taken % back),
               behind = static_cast<std::int64_t>(taken / back);
    if (front + behind >= count) return -1;
    return from_back ? count - 1 - behind : front;
}

void WorkerRegion::work(std::int64_t count, const TaskBody& body, const RangeObserver* observer,
                        int worker) {
    const InsideTask inside(this, worker);
    try {
        std::int64_t task = take_task(count, worker);
        if (task < 0) return;
        const std::int64_t begin_ns = observer ? steady_now_ns() : 0;
        for (; task >= 0; task = take_task(count, worker)) body(task, worker);
        if (observer) (*observer)(worker, begin_ns, steady_now_ns());
    } catch (...) {
        taken_.store(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
        const std::lock_guard lock(error_mutex_);
        if (!error_) error_ = std::current_exception();
    }
}

void WorkerRegion::run(std::int64_t count, const TaskBody& body, const RangeObserver* observer) {
    if (count <= 0) return;
    if (count == 1 || size_ == 1 || InsideTask::is_any()) {
        const int worker = InsideTask::worker_of(this);
        for (std::int64_t task = 0; task < count; ++task) body(task, worker);
        return;
    }
    if (count > most_tasks) {
        for (std::int64_t first = 0; first < count; first += most_tasks)
            run(
                std::min(most_tasks, count - first),
                [&](std::int64_t task, int worker) { body(first + task, worker); }, observer);
        return;
    }
    body_ = &body;
    observer_ = observer;
    count_ = count;
    taken_.store(0, std::memory_order_relaxed);
    generation_.fetch_add(1);  // open
    if (!spin_) wake_waiters(generation_);
    work(count, body, observer, 0);
    generation_.fetch_add(1);  // closed: who comes now sees it and goes
    // In the one order of all sequentially consistent operations: a worker is seen here, or sees
    // the region closed.
    for (int spins = 0; active_.load() != 0; ++spins) {
        pause_cpu();
        if (spins > spins_before_yield) std::this_thread::yield();
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace lapidary
