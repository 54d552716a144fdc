// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary::reference {

/// Bytes that are no valid UTF-8 come back as this plus the byte, above all code points, and are
/// written back as they were.
inline constexpr char32_t stray_byte = 0x110000;

/// The code point at `at` (< text.size()), which moves behind it.
char32_t next_code_point(std::string_view text, std::size_t& at);
void append_utf8(std::string& text, char32_t code_point);

}  // namespace lapidary::reference
