// SPDX-License-Identifier: Apache-2.0
// Estimates the durations of the cells of a sweep from those of a few.
#pragma once

#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Time of a run and of loading, as measured in one configuration.
struct KnownTimes {
    RunConfiguration configuration;
    double run_ms = 0, load_ms = 0;
};

/// Time of a run of `c`, estimated from the most similar known configuration, by batch and threads.
double estimated_run_ms(const RunConfiguration& c, const std::vector<KnownTimes>& known);
/// Seconds for loading, warming up and measuring; only for measuring if no time is known.
double estimated_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                         const std::vector<KnownTimes>& known);
/// Seconds for at least one sample: loading, first run, warm-ups, one round.
double least_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                     const std::vector<KnownTimes>& known);

}  // namespace lapidary
