// SPDX-License-Identifier: Apache-2.0
// Text that JSON cannot hold as it is: bytes that are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

/// Whether the text is UTF-8 (RFC 3629), which the text of JSON has to be.
bool is_utf8(std::string_view text);
/// Two hexadecimal digits per byte.
std::string hex_of(std::string_view bytes);
/// The bytes of hex_of(). Throws invalid_input.
std::string bytes_of_hex(std::string_view hex);

}  // namespace lapidary
