// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <lapidary/bench/sweep.h>

namespace lapidary::app {

/// A line per cell, the header first: settings, state, median with interval, percentiles
/// (milliseconds), inferences per second, remarks. Numbers with a point, whatever the locale.
std::string sweepCsv(const SweepResult& result);

}  // namespace lapidary::app
