// SPDX-License-Identifier: Apache-2.0
// Where each activation lies in one block of memory. A pure function of lifetimes; knows no graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary {

/// Alive from step `first` to step `last`, both inclusive.
struct Lifetime {
    std::size_t first = 0, last = 0;
    std::uint64_t bytes = 0;
};

struct MemoryPlan {
    std::vector<std::uint64_t> offsets;  // parallel to the lifetimes
    std::uint64_t total_bytes = 0;
};

/// Blocks whose lifetimes overlap never overlap in memory. Largest first, each into the smallest
/// gap that holds it, else at the end. Where so many are alive at once that looking at all pairs
/// would not take time in proportion to their number: in the order of their first steps, each into
/// the smallest free gap. Offsets are multiples of `alignment` (a power of two).
MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, std::uint64_t alignment = 64,
                       const CancelToken& cancel = {});

}  // namespace lapidary
