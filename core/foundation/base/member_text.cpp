// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/member_text.h>

#include <cstddef>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// Bytes of the character that begins at `at`; 0: not valid UTF-8.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - at < count) return 0;
    for (std::size_t i = 1; i < count; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool is_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool is_surrogate = first == 0xed && byte(1) > 0x9f;
    const bool is_beyond = first == 0xf4 && byte(1) > 0x8f;
    return is_long || is_surrogate || is_beyond ? 0 : count;
}

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = character_bytes(text, at);
        if (bytes == 0) return false;
        at += bytes;
    }
    return true;
}

std::string hex_of(std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

std::string bytes_of_hex(std::string_view hex) {
    if (hex.size() % 2 != 0)
        fail_input("expected two hexadecimal digits per byte, found an odd number of them");
    std::string bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = digit_of(hex[i]), low = digit_of(hex[i + 1]);
        if (high < 0 || low < 0)
            fail_input("expected hexadecimal digits, found " + quote(hex.substr(i, 2)));
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

}  // namespace lapidary
