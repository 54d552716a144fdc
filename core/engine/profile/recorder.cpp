// SPDX-License-Identifier: Apache-2.0
#include "profile/recorder.h"

#include <algorithm>
#include <new>
#include <type_traits>

namespace lapidary {

static_assert(std::is_trivially_copyable_v<ProfileEvent> &&
              std::is_trivially_destructible_v<ProfileEvent>);

Recorder::Recorder(int threads, std::size_t events_per_thread) : capacity_(events_per_thread) {
    for (int i = 0; i < std::max(threads, 1); ++i) {
        buffers_.push_back(std::make_unique<Buffer>());
        buffers_.back()->events.reset(static_cast<ProfileEvent*>(
            std::malloc(std::max<std::size_t>(capacity_, 1) * sizeof(ProfileEvent))));
        if (!buffers_.back()->events) throw std::bad_alloc();
    }
}

std::vector<ProfileEvent> Recorder::events() const {
    std::vector<ProfileEvent> all;
    std::size_t count = 0;
    for (const auto& b : buffers_) count += b->used;
    all.reserve(count);
    for (const auto& b : buffers_)
        all.insert(all.end(), b->events.get(), b->events.get() + b->used);
    std::ranges::stable_sort(all, {}, &ProfileEvent::begin_ns);
    return all;
}

std::uint64_t Recorder::dropped() const {
    std::uint64_t sum = 0;
    for (const auto& b : buffers_) sum += b->dropped;
    return sum;
}

}  // namespace lapidary
