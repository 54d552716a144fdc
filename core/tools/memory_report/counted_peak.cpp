// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <lapidary/base/counted_memory.h>
#include <lapidary/internal/joined_threads.h>

namespace lapidary {

struct CountedPeak::State {
    mutable std::mutex mutex;
    CountedMemory most;
    std::atomic<bool> ends{false};
    JoinedThreads watcher{[this] { ends = true; }};  // last: it uses the rest

    void look() {
        const auto now = counted_memory();
        if (!now) return;
        const std::lock_guard lock(mutex);
        if (now->own > most.own) most = *now;
    }
};

CountedPeak::CountedPeak() : state_(std::make_unique<State>()) {
    look();
    state_->watcher.start(1, "watching threads", [state = state_.get()](int) {
        while (!state->ends) {
            state->look();
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    });
}

CountedPeak::~CountedPeak() = default;

void CountedPeak::look() { state_->look(); }

void CountedPeak::begin_again() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->most = {};
    }
    state_->look();
}

CountedMemory CountedPeak::most() const {
    const std::lock_guard lock(state_->mutex);
    return state_->most;
}

}  // namespace lapidary
