// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/sequence/utf8.h"

namespace lapidary::reference {

char32_t next_code_point(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    const std::size_t begin = at++;
    if (first < 0x80) return first;
    const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xc2 && first < 0xe0 ? 2
                                                               : 0;
    if (length == 0 || begin + length > text.size()) return stray_byte + first;
    char32_t code = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(begin + i) & 0xc0u) != 0x80u) return stray_byte + first;
        code = code << 6 | (byte(begin + i) & 0x3fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return stray_byte + first;
    at = begin + length;
    return code;
}

void append_utf8(std::string& text, char32_t c) {
    const auto put = [&](char32_t byte) {
        text += static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (c >= stray_byte) put(c - stray_byte);
    else if (c < 0x80) put(c);
    else if (c < 0x800) put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
    else if (c < 0x10000) put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
    else
        put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)),
            put(0x80 | (c & 0x3f));
}

}  // namespace lapidary::reference
