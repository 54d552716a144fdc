// SPDX-License-Identifier: Apache-2.0
// Recognizes polynomials: finds which polynomial of one or two given values a third value is,
// however its arithmetic is written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "patterns/scope.h"

namespace lapidary::pattern {

/// Sum of coefficient * first^i * second^j, keyed by (i, j); terms that cancel are absent.
struct Polynomial {
    std::map<std::pair<int, int>, double> terms;
    double slack = 0;  // relative error by rounding its constants to their element types

    bool is_constant() const;
    double coefficient(int i, int j = 0) const;
    /// Equal terms up to 1e-5 relative and the slack.
    bool matches(const Polynomial& expected) const;
};

/// "0.5*x + 0.5*x*erf"
std::string to_string(const Polynomial& polynomial, const std::string& first,
                      const std::string& second = {});

/// Reads Add, Sub, Mul, Div by a constant, Neg, Pow with a small whole exponent, Identity and Casts
/// between float types; constants have one element.
class Formula {
public:
    Formula(const Scope& scope, ValueId first, ValueId second = {})
        : scope_(scope), first_(first), second_(second) {}
    /// Nothing: the value is no polynomial of the two, or a constant would broadcast the first
    /// value to another shape.
    std::optional<Polynomial> of(ValueId value);
    /// Operators that of() has read since construction, each once.
    const std::vector<NodeId>& nodes() const { return nodes_; }

private:
    std::optional<Polynomial> read(ValueId value, int depth);
    std::optional<Polynomial> read_operator(const Node& node, int depth);
    const Scope& scope_;
    ValueId first_, second_;
    std::vector<NodeId> nodes_;
};

/// True for the operators that Formula reads.
bool is_arithmetic(const Node& node);

}  // namespace lapidary::pattern
