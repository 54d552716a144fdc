// SPDX-License-Identifier: Apache-2.0
// A file of rewriting rules as data: what rule_parser.h makes of its text, and what rule_pattern.h
// and rule_plan.h read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary::user {

struct Place {
    int line = 0, column = 0;  // from 1
};

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// NAME=expression in the parentheses of a call.
struct NamedArgument {
    std::string name;
    ExpressionPtr value;
    Place place;
};

struct Expression {
    enum class Kind : std::uint8_t {
        integer,
        decimal,
        text,
        boolean,
        type,      // float16
        name,      // x; with `optional` x?
        none,      // no input
        anything,  // _
        more,      // ...
        list,      // [a, b]
        call,      // a function (text in lower case) or an operator
        unary,     // - not
        binary,    // + - * / // % == != < <= > >= in, not in, and, or
        index,     // a[b]
        constant   // const a
    };
    Kind kind = Kind::none;
    Place place;
    std::int64_t integer = 0;
    double decimal = 0;
    DType type = DType::undefined;
    std::string text;  // name, operator sign, function or operators "A|B", contents of a string
    bool optional = false;
    std::vector<ExpressionPtr> parts;
    std::vector<NamedArgument> named;
    std::string source;  // as written, for messages
};

/// outputs = expression; of a condition there are no outputs.
struct Statement {
    std::vector<std::string> outputs;
    ExpressionPtr value;
    std::string reason;  // of a condition, behind `else`; empty: made from the condition
    Place place;
};

struct RewriteRule {
    std::string name, summary;
    std::string file;
    Place place;
    std::vector<Statement> match, where, replace;
};

/// True for the text of a call that names operators: "Cast", "a.b::gelu", "Add|Sub", "*".
bool names_operators(const std::string& text);

}  // namespace lapidary::user
