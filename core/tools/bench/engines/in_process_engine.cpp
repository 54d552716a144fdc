// SPDX-License-Identifier: Apache-2.0
#include "bench/engines/in_process_engine.h"

#include <chrono>

#include "bench/process/process_load.h"

namespace lapidary {

using Clock = std::chrono::steady_clock;

BenchEngine::Times BenchEngine::burst_of_singles(int lead, int runs,
                                                 std::vector<double>& single_ms) {
    const Times times = burst(lead, runs);
    single_ms.push_back(times.wall_ms);
    return times;
}

template <typename AfterEach>
BenchEngine::Times InProcessEngine::timed(int lead, int runs, const AfterEach& after_each) {
    const ProcessLoad before_lead = process_load();
    for (int i = 0; i < lead; ++i) run();
    // Reading the load takes longer than a run of a small model: workers would fall asleep between
    // the lead and the measured runs.
    const ProcessLoad before = lead > 0 ? before_lead : process_load();
    const auto start = Clock::now();
    for (int i = 0; i < runs; ++i) {
        run();
        after_each();
    }
    const auto end = Clock::now();
    const ProcessLoad after = process_load();
    const double measured = std::chrono::duration<double, std::milli>(end - start).count();
    wait_for_rest();
    return {measured / runs, (after.cpu_ms - before.cpu_ms) / (lead + runs),
            (after.waited_ms - before.waited_ms) / (lead + runs)};
}

BenchEngine::Times InProcessEngine::burst(int lead, int runs) {
    return timed(lead, runs, [] {});
}

BenchEngine::Times InProcessEngine::burst_of_singles(int lead, int runs,
                                                     std::vector<double>& single_ms) {
    std::vector<Clock::time_point> ends;
    ends.reserve(static_cast<std::size_t>(runs) + 1);
    const Times times = timed(lead, runs, [&] { ends.push_back(Clock::now()); });
    // The begin of the first run is the end of the last minus the sum of all.
    const auto between = [&](std::size_t i) {
        return std::chrono::duration<double, std::milli>(ends[i] - ends[i - 1]).count();
    };
    double rest = times.wall_ms * runs;
    for (std::size_t i = 1; i < ends.size(); ++i) rest -= between(i);
    if (!ends.empty()) single_ms.push_back(rest);
    for (std::size_t i = 1; i < ends.size(); ++i) single_ms.push_back(between(i));
    return times;
}

double InProcessEngine::peak_mb() const { return peak_memory_mb(); }

}  // namespace lapidary
