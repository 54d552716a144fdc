// SPDX-License-Identifier: Apache-2.0
// Runs random models split at random between the CPU and a second provider with its own memory.
#pragma once

#include <cstdint>

#include "lapgen/oracle.h"

namespace lapidary::lapgen {

/// Places each node by chance (deterministic in `seed`), runs the session three times on inputs
/// that change, and requires the results of the CPU alone, exactly the planned copies, the planned
/// device memory, and that none of it is leaked. Even seeds run without session passes, and results
/// must be bitwise equal. Odd seeds run with them; which neighbours are fused depends on the
/// placement, so results must agree within bounds(). Only kernels and copies of the second provider
/// can access its memory.
Verdict judge_split(const GeneratedModel& generated, std::uint64_t seed);

}  // namespace lapidary::lapgen
