// SPDX-License-Identifier: Apache-2.0
// Whose bytes lie where while blocks of memory come and go step by step. Knows no graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lapidary {

/// Takes blocks in the order of their first step, in time that grows with their number and not with
/// how many are in use.
class AddressOwners {
public:
    /// Adds a block in use from `step` to `last_step`; blocks are numbered as they come. Returns
    /// the block, of those still in use at `step`, that it lies in: the latest at its first
    /// address, else the lowest that begins inside of it. Nothing: its bytes are its own.
    std::optional<std::size_t> add(std::uint64_t offset, std::uint64_t bytes, std::size_t step,
                                   std::size_t last_step);

private:
    struct Range {
        std::uint64_t end = 0;
        std::vector<std::size_t> owners;  // the latest last
    };
    using Ranges = std::map<std::uint64_t, Range>;  // by first address; they do not overlap

    /// Makes `address` a border between ranges; returns the first range from there on.
    Ranges::iterator cut(std::uint64_t address);

    Ranges ranges_;
    std::vector<std::size_t> last_steps_;  // by block
};

}  // namespace lapidary
