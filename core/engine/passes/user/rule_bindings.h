// SPDX-License-Identifier: Apache-2.0
// The names of a rule at one place of a graph, and its expressions evaluated there.
#pragma once

#include <map>
#include <string>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>

#include "passes/user/rule_syntax.h"
#include "passes/user/rule_value.h"
#include "patterns/match.h"

namespace lapidary::user {

class RuleBindings {
public:
    RuleBindings(const RewriteRule& rule, const pattern::Match& match, Limits limits = {},
                 CancelToken cancel = {});

    /// Why the attributes of the matched nodes do not fit; empty: they do, and names are bound.
    std::string attributes_problem();
    /// The first condition that does not hold, as a sentence; empty: all hold.
    std::string condition_problem();

    /// Throws not_supported with the reason where the value is not known here.
    Datum evaluate(const Expression& e) const;
    /// const OPERATOR(...) or such a call inside of one: output 0 of the operator, run now.
    Tensor computed_constant(const Expression& call) const;
    /// Attributes of a call that makes a node. `attributes(a)` among the arguments gives those of
    /// the matched node; named ones replace them, and `none` takes one away.
    std::vector<Attribute> attributes_for(const Expression& call, std::int64_t version) const;

    void set(const std::string& name, Datum value) { names_[name] = std::move(value); }
    /// The node of the line of `match` that writes the value.
    const Node& node_of(const std::string& value) const;
    const pattern::Match& match() const { return match_; }
    const Scope& scope() const { return match_.scope(); }

private:
    void bind_values();
    std::string bind_attributes(const Statement& line, const Node& node);
    std::string unmentioned(const Statement& line, const Node& node) const;
    Datum evaluate_binary(const Expression& e) const;
    bool holds(const Expression& e) const;
    std::string explained(const Expression& condition) const;

    const RewriteRule& rule_;
    const pattern::Match& match_;
    Limits limits_;
    CancelToken cancel_;
    std::map<std::string, Datum> names_;
};

}  // namespace lapidary::user
