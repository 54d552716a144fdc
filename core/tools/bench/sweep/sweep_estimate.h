// SPDX-License-Identifier: Apache-2.0
// How long the cells of a sweep will take, from what is known of a few.
#pragma once

#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Time of a run and of loading, as measured in one configuration.
struct KnownTimes {
    RunConfiguration configuration;
    double run_ms = 0, load_ms = 0;
};

/// One run of `c`: from the configuration among the known that is most like it, by batch and
/// threads.
double estimated_run_ms(const RunConfiguration& c, const std::vector<KnownTimes>& known);
/// Loading, warming up and measuring, in seconds; without knowledge, the measuring alone.
double estimated_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                         const std::vector<KnownTimes>& known);
/// The least that gives a sample: loading, first run, warm-ups, one round.
double least_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                     const std::vector<KnownTimes>& known);

}  // namespace lapidary
