// SPDX-License-Identifier: Apache-2.0
// Events while running: one bounded buffer per thread, nothing allocated and no lock taken when
// recording.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <lapidary/profile/profile.h>

#include "base/steady_now.h"

namespace lapidary {

/// A plain event as recorded; names are looked up afterwards.
struct ProfileEvent {
    EventKind kind = EventKind::kernel;  // which of the fields below mean something
    std::uint8_t depth = 0;              // nesting of subgraphs
    std::uint16_t thread = 0;            // 0: the thread that called run()
    std::uint32_t step = 0;              // kernel, copy: index of the plan step
    std::uint32_t plan = 0;              // which plan (0 main, others subgraphs)
    std::int64_t begin_ns = 0;           // since the profile began
    std::int64_t end_ns = 0;             // equal to begin for instants
    std::int64_t bytes = 0;              // allocation, release, copy
    /// kernel: as in SpanText; text of the program; null: it served the run itself
    const char* fallback = nullptr;
};

/// Thread `t` writes only into its own buffer; reading is for after the run. A full buffer drops
/// further events and counts them.
class Recorder {
public:
    Recorder(int threads, std::size_t events_per_thread);

    void add(int thread, const ProfileEvent& event) noexcept {
        Buffer& b = *buffers_[static_cast<std::size_t>(thread) < buffers_.size()
                                  ? static_cast<std::size_t>(thread)
                                  : 0];
        if (b.used == capacity_) ++b.dropped;
        else b.events[b.used++] = event;
    }

    std::vector<ProfileEvent> events() const;  // of all threads, by begin time
    std::uint64_t dropped() const;

private:
    struct Free {
        void operator()(ProfileEvent* events) const { std::free(events); }
    };
    struct alignas(64) Buffer {
        // as the system gives it: pages that no event reaches cost nothing
        std::unique_ptr<ProfileEvent[], Free> events;
        std::size_t used = 0;
        std::uint64_t dropped = 0;
    };
    std::size_t capacity_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
};

}  // namespace lapidary
