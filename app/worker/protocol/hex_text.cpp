// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/hex_text.h"

#include <lapidary/base/error.h>

namespace lapidary::app {

std::string hex_of(const std::string& bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const unsigned char byte : bytes) (text += digits[byte >> 4]) += digits[byte & 15];
    return text;
}

std::string bytes_of_hex(const std::string& hex, const std::string& what) {
    const auto digit = [&](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        fail_input(what + " must be pairs of hexadecimal digits");
    };
    if (hex.size() % 2 != 0) fail_input(what + " must be pairs of hexadecimal digits");
    std::string bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    return bytes;
}

}  // namespace lapidary::app
