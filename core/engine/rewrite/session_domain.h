// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

/// The domain of operators that passes of level session make. Only sessions know them; no file
/// contains them.
inline constexpr std::string_view session_domain = "lapidary";

}  // namespace lapidary
