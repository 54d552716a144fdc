// SPDX-License-Identifier: Apache-2.0
// Where every tensor of a run lies and how long, as a session with the given switches has it.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/cost/memory_report.h>

#include "exec/memory/expected_memory.h"

namespace lapidary {

struct MemoryLayout {
    std::vector<TensorLifetime> tensors;  // in order of first_step; names, types and readers filled
    std::uint64_t held_bytes = 0;         // none: as much as is in use
    std::uint64_t address_end = 0;
    std::uint64_t touched_bytes = 0;  // whole pages that any tensor lies in
};

/// `prepared_bytes`: what the arena has at hand before it is asked.
MemoryLayout lay_out(const Plan& plan, const ExpectedMemory& expected,
                     const MemoryAssumptions& assumptions, std::uint64_t prepared_bytes,
                     const CancelToken& cancel);

/// What is in use at each step (waste not filled). Bytes that several tensors share count once.
std::vector<MemoryMoment> moments_of(const std::vector<TensorLifetime>& tensors, std::size_t steps);

}  // namespace lapidary
