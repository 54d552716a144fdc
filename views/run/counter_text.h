// SPDX-License-Identifier: GPL-3.0-or-later
// What the processor counted during a run, as a figure and as sentences.
#pragma once

#include <QString>

#include <lapidary/bench/run_counters.h>

namespace lapidary::views {

/// Instructions per cycle: "1.82"; "–" where they were not counted.
QString counterFigure(const RunCounters& counters);
/// Why no instructions and cycles were counted, as a sentence; empty: they were.
QString missingCounters(const RunCounters& counters);
/// Counters, frequency, throttling and energy, a line each; what is missing has its reason.
QString counterLines(const RunCounters& counters);

}  // namespace lapidary::views
