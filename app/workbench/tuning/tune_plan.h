// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a sweep before they are measured: which belong together, what measuring them will
// take.
#pragma once

#include <string>
#include <vector>

#include <lapidary/report/model_summary.h>
#include <lapidary/bench/sweep.h>

namespace lapidary::app {

/// Cells that differ in nothing but intra threads and spinning: they are measured in turn, so that
/// what the machine does meanwhile hits all of them alike.
using CellGroup = std::vector<std::size_t>;  // of cells, by fewest threads

bool measuredTogether(const RunConfiguration& a, const RunConfiguration& b);
/// `cells` in groups, in the order in which the first of each comes.
std::vector<CellGroup> groupsOf(const std::vector<SweepCell>& all,
                                const std::vector<std::size_t>& cells);
/// The group in parts whose spaces hold their cells and nothing else.
std::vector<CellGroup> partsOf(const std::vector<SweepCell>& all, const CellGroup& group);
/// The space that holds such a part.
SweepSpace spaceOf(const std::vector<SweepCell>& all, const CellGroup& group);

/// The cells of a space, those known already with what is known.
std::vector<SweepCell> cellsOf(const SweepSpace& space, const std::vector<SweepCell>& known);

/// What one run took, from which the others are estimated.
struct KnownRun {
    RunConfiguration configuration;
    double ms = 0;
};
/// Milliseconds of one run: of the nearest known one, by batch and threads; 0: nothing is known.
double estimatedRunMs(const RunConfiguration& configuration, const std::vector<KnownRun>& known,
                      int cores);
/// Seconds that measuring takes, loading included. `run_ms` 0: unknown, taken to be short.
double estimatedSeconds(double run_ms, const MeasureOptions& options);

/// Why only the batch as given can be measured: the model has no free batch dimension. Empty: it
/// has one.
std::string batchRefusal(const Model& model, const ModelSummary& summary);

}  // namespace lapidary::app
