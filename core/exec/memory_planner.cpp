// SPDX-License-Identifier: Apache-2.0
#include "exec/memory_planner.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace lapidary {
namespace {

/// Finds the placed lifetimes that share a step with a given one in time proportional to their number: a
/// segment tree over the lifetimes by first step that keeps the latest last step of the placed ones.
class PlacedLifetimes {
public:
    explicit PlacedLifetimes(std::span<const Lifetime> lives) : lives_(lives), by_first_(lives.size()), position_(lives.size()) {
        std::iota(by_first_.begin(), by_first_.end(), 0);
        std::ranges::stable_sort(by_first_, {}, [&](std::size_t i) { return lives[i].first; });
        for (std::size_t p = 0; p < by_first_.size(); ++p) position_[by_first_[p]] = p;
        while (leaves_ < lives.size()) leaves_ *= 2;
        ends_.assign(2 * leaves_, 0);
    }

    void place(std::size_t i) {
        for (std::size_t n = leaves_ + position_[i]; n > 0; n /= 2) ends_[n] = std::max(ends_[n], lives_[i].last + 1);
    }

    void overlapping(const Lifetime& life, std::vector<std::size_t>& out) const {
        out.clear();
        const auto end = std::ranges::upper_bound(by_first_, life.last, {}, [&](std::size_t i) { return lives_[i].first; });
        collect(1, 0, leaves_, static_cast<std::size_t>(end - by_first_.begin()), life.first, out);
    }

private:
    void collect(std::size_t node, std::size_t begin, std::size_t end, std::size_t limit, std::size_t first, std::vector<std::size_t>& out) const {
        if (begin >= limit || ends_[node] <= first) return;  // ends_ holds last + 1: 0 where nothing is placed
        if (end - begin == 1) {
            out.push_back(by_first_[begin]);
            return;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        collect(2 * node, begin, middle, limit, first, out);
        collect(2 * node + 1, middle, end, limit, first, out);
    }

    std::span<const Lifetime> lives_;
    std::vector<std::size_t> by_first_, position_, ends_;
    std::size_t leaves_ = 1;
};

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, std::uint64_t alignment) {
    MemoryPlan plan;
    plan.offsets.assign(lifetimes.size(), 0);
    if (lifetimes.empty()) return plan;
    std::vector<std::size_t> by_size(lifetimes.size()), neighbours;
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::stable_sort(by_size, [&](std::size_t a, std::size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });

    const auto rounded = [&](std::size_t i) {
        return (std::max<std::uint64_t>(lifetimes[i].bytes, 1) + alignment - 1) / alignment * alignment;
    };
    PlacedLifetimes placed(lifetimes);
    for (std::size_t i : by_size) {
        const std::uint64_t size = rounded(i);
        placed.overlapping(lifetimes[i], neighbours);
        std::ranges::sort(neighbours, {}, [&](std::size_t p) { return plan.offsets[p]; });
        std::uint64_t end = 0;  // of the neighbours seen so far
        std::optional<std::uint64_t> best_offset;
        std::uint64_t best_gap = 0;
        for (std::size_t p : neighbours) {
            const std::uint64_t begin = plan.offsets[p];
            if (begin > end && begin - end >= size && (!best_offset || begin - end < best_gap)) {
                best_offset = end;
                best_gap = begin - end;
            }
            end = std::max(end, begin + rounded(p));
        }
        plan.offsets[i] = best_offset.value_or(end);
        plan.total_bytes = std::max(plan.total_bytes, plan.offsets[i] + size);
        placed.place(i);
    }
    return plan;
}

}  // namespace lapidary
