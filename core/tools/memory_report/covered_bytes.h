// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/cost/memory_report.h>

namespace lapidary {

/// How many bytes those of the tensors that `members` lists cover at each of `steps` (ascending;
/// the first and the one past the last step of every member are among them); bytes of several count
/// once. Takes n log n.
std::vector<std::uint64_t> covered_bytes(const std::vector<TensorLifetime>& tensors,
                                         std::span<const std::size_t> members,
                                         std::span<const std::size_t> steps);

}  // namespace lapidary
