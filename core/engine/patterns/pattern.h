// SPDX-License-Identifier: Apache-2.0
// Declarative patterns over the graph, matched from a root node up through what it reads.
//
//   auto conv = op("Conv", {any("x"), constant("weight"), maybe(constant("bias"))})
//                   .named("conv")
//                   .require(read_once(), "the Conv result is also read elsewhere");
//   auto norm = op("BatchNormalization", {conv, constant("scale"), constant("shift"),
//                                         constant("mean"), constant("variance")})
//                   .named("norm")
//                   .where(int_attribute_is("training_mode", 0), "it is in training mode");
//
// A pattern is data: the matcher can explain the first part that did not match. Conditions of
// `where` are checked as soon as the operator matches, and decide between alternatives. Conditions
// of `require` are checked in order once the whole pattern is bound. They can use every binding,
// and their failure is a near miss. A name must be bound to the same value each time, so a pattern
// object that is used twice matches one value that is read twice.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "patterns/scope.h"

namespace lapidary::pattern {

class Match;

/// The input of a condition: the match so far, and the value and node that the conditioned pattern
/// is bound to.
struct Subject {
    const Match& match;
    const Scope& scope;
    ValueId value;               // empty for a root that is bound by node
    const Node* node = nullptr;  // of op patterns
};

using Check = std::function<bool(const Subject&)>;
/// Returns what is wrong as a sentence part ("the bias has rank 2, needs 1"), empty when nothing
/// is.
using ExplainedCheck = std::function<std::string(const Subject&)>;

class Pattern {
public:
    /// Binds the value (and the node, of op patterns) to the name.
    Pattern named(std::string name) const;
    /// The first two inputs may stand in either order.
    Pattern commutative() const;
    /// The value is this output of the operator (default 0).
    Pattern output(std::uint32_t index) const;
    /// Inputs beyond those listed are allowed (they stay unbound).
    Pattern more_inputs() const;
    /// Opset versions in effect at the node, inclusive.
    Pattern versions(std::int64_t least, std::int64_t most = 1 << 20) const;
    Pattern where(Check check, std::string reason) const;
    Pattern where(ExplainedCheck check) const;
    Pattern require(Check check, std::string reason) const;
    Pattern require(ExplainedCheck check) const;

    struct Body;
    explicit Pattern(std::shared_ptr<const Body> body) : body_(std::move(body)) {}
    const Body& body() const { return *body_; }

private:
    std::shared_ptr<const Body> body_;
};

/// Any present value.
Pattern any(std::string name = {});
/// A constant (initializer of this or an enclosing graph).
Pattern constant(std::string name = {});
/// A constant of one element that equals `value` by ORT's predicate (scalar_equals).
Pattern scalar(double value);
/// A constant of one element, whatever its value.
Pattern scalar(std::string name);
/// An omitted input.
Pattern absent();
/// The pattern, or an omitted input.
Pattern maybe(Pattern pattern);
/// The first alternative that leads to a whole match.
Pattern either(std::vector<Pattern> alternatives);
/// The result of one of the operators ("Conv", "com.microsoft::Gelu", "Add|Sub"; "*" any) with
/// these inputs.
Pattern op(std::string_view operators, std::vector<Pattern> inputs);
/// `pattern` behind at most one unary operator of the list ("Cast", "Identity|Cast"), which binds
/// to `name`.
Pattern behind(std::string_view operators, Pattern pattern, std::string name = {});

}  // namespace lapidary::pattern
