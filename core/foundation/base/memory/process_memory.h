// SPDX-License-Identifier: Apache-2.0
// The resident memory of this process.
#pragma once

#include <cstdint>
#include <optional>

namespace lapidary {

/// Bytes that are resident now; 0 if the system does not say.
std::int64_t resident_bytes();
/// The peak of resident_bytes() (Linux: VmHWM).
std::optional<std::uint64_t> peak_resident_bytes();

}  // namespace lapidary
