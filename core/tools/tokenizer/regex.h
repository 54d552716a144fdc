// SPDX-License-Identifier: Apache-2.0
// Regular expressions of tokenizer.json: Oniguruma's syntax, which is what they are written for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary::tokens {

/// Bytes [begin, end) of a text.
struct Range {
    std::uint32_t begin, end;
};

class Regex {
public:
    /// Throws invalid_input with Oniguruma's reason, limit_exceeded for patterns of more than
    /// 64 KiB.
    explicit Regex(std::string pattern);
    ~Regex();
    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;

    /// Matches from left to right that do not overlap; an empty one right behind another is left
    /// out. `text` is valid UTF-8. Throws limit_exceeded where the pattern takes too many tries or
    /// too much memory on a text.
    std::vector<Range> matches(std::string_view text) const;

private:
    struct Compiled;
    std::string pattern_;
    std::unique_ptr<Compiled> compiled_;
};

/// A pattern that matches this text.
std::string escaped(std::string_view text);

/// \w+|[^\w\s]+ with the \w and \s of is_word_character() and is_white_space().
const Regex& words_and_symbols();

/// A property of characters by its name in Unicode, as Oniguruma spells it: "Alphabetic",
/// "Age=8.0".
class Property {
public:
    explicit Property(std::string_view name);
    bool is_of(char32_t code) const;

private:
    int type_;
};

}  // namespace lapidary::tokens
