// SPDX-License-Identifier: Apache-2.0
#include "exec/memory_planner.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace lapidary {

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, std::uint64_t alignment) {
    MemoryPlan plan;
    plan.offsets.assign(lifetimes.size(), 0);
    std::vector<std::size_t> by_size(lifetimes.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::stable_sort(by_size, [&](std::size_t a, std::size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });

    const auto rounded = [&](std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
    std::vector<std::size_t> placed;  // by offset
    for (std::size_t i : by_size) {
        const Lifetime& life = lifetimes[i];
        const std::uint64_t size = rounded(std::max<std::uint64_t>(life.bytes, 1));
        std::uint64_t end = 0;                       // end of the blocks seen so far that share a step with this one
        std::optional<std::uint64_t> best_offset;
        std::uint64_t best_gap = 0;
        for (std::size_t p : placed) {
            if (lifetimes[p].last < life.first || lifetimes[p].first > life.last) continue;
            const std::uint64_t begin = plan.offsets[p];
            if (begin > end && begin - end >= size && (!best_offset || begin - end < best_gap)) {
                best_offset = end;
                best_gap = begin - end;
            }
            end = std::max(end, begin + rounded(std::max<std::uint64_t>(lifetimes[p].bytes, 1)));
        }
        plan.offsets[i] = best_offset.value_or(end);
        plan.total_bytes = std::max(plan.total_bytes, plan.offsets[i] + size);
        const auto at = std::ranges::upper_bound(placed, plan.offsets[i], {}, [&](std::size_t p) { return plan.offsets[p]; });
        placed.insert(at, i);
    }
    return plan;
}

}  // namespace lapidary
