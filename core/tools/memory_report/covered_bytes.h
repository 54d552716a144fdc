// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/cost/memory_report.h>

namespace lapidary {

/// The number of bytes that the tensors in `members` cover at each of `steps`. Bytes that several
/// tensors share count once. `steps` are ascending and include, for every member, its first step
/// and the step after its last. Takes n log n.
std::vector<std::uint64_t> covered_bytes(const std::vector<TensorLifetime>& tensors,
                                         std::span<const std::size_t> members,
                                         std::span<const std::size_t> steps);

}  // namespace lapidary
