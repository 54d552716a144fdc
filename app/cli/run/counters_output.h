// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/bench/run_counters.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// All members always; what was not counted is null.
Json counters_json(const RunCounters& counters);

}  // namespace lapidary::cli
