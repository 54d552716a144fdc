// SPDX-License-Identifier: Apache-2.0
// Words of edit scripts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

/// The words of a line in normal form. `->`, `=`, `&`, `,` and a `:` at the end of a word are
/// words; what stands in brackets, and quotes, belongs to its word. Ends at a comment. Throws
/// invalid_input for a quote or bracket that is not closed.
std::vector<std::string> split_edit_words(std::string_view line);
/// Words in one line: a space between them, none before a comma and a colon.
std::string join_edit_words(const std::vector<std::string>& words);

/// Whether quotes hold the whole word.
bool is_quoted_word(std::string_view word);
/// A word without its quotes: what stands for characters in them is replaced.
std::string unquoted_word(std::string_view word);
/// "conv1.axis" -> "conv1", "axis": at the last dot outside of quotes and brackets. The second is
/// empty where there is none.
std::pair<std::string, std::string> split_at_last_dot(std::string_view word);
/// "Clip(min=0, max=6)" -> "min=0", "max=6": the parts between commas in the brackets at the end of
/// a word, and what stands before them. Commas in quotes and inner brackets do not count.
std::pair<std::string, std::vector<std::string>> split_brackets(std::string_view word, char open);
/// The text at the first `=` outside of quotes and brackets; the second is empty where there is
/// none.
std::pair<std::string, std::string> split_at_equals(std::string_view text);

}  // namespace lapidary
