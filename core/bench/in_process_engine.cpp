// SPDX-License-Identifier: Apache-2.0
#include "bench/in_process_engine.h"

#include <chrono>

#include "bench/process_load.h"

namespace lapidary {

BenchEngine::Times InProcessEngine::burst(int lead, int runs) {
    using Clock = std::chrono::steady_clock;
    const ProcessLoad before_lead = process_load();
    for (int i = 0; i < lead; ++i) run();
    // Reading the load takes longer than a small model; workers would fall asleep between the lead and the rest.
    const ProcessLoad before = lead > 0 ? before_lead : process_load();
    const auto start = Clock::now();
    for (int i = 0; i < runs; ++i) run();
    const auto end = Clock::now();
    const ProcessLoad after = process_load();
    const double measured = std::chrono::duration<double, std::milli>(end - start).count();
    wait_for_rest();
    return {measured / runs, (after.cpu_ms - before.cpu_ms) / (lead + runs), (after.waited_ms - before.waited_ms) / (lead + runs)};
}

double InProcessEngine::peak_mb() const { return peak_memory_mb(); }

}  // namespace lapidary
