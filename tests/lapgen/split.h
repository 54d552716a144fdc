// SPDX-License-Identifier: Apache-2.0
// Random models split at random over the CPU and a second provider with memory of its own.
#pragma once

#include <cstdint>

#include "lapgen/oracle.h"

namespace lapidary::lapgen {

/// Places each node by chance (deterministic in `seed`), runs the session three times on inputs
/// that change, and asks for what the CPU gives alone, for the copies that were planned and no
/// others, for the device memory that was planned, and that none is left behind. Even seeds have no
/// session passes: results are the same bits. Odd ones have them: which neighbours become one
/// kernel depends on the placement, results agree within bounds(). Memory of the second provider is
/// closed to everything but its kernels and copies.
Verdict judge_split(const GeneratedModel& generated, std::uint64_t seed);

}  // namespace lapidary::lapgen
