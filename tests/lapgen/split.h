// SPDX-License-Identifier: Apache-2.0
// Random models split at random over the CPU and a second provider with memory of its own.
#pragma once

#include <cstdint>

#include "lapgen/oracle.h"

namespace lapidary::lapgen {

/// Places each node by chance (deterministic in `seed`), runs the session three times on inputs
/// that change, and asks for the bits that the CPU gives alone, for the copies that were planned
/// and no others, for the device memory that was planned, and that none is left behind. Memory of
/// the second provider is closed to everything but its kernels and copies.
Verdict judge_split(const GeneratedModel& generated, std::uint64_t seed);

}  // namespace lapidary::lapgen
