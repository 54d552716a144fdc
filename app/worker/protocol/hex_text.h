// SPDX-License-Identifier: Apache-2.0
// Bytes as pairs of hexadecimal digits. For JSON, which only holds UTF-8 text.
#pragma once

#include <string>

namespace lapidary::app {

std::string hex_of(const std::string& bytes);
/// Throws invalid_input; `what` names the text in the message.
std::string bytes_of_hex(const std::string& hex, const std::string& what);

}  // namespace lapidary::app
