// SPDX-License-Identifier: Apache-2.0
// The verdict of a sweep in words.
#pragma once

#include <string>
#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Describes the chosen cell: its time, the effect of changing each setting, cells that are as
/// fast, and what is not known. Each clause rests on compare_cells() of the chosen cell with
/// another. `usable`: the cells that were measured. `other_goal`: the cell that is best for the
/// other goal; -1: it is not mentioned.
std::string verdict_of(const std::vector<SweepCell>& cells, const std::vector<std::size_t>& usable,
                       const SweepRecommendation& found, SweepGoal goal, std::ptrdiff_t other_goal);

}  // namespace lapidary
