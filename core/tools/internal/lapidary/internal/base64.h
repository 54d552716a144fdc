// SPDX-License-Identifier: Apache-2.0
// Bytes as text in the alphabet of RFC 4648, section 4.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// Four characters for three bytes, the last ones padded with "=".
std::string to_base64(std::span<const std::byte> bytes);

/// Throws invalid_input for what is no base64: other characters, or a length that is no multiple
/// of four.
std::vector<std::byte> from_base64(std::string_view text);

}  // namespace lapidary
