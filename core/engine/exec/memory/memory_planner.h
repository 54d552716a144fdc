// SPDX-License-Identifier: Apache-2.0
// Places activations in one block of memory. A pure function of lifetimes, independent of graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary {

/// In use from step `first` to step `last`, both inclusive.
struct Lifetime {
    std::size_t first = 0, last = 0;
    std::uint64_t bytes = 0;
};

struct MemoryPlan {
    std::vector<std::uint64_t> offsets;  // parallel to the lifetimes
    std::uint64_t total_bytes = 0;
};

/// Blocks with overlapping lifetimes never overlap in memory. The largest block is placed first,
/// each in the smallest gap that holds it, else at the end. Where too many are in use at once to
/// compare all pairs in reasonable time, blocks are placed in the order of their first step
/// instead, each in the smallest free gap. Offsets are multiples of `alignment` (a power of two).
MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, std::uint64_t alignment = 64,
                       const CancelToken& cancel = {});

}  // namespace lapidary
