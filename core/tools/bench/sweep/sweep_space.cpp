// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/bench/sweep.h>

#include "base/threads/session_threads.h"

namespace lapidary {

std::vector<RunConfiguration> configurations(const SweepSpace& space) {
    std::vector<RunConfiguration> all;
    // Parallel with one at a time is sequential without a memory plan.
    const bool one_at_a_time_is_covered =
        std::ranges::find(space.modes, ExecutionMode::sequential) != space.modes.end() ||
        std::ranges::any_of(space.inter, [](int inter) { return inter != 1; });
    for (const Level level : space.levels)
        for (const std::int64_t batch : space.batches)
            for (const ExecutionMode mode : space.modes)
                for (const int inter : space.inter)
                    for (const bool spinning : space.spinning)
                        for (const int intra : space.intra) {
                            RunConfiguration c{level, {intra, inter, mode, spinning}, batch};
                            // equivalent to another one
                            if (mode == ExecutionMode::sequential) c.resources.inter_threads = 1;
                            else if (inter == 1 && one_at_a_time_is_covered) continue;
                            // there is no worker to spin
                            if (mode == ExecutionMode::sequential && intra == 1)
                                c.resources.spinning = space.spinning.front();
                            if (std::ranges::find(all, c) == all.end()) all.push_back(c);
                        }
    return all;
}

std::vector<int> thread_choices() {
    const int cores = default_thread_count();
    std::vector<int> choices;
    for (int threads = 1; threads < cores; threads *= 2) choices.push_back(threads);
    choices.push_back(cores);
    return choices;
}

}  // namespace lapidary
