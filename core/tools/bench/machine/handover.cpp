// SPDX-License-Identifier: Apache-2.0
#include "bench/machine/handover.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <lapidary/internal/joined_threads.h>

namespace lapidary {

double core_handover_ns() {
    using Clock = std::chrono::steady_clock;
    constexpr int rounds = 500, attempts = 8, all = rounds * attempts;
    std::atomic<int> ball{0};  // odd: the other thread's turn
    std::atomic<bool> ready{false};
    JoinedThreads other([&] { ball.store(-1); });
    other.start(1, "thread beside the calling one", [&](int) {
        ready.store(true);
        for (int i = 0; i < all; ++i) {
            while (ball.load(std::memory_order_acquire) != 2 * i + 1)
                if (ball.load(std::memory_order_relaxed) < 0) return;
            ball.store(2 * i + 2, std::memory_order_release);
        }
    });
    while (!ready.load()) std::this_thread::yield();
    double best = 1e9;
    int i = 0;
    // with only one core a round trip takes a time slice
    const auto end = Clock::now() + std::chrono::milliseconds(200);
    for (int attempt = 0; attempt < attempts && Clock::now() < end; ++attempt) {
        const auto start = Clock::now();
        for (int round = 0; round < rounds && Clock::now() < end; ++round, ++i) {
            ball.store(2 * i + 1, std::memory_order_release);
            while (ball.load(std::memory_order_acquire) != 2 * i + 2) {}
        }
        if (i == (attempt + 1) * rounds)
            best = std::min(best,
                            std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
                                rounds / 2);
    }
    if (i == all) other.join();  // else its destructor ends it
    return best;
}

}  // namespace lapidary
