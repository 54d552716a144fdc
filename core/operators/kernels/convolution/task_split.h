// SPDX-License-Identifier: Apache-2.0
// Chooses into how many tasks equal units of work are cut, so that all workers end at about the
// same time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lapidary {

struct TaskSplit {
    std::int64_t each = 1;  // units of one task; the last one may have less
    std::int64_t parts = 1;
    double time = 0;  // of the worker that ends last, in the unit of unit_time and task_time
};

/// `copies` times `units` units, which tasks do not cross. At most `most` units go to one task. Few
/// large tasks have less overhead, but leave workers waiting at the end, above all when another
/// program delays one of them.
inline TaskSplit split_tasks(std::int64_t units, std::int64_t most, std::int64_t copies,
                             int threads, double unit_time, double task_time) {
    const auto rounded_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    TaskSplit best;
    most = std::clamp<std::int64_t>(most, 1, units);
    for (std::int64_t parts = rounded_up(units, most), last = 0; parts <= units; ++parts) {
        const std::int64_t each = rounded_up(units, parts), count = rounded_up(units, each);
        if (each == last) continue;
        last = each;
        const std::int64_t tasks = copies * count, rounds = rounded_up(tasks, threads),
                           rest = units - (count - 1) * each;
        // The last round may be made of smaller tasks only.
        const bool ends_small = copies == 1 && tasks % threads == 1 && threads > 1;
        const double units_last =
            static_cast<double>((rounds - 1) * each + (ends_small ? rest : each));
        const double time = units_last * unit_time + static_cast<double>(rounds) * task_time +
                            0.1 * static_cast<double>(each) * unit_time * (threads > 1);
        if (best.time == 0 || time < best.time) best = {each, count, time};
        if (threads == 1 || tasks > 16 * threads) break;
    }
    return best;
}

}  // namespace lapidary
