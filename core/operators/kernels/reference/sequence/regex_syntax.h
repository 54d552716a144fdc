// SPDX-License-Identifier: Apache-2.0
// The tree of a parsed regular expression.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/reference/sequence/regex_program.h"

namespace lapidary::reference {

struct RegexNode {
    enum class Kind : std::uint8_t {
        nothing,
        set,
        sequence,
        choice,
        repeat,
        assertion
    } kind = Kind::nothing;
    CodeSet set;
    // numbers of nodes that stand before this one in the tree's list
    std::vector<std::uint32_t> children;
    std::uint32_t least = 0, most = 0;  // repeat; most = unbounded means no upper bound
    RegexProgram::Operation assertion = RegexProgram::Operation::text_begin;

    static constexpr std::uint32_t unbounded = ~std::uint32_t{0};
};

struct RegexTree {
    std::vector<RegexNode> nodes;
    std::uint32_t root = 0;
};

/// Throws as RegexProgram's constructor does.
RegexTree parse_regex(std::string_view pattern);

/// Sorted, overlaps joined.
CodeSet normalized(CodeSet set);
/// All other code points.
CodeSet complement(const CodeSet& normalized_set);

}  // namespace lapidary::reference
