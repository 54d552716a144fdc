// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_pattern.h"

#include <algorithm>
#include <map>
#include <set>

#include "ops/commutes.h"
#include "passes/user/rule_bindings.h"
#include "passes/user/rule_check.h"
#include "patterns/several_roots.h"

namespace lapidary::user {
namespace {

using Kind = Expression::Kind;
using pattern::Pattern;

bool exchanges_operands(const std::string& operators) {
    for (std::size_t begin = 0; begin <= operators.size();) {
        const std::size_t end = std::min(operators.find('|', begin), operators.size());
        if (!commutes(operators.substr(begin, end - begin))) return false;
        begin = end + 1;
    }
    return true;
}

double number_of(const Expression& e) {
    if (e.kind == Kind::unary) return -number_of(*e.parts[0]);
    return e.kind == Kind::integer ? static_cast<double>(e.integer) : e.decimal;
}

class PatternOfRule {
public:
    explicit PatternOfRule(const RewriteRule& rule) : rule_(rule) {}

    Pattern root() {
        const Pattern root = line_by_name(rule_.match.back());
        std::vector<Pattern> others;
        for (const Statement* result : further_results_of(rule_))
            others.push_back(line_by_name(*result));
        return others.empty() ? root : pattern::with_others(root, std::move(others));
    }

private:
    Pattern line_by_name(const Statement& s) {
        return line(s, *std::ranges::find_if(s.outputs, [](const auto& n) { return n != "_"; }));
    }

    /// Made once for each value, so that a value read twice does not double the pattern.
    Pattern line(const Statement& s, const std::string& output) {
        if (const auto known = made_.find(output); known != made_.end()) return known->second;
        std::vector<Pattern> inputs;
        bool more = false;
        for (const ExpressionPtr& part : s.value->parts) {
            if (part->kind == Kind::more) more = true;
            else inputs.push_back(input(*part));
        }
        const bool both_ways = inputs.size() == 2 && !more && exchanges_operands(s.value->text);
        Pattern p = pattern::op(s.value->text, std::move(inputs)).named(output);
        const auto at = std::ranges::find(s.outputs, output) - s.outputs.begin();
        if (at > 0) p = p.output(static_cast<std::uint32_t>(at));
        if (both_ways) p = p.commutative();
        if (more) p = p.more_inputs();
        made_.emplace(output, p);
        return p;
    }

    Pattern input(const Expression& e) {
        switch (e.kind) {
        case Kind::none: return pattern::absent();
        case Kind::anything: return e.optional ? pattern::maybe(pattern::any()) : pattern::any();
        case Kind::constant: {
            const Expression& inner = *e.parts[0];
            if (inner.kind != Kind::name) return pattern::constant();
            Pattern p = pattern::constant(inner.text);
            return inner.optional ? pattern::maybe(std::move(p)) : p;
        }
        case Kind::name: {
            const Statement* writer = writer_of(rule_, e.text);
            Pattern p = writer ? line(*writer, e.text) : pattern::any(e.text);
            return e.optional ? pattern::maybe(std::move(p)) : p;
        }
        default: return pattern::scalar(number_of(e));
        }
    }

    const RewriteRule& rule_;
    std::map<std::string, Pattern> made_;
};

}  // namespace

Pattern pattern_of(std::shared_ptr<const RewriteRule> rule) {
    Pattern root = PatternOfRule(*rule).root();
    return root.require([rule](const pattern::Subject& subject) {
        RuleBindings bindings(*rule, subject.match);
        std::string problem = bindings.attributes_problem();
        return problem.empty() ? bindings.condition_problem() : problem;
    });
}

}  // namespace lapidary::user
