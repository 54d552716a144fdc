// SPDX-License-Identifier: Apache-2.0
// The memory that this process has of the machine.
#pragma once

#include <cstdint>
#include <optional>

namespace lapidary {

/// Bytes of it that are in memory now; 0 if the system does not say.
std::int64_t resident_bytes();
/// The most that they ever were (Linux: VmHWM).
std::optional<std::uint64_t> peak_resident_bytes();

}  // namespace lapidary
