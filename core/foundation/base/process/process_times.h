// SPDX-License-Identifier: Apache-2.0
// Processor time: of this process, of its threads, of the whole machine.
#pragma once

#include <chrono>
#include <optional>

namespace lapidary {

struct ProcessLoad {
    double cpu_ms = 0;  // of all threads
    // sum over threads: ready to run, without a free core (0 if the system does not say)
    double waited_ms = 0;
};
ProcessLoad process_load();

/// The state of the threads other than the caller's.
struct OtherThreads {
    double cpu_ms = 0;
    bool want_to_run = false;  // one is on a core or waits for one
};
OtherThreads other_threads();

/// How far the times of running threads may lag: they may lack the time since the last tick. 0:
/// they do not lag.
extern const std::chrono::milliseconds processor_time_tick;

/// Processor time of this process and of children that have ended.
double processor_seconds();

/// Processor time of everything since the start, in seconds over all cores.
struct SystemTimes {
    double busy = 0, stolen = 0, all = 0;
};
/// Empty if the system does not say.
std::optional<SystemTimes> system_times();

}  // namespace lapidary
