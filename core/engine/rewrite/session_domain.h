// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

/// Of the operators that passes of level session make. Sessions alone know them; no file ever holds
/// one.
inline constexpr std::string_view session_domain = "lapidary";

}  // namespace lapidary
