// SPDX-License-Identifier: Apache-2.0
// The data of a Pattern.
#pragma once

#include <optional>

#include "patterns/pattern.h"

namespace lapidary::pattern {

struct Operator {
    std::string domain, op_type;  // op_type "*": any operator
};

struct Condition {
    ExplainedCheck check;
};

struct Pattern::Body {
    enum class Kind { any, constant, scalar, absent, maybe, either, op };
    Kind kind = Kind::any;
    std::string name;
    std::optional<double> scalar_value;
    std::vector<Operator> operators;
    std::string operators_text;
    std::vector<Pattern> children;  // inputs of op, alternatives of either, the one of maybe
    bool commutative = false;
    bool more_inputs = false;
    std::uint32_t output = 0;
    std::int64_t least_version = 0, most_version = 1 << 20;
    std::vector<Condition> where, require;
    std::vector<Pattern> others;  // further roots, matched after this one
    int operator_count = 0;       // of the shortest alternatives
};

}  // namespace lapidary::pattern
