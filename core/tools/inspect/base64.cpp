// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/internal/base64.h>

namespace lapidary {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t none = 255;

constexpr std::array<std::uint8_t, 256> values_of_characters() {
    std::array<std::uint8_t, 256> values{};
    values.fill(none);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    return values;
}

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t given = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 3; ++i)
            word = word << 8 | (i < given ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
        for (std::size_t i = 0; i < 4; ++i)
            text += i > given ? '=' : alphabet[word >> (18 - 6 * i) & 63];
    }
    return text;
}

std::vector<std::byte> from_base64(std::string_view text) {
    static constexpr std::array<std::uint8_t, 256> values = values_of_characters();
    if (text.size() % 4 != 0)
        fail_input("the text is no base64: its length is no multiple of four");
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        const bool is_last = at + 4 == text.size();
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const bool is_padding = is_last && i >= 4 - padding;
            const std::uint8_t value =
                is_padding ? std::uint8_t{0} : values[static_cast<unsigned char>(text[at + i])];
            if (value == none)
                fail_input("the text is no base64: character " + std::to_string(at + i) +
                           " is not of its alphabet");
            word = word << 6 | value;
        }
        const std::size_t kept = is_last ? 3 - padding : 3;
        for (std::size_t i = 0; i < kept; ++i)
            bytes.push_back(static_cast<std::byte>(word >> (16 - 8 * i) & 255));
    }
    return bytes;
}

}  // namespace lapidary
