// SPDX-License-Identifier: Apache-2.0
// The words of a file of rewriting rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "passes/user/rule_syntax.h"

namespace lapidary::user {

struct Token {
    enum class Kind : std::uint8_t { name, integer, decimal, text, sign, line_end, file_end };
    Kind kind = Kind::file_end;
    std::string text;  // of a string without its quotes
    Place place;
    std::size_t begin = 0, end = 0;  // in the file's text

    bool is(std::string_view sign) const {
        return (kind == Kind::sign || kind == Kind::name) && text == sign;
    }
};

/// A line ends a statement unless a bracket is open or its last word is a comma. Throws
/// invalid_input with "file:line:column" for a character that belongs to no word.
std::vector<Token> rule_tokens(const std::string& file, std::string_view text);

/// Throws invalid_input: "file:line:column: what".
[[noreturn]] void fail_at(const std::string& file, Place place, const std::string& what);

}  // namespace lapidary::user
