// SPDX-License-Identifier: Apache-2.0
// The conditions of a figure, as every command prints them.
#pragma once

#include <iosfwd>

#include <lapidary/inputs/run_conditions.h>
#include <lapidary/exec/session.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Members "level", "threads", "inter_threads" (in parallel mode), "sizes", and "default_sizes"
/// with the reason of each size that was not given.
Json conditions_json(const RunConditions& conditions);

/// "conditions  level all, 2 threads, sequence 128", then a line for each size that was not given.
void print_conditions(std::ostream& out, const RunConditions& conditions);

/// A line for each size that was not given.
void print_chosen_sizes(std::ostream& out, const UsualSizes& sizes);

/// The conditions of runs of a session with these options and number of threads.
RunConditions conditions_of(Level level, const SessionOptions& options, int threads,
                            UsualSizes sizes);

/// The number of threads of a session. `asked`: 0: one per core.
int threads_of(int asked);

}  // namespace lapidary::cli
