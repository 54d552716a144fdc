// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/memory_planner.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace lapidary {
namespace {

/// Up to so many pairs are compared one by one, which gives the denser layout.
constexpr std::uint64_t least_pairs = 4'000'000, pairs_per_lifetime = 128;

/// Finds the placed lifetimes that share a step with a given one in time proportional to their
/// number: a segment tree over the lifetimes by first step that keeps the latest last step of the
/// placed ones.
class PlacedLifetimes {
public:
    explicit PlacedLifetimes(std::span<const Lifetime> lives)
        : lives_(lives), by_first_(lives.size()), position_(lives.size()) {
        std::iota(by_first_.begin(), by_first_.end(), 0);
        std::ranges::stable_sort(by_first_, {}, [&](std::size_t i) { return lives[i].first; });
        for (std::size_t p = 0; p < by_first_.size(); ++p) position_[by_first_[p]] = p;
        while (leaves_ < lives.size()) leaves_ *= 2;
        ends_.assign(2 * leaves_, 0);
    }

    void place(std::size_t i) {
        for (std::size_t n = leaves_ + position_[i]; n > 0; n /= 2)
            ends_[n] = std::max(ends_[n], lives_[i].last + 1);
    }

    void overlapping(const Lifetime& life, std::vector<std::size_t>& out) const {
        out.clear();
        const auto end = std::ranges::upper_bound(by_first_, life.last, {},
                                                  [&](std::size_t i) { return lives_[i].first; });
        collect(1, 0, leaves_, static_cast<std::size_t>(end - by_first_.begin()), life.first, out);
    }

private:
    void collect(std::size_t node, std::size_t begin, std::size_t end, std::size_t limit,
                 std::size_t first, std::vector<std::size_t>& out) const {
        // ends_ holds last + 1: 0 where nothing is placed
        if (begin >= limit || ends_[node] <= first) return;
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

/// The size of a block in memory: at least one unit of the alignment.
std::uint64_t size_in_memory(const Lifetime& life, std::uint64_t alignment) {
    return (std::max<std::uint64_t>(life.bytes, 1) + alignment - 1) / alignment * alignment;
}

/// Pairs of lifetimes that share a step; counted in n log n.
std::uint64_t overlapping_pairs(std::span<const Lifetime> lifetimes) {
    std::vector<std::size_t> firsts, lasts;
    for (const Lifetime& life : lifetimes) {
        firsts.push_back(life.first);
        lasts.push_back(life.last);
    }
    std::ranges::sort(firsts);
    std::ranges::sort(lasts);
    std::uint64_t pairs = 0;
    std::size_t ended = 0;
    for (std::size_t begun = 0; begun < firsts.size(); ++begun) {
        while (lasts[ended] < firsts[begun]) ++ended;
        pairs += begun - ended;
    }
    return pairs;
}

/// Free and taken memory at one step; gaps that meet become one.
class FreeGaps {
public:
    /// The offset of so many bytes: in the smallest gap that holds them, else at the end.
    std::uint64_t take(std::uint64_t size) {
        const auto best = by_size_.lower_bound({size, 0});
        if (best != by_size_.end()) {
            const auto [gap, offset] = *best;
            erase(offset, gap);
            if (gap > size) insert(offset + size, gap - size);
            return offset;
        }
        std::uint64_t offset = end_;
        if (!by_offset_.empty()) {
            const auto [last, gap] = *by_offset_.rbegin();
            if (last + gap == end_) {
                offset = last;
                erase(last, gap);
            }
        }
        end_ = offset + size;
        return offset;
    }
    void give_back(std::uint64_t offset, std::uint64_t size) {
        const auto next = by_offset_.lower_bound(offset);
        if (next != by_offset_.begin()) {
            if (const auto [before, gap] = *std::prev(next); before + gap == offset) {
                erase(before, gap);
                offset = before;
                size += gap;
            }
        }
        if (next != by_offset_.end() && next->first == offset + size) {
            const std::uint64_t gap = next->second;
            erase(next->first, gap);
            size += gap;
        }
        insert(offset, size);
    }
    std::uint64_t end() const { return end_; }

private:
    void insert(std::uint64_t offset, std::uint64_t size) {
        by_offset_.emplace(offset, size);
        by_size_.emplace(size, offset);
    }
    void erase(std::uint64_t offset, std::uint64_t size) {
        by_offset_.erase(offset);
        by_size_.erase({size, offset});
    }

    std::map<std::uint64_t, std::uint64_t> by_offset_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
    std::uint64_t end_ = 0;
};

/// For loops over lifetimes: checks the token now and then.
void look(const CancelToken& cancel, std::size_t i) {
    if (i % 256 == 0) cancel.throw_if_cancelled();
}

MemoryPlan plan_in_order(std::span<const Lifetime> lifetimes, std::uint64_t alignment,
                         const CancelToken& cancel) {
    MemoryPlan plan;
    plan.offsets.assign(lifetimes.size(), 0);
    std::vector<std::size_t> by_first(lifetimes.size()), by_last(lifetimes.size());
    std::iota(by_first.begin(), by_first.end(), 0);
    std::iota(by_last.begin(), by_last.end(), 0);
    std::ranges::stable_sort(by_first, [&](std::size_t a, std::size_t b) {
        // of one step the largest first
        return std::pair(lifetimes[a].first, lifetimes[b].bytes) <
               std::pair(lifetimes[b].first, lifetimes[a].bytes);
    });
    std::ranges::stable_sort(by_last, {}, [&](std::size_t i) { return lifetimes[i].last; });
    FreeGaps gaps;
    std::size_t ended = 0;
    for (std::size_t i : by_first) {
        look(cancel, i);
        for (; lifetimes[by_last[ended]].last < lifetimes[i].first; ++ended)
            gaps.give_back(plan.offsets[by_last[ended]],
                           size_in_memory(lifetimes[by_last[ended]], alignment));
        plan.offsets[i] = gaps.take(size_in_memory(lifetimes[i], alignment));
    }
    plan.total_bytes = gaps.end();
    return plan;
}

MemoryPlan plan_largest_first(std::span<const Lifetime> lifetimes, std::uint64_t alignment,
                              const CancelToken& cancel) {
    MemoryPlan plan;
    plan.offsets.assign(lifetimes.size(), 0);
    std::vector<std::size_t> by_size(lifetimes.size()), neighbours;
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::stable_sort(by_size, [&](std::size_t a, std::size_t b) {
        return lifetimes[a].bytes > lifetimes[b].bytes;
    });

    const auto rounded = [&](std::size_t i) { return size_in_memory(lifetimes[i], alignment); };
    PlacedLifetimes placed(lifetimes);
    for (std::size_t i : by_size) {
        look(cancel, i);
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

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes, std::uint64_t alignment,
                       const CancelToken& cancel) {
    if (overlapping_pairs(lifetimes) > std::max(least_pairs, pairs_per_lifetime * lifetimes.size()))
        return plan_in_order(lifetimes, alignment, cancel);
    return plan_largest_first(lifetimes, alignment, cancel);
}

}  // namespace lapidary
