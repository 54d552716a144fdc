// SPDX-License-Identifier: Apache-2.0
#include "profile/recorder.h"

#include <algorithm>

namespace lapidary {

Recorder::Recorder(int threads, std::size_t events_per_thread) {
    for (int i = 0; i < std::max(threads, 1); ++i) {
        buffers_.push_back(std::make_unique<Buffer>());
        buffers_.back()->events.resize(events_per_thread);
    }
}

std::vector<ProfileEvent> Recorder::events() const {
    std::vector<ProfileEvent> all;
    for (const auto& b : buffers_) all.insert(all.end(), b->events.begin(), b->events.begin() + static_cast<std::ptrdiff_t>(b->used));
    std::ranges::stable_sort(all, {}, &ProfileEvent::begin_ns);
    return all;
}

std::uint64_t Recorder::dropped() const {
    std::uint64_t sum = 0;
    for (const auto& b : buffers_) sum += b->dropped;
    return sum;
}

}  // namespace lapidary
