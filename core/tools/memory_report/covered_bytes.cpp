// SPDX-License-Identifier: Apache-2.0
#include "memory_report/covered_bytes.h"

#include <algorithm>

namespace lapidary {
namespace {

/// A segment tree over pieces of the address space: how often each is in use, and how many bytes
/// are at all.
class UsedBytes {
public:
    /// `borders`: where ranges begin and end, ascending, each once.
    explicit UsedBytes(std::vector<std::uint64_t> borders)
        : borders_(std::move(borders)), nodes_(4 * borders_.size() + 4) {}

    void change(std::uint64_t from, std::uint64_t to, int by) {
        if (from < to) change(1, 0, borders_.size() - 1, index(from), index(to), by);
    }
    std::uint64_t bytes() const { return nodes_[1].bytes; }

private:
    struct Node {
        int uses = 0;             // of the whole of it
        std::uint64_t bytes = 0;  // in use, of it
    };

    std::size_t index(std::uint64_t border) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(borders_, border) -
                                        borders_.begin());
    }
    void change(std::size_t node, std::size_t begin, std::size_t end, std::size_t from,
                std::size_t to, int by) {
        if (to <= begin || end <= from) return;
        if (from <= begin && end <= to) {
            nodes_[node].uses += by;
        } else {
            const std::size_t middle = begin + (end - begin) / 2;
            change(2 * node, begin, middle, from, to, by);
            change(2 * node + 1, middle, end, from, to, by);
        }
        Node& n = nodes_[node];
        n.bytes = n.uses > 0        ? borders_[end] - borders_[begin]
                  : end - begin > 1 ? nodes_[2 * node].bytes + nodes_[2 * node + 1].bytes
                                    : 0;
    }

    std::vector<std::uint64_t> borders_;
    std::vector<Node> nodes_;
};

}  // namespace

std::vector<std::uint64_t> covered_bytes(const std::vector<TensorLifetime>& tensors,
                                         std::span<const std::size_t> members,
                                         std::span<const std::size_t> steps) {
    std::vector<std::uint64_t> borders;
    for (std::size_t m : members) {
        borders.push_back(tensors[m].offset);
        borders.push_back(tensors[m].offset + tensors[m].bytes);
    }
    std::ranges::sort(borders);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    std::vector<std::size_t> by_first(members.begin(), members.end()), by_last = by_first;
    std::ranges::sort(by_first, {}, [&](std::size_t m) { return tensors[m].first_step; });
    std::ranges::sort(by_last, {}, [&](std::size_t m) { return tensors[m].last_step; });

    UsedBytes used(std::move(borders));
    std::vector<std::uint64_t> covered;
    std::size_t begun = 0, ended = 0;
    const auto change = [&](std::size_t m, int by) {
        used.change(tensors[m].offset, tensors[m].offset + tensors[m].bytes, by);
    };
    for (std::size_t step : steps) {
        for (; begun < by_first.size() && tensors[by_first[begun]].first_step <= step; ++begun)
            change(by_first[begun], 1);
        for (; ended < by_last.size() && tensors[by_last[ended]].last_step < step; ++ended)
            change(by_last[ended], -1);
        covered.push_back(used.bytes());
    }
    return covered;
}

}  // namespace lapidary
