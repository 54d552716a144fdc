// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

namespace lapidary {

/// "18 %", "4.2 %", "under 0.1 %" of a share from 0 to 1.
inline std::string percent_text(double share) {
    if (share > 0 && share < 0.001) return "under 0.1 %";
    return fmt::format("{:.{}f} %", share * 100, share < 0.1 ? 1 : 0);
}

}  // namespace lapidary
