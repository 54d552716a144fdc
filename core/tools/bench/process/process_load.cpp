// SPDX-License-Identifier: Apache-2.0
#include "bench/process/process_load.h"

#include <limits>
#include <thread>

#include "base/memory/process_memory.h"

namespace lapidary {

void wait_for_rest(std::chrono::milliseconds longest) {
    using Clock = std::chrono::steady_clock;
    const bool has_ticks = processor_time_tick.count() > 0;
    const std::chrono::microseconds look =
        has_ticks ? processor_time_tick : std::chrono::microseconds(150);
    constexpr double resting_ms = 0.02;  // of two looks: the kernel's own bookkeeping
    const auto end = Clock::now() + longest;
    int calm = 0;
    for (double before = other_threads().cpu_ms; calm < 2 && Clock::now() < end;) {
        std::this_thread::sleep_for(look);
        const OtherThreads now = other_threads();
        calm = !now.want_to_run && now.cpu_ms - before < resting_ms ? calm + 1 : 0;
        before = now.cpu_ms;
    }
}

double peak_memory_mb() {
    const auto bytes = peak_resident_bytes();
    return bytes ? static_cast<double>(*bytes) / 1e6 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace lapidary
