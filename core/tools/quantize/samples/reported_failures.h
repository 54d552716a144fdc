// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lapidary {

/// How many samples that could not be read or run are named; further ones are only counted.
inline constexpr std::size_t reported_failures = 3;

}  // namespace lapidary
