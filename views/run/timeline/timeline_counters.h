// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted over the time of a recording: threads at work, bytes of activations, bytes moved.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <lapidary/profile/profile.h>

#include "run/timeline/timeline_layout.h"

namespace lapidary::views {

/// The part of the time that is drawn: `width` pixels from `begin` on.
struct TimelineWindow {
    double begin = 0, nsPerPixel = 1;  // ns
    int width = 0;
    double timeAt(double pixel) const { return begin + pixel * nsPerPixel; }
    friend bool operator==(const TimelineWindow&, const TimelineWindow&) = default;
};

/// A kernel of the calling thread that ran on the CPU and of which it is known how much it reads
/// and writes.
struct MovingKernel {
    std::int64_t begin = 0, end = 0;  // ns
    double bytes = 0, before = 0;     // its own, and those of all kernels before it
};

struct TimelineCounters {
    // ns, bytes of activations from then on
    std::vector<std::pair<std::int64_t, std::int64_t>> held;
    std::int64_t mostHeld = 0;         // bytes
    std::vector<MovingKernel> moving;  // in time order
    // bytes per ns: kernels that move more take less than 1 % of the time. Some that move nothing
    // last a few ns, by which their rate is thousands of times that of the memory.
    double usualMoved = 0;
};

/// What is known of a kernel besides its times.
struct KernelBytes {
    double moved = 0;         // what one call reads and writes; 0: not known
    std::int64_t alive = -1;  // of activations while it runs, by the memory plan; negative: no plan
};

/// Activations are those of the plan where there is one, else what was recorded of allocations.
TimelineCounters makeCounters(const Profile& profile,
                              const std::function<KernelBytes(const Span&)>& bytesOf);

// A value for each pixel of the window.

/// Threads in kernels and ranges at the same time, on average; devices are not among them. Empty:
/// there are more threads than can be counted while one scrolls.
std::vector<double> threadsBusy(const Timeline& timeline, const TimelineWindow& window);
/// The most bytes of activations that were held at once; negative: nothing was recorded by then.
std::vector<double> bytesHeld(const TimelineCounters& counters, const TimelineWindow& window);
/// Bytes per ns, which is GB/s.
std::vector<double> bytesMoved(const TimelineCounters& counters, const TimelineWindow& window);

}  // namespace lapidary::views
