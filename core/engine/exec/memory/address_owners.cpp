// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/address_owners.h"

#include <algorithm>
#include <iterator>

namespace lapidary {

AddressOwners::Ranges::iterator AddressOwners::cut(std::uint64_t address) {
    const auto next = ranges_.lower_bound(address);
    if (next == ranges_.begin()) return next;
    const auto before = std::prev(next);
    if (before->second.end <= address) return next;
    Range behind = before->second;
    before->second.end = address;
    return ranges_.emplace_hint(next, address, std::move(behind));
}

std::optional<std::size_t> AddressOwners::add(std::uint64_t offset, std::uint64_t bytes,
                                              std::size_t step, std::size_t last_step) {
    const std::size_t block = last_steps_.size();
    last_steps_.push_back(last_step);
    if (bytes == 0) return std::nullopt;
    const std::uint64_t end = offset + bytes;
    cut(end);
    std::optional<std::size_t> host;
    std::uint64_t covered = offset;  // up to here the ranges have this block as their latest
    const auto own = [&](Ranges::iterator before, std::uint64_t to) {
        if (covered < to) ranges_.emplace_hint(before, covered, Range{to, {block}});
    };
    // Ranges whose blocks are no longer used are merged, so that the number of ranges stays in
    // proportion to the blocks in use.
    for (auto range = cut(offset); range != ranges_.end() && range->first < end;) {
        std::erase_if(range->second.owners, [&](std::size_t o) { return last_steps_[o] < step; });
        if (range->second.owners.empty()) {
            range = ranges_.erase(range);
            continue;
        }
        if (!host) host = range->second.owners.back();
        own(range, range->first);
        covered = range->second.end;
        range->second.owners.push_back(block);
        ++range;
    }
    own(ranges_.lower_bound(end), end);
    return host;
}

}  // namespace lapidary
