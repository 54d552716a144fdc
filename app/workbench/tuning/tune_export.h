// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <lapidary/bench/sweep.h>

namespace lapidary::app {

/// The sweep as CSV with a header and one line per cell: settings, state, median with interval,
/// percentiles (milliseconds), inferences per second, remarks. The decimal sign is a point in every
/// locale.
std::string sweepCsv(const SweepResult& result);

}  // namespace lapidary::app
