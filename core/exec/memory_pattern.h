// SPDX-License-Identifier: Apache-2.0
// One memory layout per set of input shapes: traced on the first run with these shapes, used afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exec/memory_planner.h"
#include "exec/plan.h"

namespace lapidary {

struct MemoryPattern {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    std::vector<std::uint64_t> offsets;  // by ValueId::index; none: not planned
    std::vector<std::uint64_t> bytes;
    std::uint64_t total_bytes = 0;
};

/// From the bytes each value of the plan took (0: not planned) and its lifetime.
MemoryPattern make_pattern(const Plan& plan, const std::vector<std::uint64_t>& traced_bytes);

}  // namespace lapidary
