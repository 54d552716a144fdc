// SPDX-License-Identifier: Apache-2.0
// Characters of texts in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary::tokens {

struct Character {
    char32_t code;
    std::uint32_t length;  // bytes
};

/// The character at a byte of valid UTF-8.
Character character_at(std::string_view text, std::size_t at);
/// The last one before a byte of valid UTF-8 other than the first.
Character character_before(std::string_view text, std::size_t end);
void append_character(std::string& text, char32_t code);
std::size_t count_characters(std::string_view text);

/// The first byte that is no UTF-8; npos: there is none.
std::size_t first_invalid_byte(std::string_view text);
/// With U+FFFD for each longest beginning of a character that is not completed (Unicode 15, 3.9,
/// "substitution of maximal subparts").
std::string repaired_text(std::string_view bytes);

/// U+FFFD
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

}  // namespace lapidary::tokens
