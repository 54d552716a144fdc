// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <lapidary/graph/type.h>

namespace lapidary {

/// Bytes of a tensor of the type. Empty if a dimension is unknown or the product overflows.
std::optional<std::uint64_t> bytes_of(const Type& type);

}  // namespace lapidary
