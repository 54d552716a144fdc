// SPDX-License-Identifier: Apache-2.0
// Finds which block owns which bytes while blocks of memory come and go step by step. Independent
// of graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lapidary {

/// Takes blocks in the order of their first step. The time grows with the number of blocks, not
/// with how many are in use at once.
class AddressOwners {
public:
    /// Adds a block in use from `step` to `last_step`; blocks are numbered in the order they are
    /// added. Returns the block still in use at `step` whose bytes it reuses: the latest one at its
    /// first address, else the one with the lowest address inside it. Empty if no block in use
    /// overlaps it.
    std::optional<std::size_t> add(std::uint64_t offset, std::uint64_t bytes, std::size_t step,
                                   std::size_t last_step);

private:
    struct Range {
        std::uint64_t end = 0;
        std::vector<std::size_t> owners;  // the latest one last
    };
    using Ranges = std::map<std::uint64_t, Range>;  // by first address; they do not overlap

    /// Splits a range at `address`. Returns the first range from there on.
    Ranges::iterator cut(std::uint64_t address);

    Ranges ranges_;
    std::vector<std::size_t> last_steps_;  // by block
};

}  // namespace lapidary
