// SPDX-License-Identifier: Apache-2.0
// Tokens of the graph text form, with line and column for messages.
#pragma once

#include <string>
#include <string_view>

namespace lapidary {

class TextScanner {
public:
    explicit TextScanner(std::string_view text) : text_(text) {}

    bool at_end() {
        skip();
        return at_ >= text_.size();
    }
    /// The next character after blanks and comments; '\0' at the end.
    char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(std::string_view symbol);
    void expect(std::string_view symbol);
    /// A plain or quoted name.
    std::string name();
    bool at_name();
    /// True where the next word is "nan" or "inf"; reads nothing.
    bool at_number_word();
    std::string quoted_string();
    /// A number's text: digits, sign, dot, exponent, nan, inf.
    std::string number();
    /// Raw text up to (not including) the bracket that closes the one just read, or a top-level
    /// comma.
    std::string until_comma_or_close();
    [[noreturn]] void fail(const std::string& message) const;

private:
    void skip();
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace lapidary
