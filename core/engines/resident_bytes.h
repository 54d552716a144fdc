// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

/// Memory of this process that is in use, now; 0 where the system does not tell.
std::int64_t resident_bytes();

}  // namespace lapidary
