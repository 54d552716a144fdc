// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/measure_under.h"

#include <algorithm>

namespace lapidary::app {

MeasureJob measureUnder(const RunSettings& settings, const MeasureOptions& options) {
    MeasureJob job;
    job.options = options;
    job.options.warmups = std::max(1, settings.warmups);
    job.seed = settings.seed;
    job.given = settings.given;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) job.dimensions.emplace(name, size);
    return job;
}

}  // namespace lapidary::app
