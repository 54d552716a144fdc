// SPDX-License-Identifier: GPL-3.0-or-later
// Plans a sweep before it is measured: which cells are measured together, and how long that takes.
#pragma once

#include <string>
#include <vector>

#include <lapidary/report/model_summary.h>
#include <lapidary/bench/sweep.h>

namespace lapidary::app {

/// Cells that differ only in intra threads and spinning. They are measured in turn, so that other
/// work on the machine slows all of them alike.
using CellGroup = std::vector<std::size_t>;  // indices of cells, fewest threads first

bool measuredTogether(const RunConfiguration& a, const RunConfiguration& b);
/// Divides `cells` into groups, ordered by the first cell of each.
std::vector<CellGroup> groupsOf(const std::vector<SweepCell>& all,
                                const std::vector<std::size_t>& cells);
/// Divides the group into parts. The space of each part holds exactly the cells of the part.
std::vector<CellGroup> partsOf(const std::vector<SweepCell>& all, const CellGroup& group);
/// The space that holds the cells of such a part.
SweepSpace spaceOf(const std::vector<SweepCell>& all, const CellGroup& group);

/// The cells of a space, with the results of those in `known`.
std::vector<SweepCell> cellsOf(const SweepSpace& space, const std::vector<SweepCell>& known);

/// The time of one run, from which other settings are estimated.
struct KnownRun {
    RunConfiguration configuration;
    double ms = 0;
};
/// Estimated milliseconds of one run, from the known run that is nearest by batch and threads; 0:
/// nothing is known.
double estimatedRunMs(const RunConfiguration& configuration, const std::vector<KnownRun>& known,
                      int cores);
/// Estimated seconds to measure one setting, including loading. `run_ms`: 0: unknown, counts as
/// short.
double estimatedSeconds(double run_ms, const MeasureOptions& options);

/// Why other batch sizes cannot be measured: the model has no free batch dimension. Empty: it has
/// one.
std::string batchRefusal(const Model& model, const ModelSummary& summary);

}  // namespace lapidary::app
