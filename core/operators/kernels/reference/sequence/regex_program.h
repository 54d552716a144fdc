// SPDX-License-Identifier: Apache-2.0
// Regular expressions in RE2's syntax, matched in time proportional to pattern times text: no
// backtracking.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::reference {

/// A set of code points as sorted ranges, both ends included.
using CodeSet = std::vector<std::pair<char32_t, char32_t>>;

/// A compiled pattern. Known: literals, ., classes with escapes and [:names:], \d \w \s \b \A \z
/// and their opposites, \Q..\E, groups (named and not), alternation, repetition up to {1000}, flags
/// i, m, s, U (ASCII letters only for i). Not known, and refused by name: look-around, back
/// references, \p classes, \C, \X.
class RegexProgram {
public:
    /// Throws invalid_input naming the fault and its place, not_supported, or limit_exceeded when
    /// the pattern takes more than 20000 steps.
    explicit RegexProgram(std::string_view pattern);
    /// True when the pattern matches all of `text` (UTF-8).
    bool full_match(std::string_view text, const CancelToken& cancel) const;

    enum class Operation : std::uint8_t {
        set,
        split,
        jump,
        accept,
        text_begin,
        text_end,
        line_begin,
        line_end,
        boundary,
        no_boundary
    };
    struct Instruction {
        Operation operation;
        std::uint32_t next = 0;   // all but accept
        std::uint32_t other = 0;  // split: the second way; set: the set's number
    };

private:
    std::vector<Instruction> code_;
    std::vector<CodeSet> sets_;
};

}  // namespace lapidary::reference
