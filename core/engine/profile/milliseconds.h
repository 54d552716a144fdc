// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

inline double milliseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace lapidary
