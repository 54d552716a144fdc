// SPDX-License-Identifier: Apache-2.0
// Decides which values may lie in one block of memory, as their kernels allow. A pure function,
// independent of graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "exec/memory/memory_planner.h"
#include "kernels/kernel.h"

namespace lapidary {

inline constexpr std::size_t no_value = std::numeric_limits<std::size_t>::max();
/// Lifetime::last of a value that leaves the session when the run ends.
inline constexpr std::size_t never_dies = std::numeric_limits<std::size_t>::max();

/// A step whose kernel shares storage between its inputs and outputs.
struct SharingStep {
    std::size_t step = 0;
    StorageSharing sharing;
    // indices of values; no_value: omitted or not planned
    std::vector<std::size_t> inputs, outputs;
    // parallel to the inputs; unknown_bytes if not known
    std::vector<std::uint64_t> input_bytes;
    static constexpr std::uint64_t unknown_bytes = ~std::uint64_t{0};
};

struct StoragePlace {
    std::size_t block = no_value;  // no_value: it lies wherever its source lies in that run
    std::uint64_t offset = 0;
};

struct SharedStorage {
    std::vector<StoragePlace> places;  // parallel to the values
    std::vector<Lifetime> blocks;      // bytes 0 and first > last: merged into another block
};

/// Gives each value its own block, except where the steps (in order) may share. No value is
/// overwritten while another one in the same bytes is still read. Values inside a block start at
/// multiples of `alignment`. A block that holds a value of never_dies is no larger than the largest
/// such value. Throws cancelled.
SharedStorage share_storage(std::span<const Lifetime> values, std::span<const SharingStep> steps,
                            std::uint64_t alignment = 64, const CancelToken& cancel = {});

}  // namespace lapidary
