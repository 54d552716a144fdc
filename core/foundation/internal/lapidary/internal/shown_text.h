// SPDX-License-Identifier: Apache-2.0
// Makes text from files (names, symbols, doc strings, metadata) safe to show. What is shown has a
// bounded length and cannot control a terminal, reorder a line or run in a spreadsheet. What is
// written to files keeps every byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lapidary {

/// Characters of a name that tables, traces and sentences show at most.
inline constexpr std::size_t shown_characters = 300;

/// `text` with its middle replaced by "…" where it has more than `most` characters (at least 1);
/// cut between the characters of UTF-8. Takes time by `most`, not by the length of `text`.
std::string elided(std::string_view text, std::size_t most = shown_characters);

/// elided(), with control characters and bytes that are no UTF-8 as "\x1b", other hidden ones (C1,
/// bidirectional, zero width) as
/// "\u202e". Nothing of the result is a control character.
std::string printable(std::string_view text, std::size_t most = shown_characters);

/// The same for whole pages of text and JSON: nothing is left out, line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// One field of a CSV file: quoted where it holds a comma, quotation mark or line end. A text that
/// a spreadsheet would take for a formula (it begins with = + - @, tab or carriage return, and is
/// no number) is quoted and begins with an apostrophe.
std::string csv_field(std::string_view text);

}  // namespace lapidary
