// SPDX-License-Identifier: Apache-2.0
// Bytes as pairs of hexadecimal digits, for JSON, whose text is UTF-8.
#pragma once

#include <string>

namespace lapidary::app {

std::string hex_of(const std::string& bytes);
/// Throws invalid_input, calling the text by `what`.
std::string bytes_of_hex(const std::string& hex, const std::string& what);

}  // namespace lapidary::app
