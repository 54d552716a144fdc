// SPDX-License-Identifier: Apache-2.0
// Addresses and lifetimes of all tensors of a run of a session with the given options.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/cost/memory_report.h>

#include "exec/memory/expected_memory.h"

namespace lapidary {

struct MemoryLayout {
    std::vector<TensorLifetime> tensors;  // in order of first_step; names, types and readers filled
    std::uint64_t held_bytes = 0;         // of arena and plan; 0: only what is in use is held
    std::uint64_t address_end = 0;
    std::uint64_t touched_bytes = 0;  // whole pages that any tensor lies in
};

/// `prepared_bytes`: size of the arena before the first request.
MemoryLayout lay_out(const Plan& plan, const ExpectedMemory& expected,
                     const MemoryAssumptions& assumptions, std::uint64_t prepared_bytes,
                     const CancelToken& cancel);

/// Bytes in use at each step; `waste` is not filled. Bytes that several tensors share count once.
std::vector<MemoryMoment> moments_of(const std::vector<TensorLifetime>& tensors, std::size_t steps);

}  // namespace lapidary
