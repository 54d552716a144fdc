// SPDX-License-Identifier: Apache-2.0
// What Unicode says of characters, by utf8proc and Oniguruma.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary::tokens {

// The categories are those of the tables that the package `tokenizers` asks: of Unicode 8 (9 for
// is_mark()), so that characters which came later are in none. Numbers, letters and lower case are
// as new as the libraries here know them.
bool is_white_space(char32_t code);  // the property White_Space
bool is_numeric(char32_t code);      // categories N*
bool is_punctuation(char32_t code);  // categories P*, and symbols of ASCII
bool is_mark(char32_t code);         // categories M*
bool is_accent(char32_t code);       // category Mn
bool is_other(char32_t code);        // categories Cc, Cf and Co
bool is_chinese(char32_t code);      // ideographs that BERT takes for words
/// What \w stands for in UTS 18: letters, marks, decimal numbers, connecting punctuation, join
/// controls.
bool is_word_character(char32_t code);

bool is_ascii(std::string_view text);
/// The full lower case of each character, whatever stands beside it.
std::string lower_case(std::string_view text);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
/// Unicode's annex 15.
std::string normal_form(std::string_view text, NormalForm form);

/// Bytes of the extended grapheme cluster (annex 29) at a byte.
std::size_t grapheme_length(std::string_view text, std::size_t at);

}  // namespace lapidary::tokens
