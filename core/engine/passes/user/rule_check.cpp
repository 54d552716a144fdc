// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_check.h"

#include <algorithm>
#include <set>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "passes/user/rule_functions.h"
#include "passes/user/rule_lexer.h"

namespace lapidary::user {
namespace {

using Kind = Expression::Kind;

bool is_any(const std::vector<std::string>& names, const std::set<std::string>& of) {
    return std::ranges::any_of(names, [&](const std::string& name) { return of.contains(name); });
}

/// The names of values that the line reads.
std::vector<std::string> inputs_of(const Statement& line) {
    std::vector<std::string> names;
    for (const ExpressionPtr& part : line.value->parts) {
        const Expression& e = part->kind == Kind::constant ? *part->parts[0] : *part;
        if (e.kind == Kind::name) names.push_back(e.text);
    }
    return names;
}

/// Adds the names of a line and of all that feeds it.
void add_names(const RewriteRule& rule, const Statement& line, std::set<std::string>& names) {
    names.insert(line.outputs.begin(), line.outputs.end());
    for (const std::string& input : inputs_of(line))
        if (names.insert(input).second)
            if (const Statement* writer = writer_of(rule, input)) add_names(rule, *writer, names);
}

class RuleCheck {
public:
    explicit RuleCheck(const RewriteRule& rule) : rule_(rule) {}

    void run() {
        if (rule_.match.empty()) at(rule_.place, "rule " + quote(rule_.name) + " matches nothing");
        for (const Statement& s : rule_.match) match_line(s);
        for (const Statement& s : rule_.where) condition(s);
        if (rule_.replace.empty())
            at(rule_.place, "rule " + quote(rule_.name) + " replaces nothing");
        for (const Statement& s : rule_.replace) replacement(s);
        every_line_belongs();
        const Statement& last = rule_.match.back();
        const std::vector<std::string> results = results_of(rule_);
        if (std::ranges::none_of(last.outputs, [&](const std::string& name) {
                return std::ranges::find(results, name) != results.end();
            }))
            at(rule_.replace.back().place, "expected a line that writes " +
                                               quote(last.outputs.back()) +
                                               ", the result of the last line of match");
        every_new_value_is_read();
    }

private:
    [[noreturn]] void at(Place place, const std::string& what) const {
        fail_at(rule_.file, place, what);
    }

    void define(const std::string& name, Place place) {
        if (name != "_" && !known_.insert(name).second)
            at(place, quote(name) + " is the name of something else already");
    }

    void match_line(const Statement& s) {
        const Expression& call = *s.value;
        if (call.kind != Kind::call || !names_operators(call.text))
            at(call.place, "expected an operator with its inputs, like Cast(x)");
        for (const ExpressionPtr& part : call.parts) matched_input(*part);
        for (const NamedArgument& a : call.named) {
            if (is_literal(*a.value)) continue;
            if (a.value->kind != Kind::name)
                at(a.value->place, "expected a value or a name for the attribute " + quote(a.name));
            if (inputs_.contains(a.value->text) || written_.contains(a.value->text))
                at(a.value->place,
                   quote(a.value->text) + " is a tensor; expected a name for an attribute");
            known_.insert(a.value->text);
            captured_.insert(a.value->text);
        }
        for (const std::string& name : s.outputs) {
            define(name, s.place);
            written_.insert(name);
        }
    }

    static bool is_literal(const Expression& e) {
        if (e.kind == Kind::unary && e.text == "-") return is_literal(*e.parts[0]);
        if (e.kind == Kind::list)
            return std::ranges::all_of(e.parts, [](const auto& p) { return is_literal(*p); });
        return e.kind == Kind::integer || e.kind == Kind::decimal || e.kind == Kind::text ||
               e.kind == Kind::type || e.kind == Kind::boolean;
    }

    void matched_input(const Expression& e) {
        const Expression& inner = e.kind == Kind::constant ? *e.parts[0] : e;
        if (inner.kind == Kind::name) {
            if (captured_.contains(inner.text))
                at(inner.place, quote(inner.text) + " is an attribute; expected a tensor");
            if (written_.contains(inner.text)) {
                if (e.kind == Kind::constant || inner.optional)
                    at(e.place,
                       quote(inner.text) + " is the result of a line; expected its name alone");
                read_.insert(inner.text);
            } else {
                inputs_.insert(inner.text);
                known_.insert(inner.text);
            }
            return;
        }
        if (e.kind == Kind::anything || e.kind == Kind::none || e.kind == Kind::more) return;
        const bool number = e.kind == Kind::integer || e.kind == Kind::decimal ||
                            (e.kind == Kind::unary && e.text == "-" && is_literal(e));
        if (!number)
            at(e.place,
               "expected an input: a name, const NAME, a number, none, _ or ...; give the result "
               "of an operator a name on a line before");
    }

    /// A line feeds the last one, or is a further result that reads something of the others.
    void every_line_belongs() const {
        const std::vector<std::string> results = results_of(rule_);
        const std::vector<const Statement*> further = further_results_of(rule_);
        for (std::size_t i = 0; i + 1 < rule_.match.size(); ++i) {
            const Statement& s = rule_.match[i];
            if (is_any(s.outputs, read_)) continue;
            if (std::ranges::none_of(s.outputs, [&](const std::string& n) {
                    return std::ranges::find(results, n) != results.end();
                }))
                at(s.place, "nothing reads " + quote(s.outputs[0]) +
                                "; expected that each line of match feeds the last one, or that "
                                "replace writes its result too");
            if (std::ranges::find(further, &s) == further.end())
                at(s.place, quote(s.outputs[0]) +
                                " reads nothing that the other lines have a name for, by which it "
                                "could be found");
        }
    }

    void condition(const Statement& s) {
        expression(*s.value, false);
        for (const std::string& name : s.outputs) define(name, s.place);
    }

    void replacement(const Statement& s) {
        expression(*s.value, true);
        for (const std::string& name : s.outputs) {
            if (inputs_.contains(name) || captured_.contains(name))
                at(s.place, quote(name) +
                                " is read by the match; expected one of its results, or "
                                "a new name");
            if (name != "_" && !replaced_.insert(name).second)
                at(s.place, quote(name) + " is written twice");
            known_.insert(name);
        }
        if (s.outputs.size() > 1 && !is_operator_call(*s.value))
            at(s.place, "expected an operator behind several names");
    }

    void every_new_value_is_read() const {
        for (const Statement& s : rule_.replace)
            if (std::ranges::none_of(s.outputs, [&](const std::string& n) {
                    return used_.contains(n) || written_.contains(n);
                }))
                at(s.place, "nothing reads " + quote(s.outputs[0]) +
                                "; expected a result of match, or a value for a line below");
    }

    static bool is_operator_call(const Expression& e) {
        return e.kind == Kind::call && names_operators(e.text);
    }

    void expression(const Expression& e, bool operators_allowed) {
        if (e.kind == Kind::name) used_.insert(e.text);
        if (e.kind == Kind::name && !known_.contains(e.text))
            at(e.place, "nothing is named " + quote(e.text) +
                            did_you_mean(e.text, {known_.begin(), known_.end()}));
        if (e.kind == Kind::more || e.kind == Kind::anything)
            at(e.place, "this has a meaning in match only");
        if (e.kind == Kind::name && e.optional)
            at(e.place, "\"?\" has a meaning in match only; expected the name alone");
        if (e.kind == Kind::constant) {
            if (!is_operator_call(*e.parts[0]))
                at(e.place, "expected an operator behind const, like const Add(a, b)");
            return expression(*e.parts[0], true);
        }
        if (e.kind == Kind::call) {
            if (!names_operators(e.text)) return function(e);
            if (!operators_allowed)
                at(e.place,
                   "an operator may stand in replace, and behind const; functions have "
                   "small letters");
            if (e.text == "*" || e.text.find('|') != std::string::npos)
                at(e.place, "expected one operator");
        }
        for (const ExpressionPtr& part : e.parts) {
            if (e.kind == Kind::call && part->kind == Kind::name && !replaced_.contains(part->text))
                no_result(*part);
            expression(*part, operators_allowed && e.kind == Kind::call);
        }
        for (const NamedArgument& a : e.named) expression(*a.value, false);
    }

    /// A new operator cannot read what it replaces.
    void no_result(const Expression& e) const {
        for (const Statement& s : rule_.replace)
            if (std::ranges::find(s.outputs, e.text) != s.outputs.end())
                at(e.place, quote(e.text) +
                                " is replaced by this rule; expected a value that stays, or a line "
                                "before that writes it");
    }

    void function(const Expression& e) {
        if (e.text != "attributes") {
            if (std::string problem = function_problem(e.text, e.parts.size()); !problem.empty())
                at(e.place, problem);
            if (!e.named.empty())
                at(e.named[0].place, "functions take no attributes; expected a value");
        } else if (e.parts.size() != 1 || e.parts[0]->kind != Kind::name ||
                   !written_.contains(e.parts[0]->text)) {
            at(e.place, "expected the name of a result of match in attributes(...)");
        }
        for (const ExpressionPtr& part : e.parts) expression(*part, false);
    }

    const RewriteRule& rule_;
    std::set<std::string> known_, inputs_, written_, captured_, read_, replaced_, used_;
};

}  // namespace

void check_rule(const RewriteRule& rule) { RuleCheck(rule).run(); }

std::vector<std::string> results_of(const RewriteRule& rule) {
    std::vector<std::string> out;
    for (const Statement& s : rule.replace)
        for (const std::string& name : s.outputs)
            if (writer_of(rule, name)) out.push_back(name);
    return out;
}

std::vector<const Statement*> further_results_of(const RewriteRule& rule) {
    std::set<std::string> read, known;
    for (const Statement& s : rule.match)
        for (const std::string& name : inputs_of(s)) read.insert(name);
    add_names(rule, rule.match.back(), known);
    std::vector<const Statement*> left, ordered;
    for (std::size_t i = 0; i + 1 < rule.match.size(); ++i)
        if (!is_any(rule.match[i].outputs, read)) left.push_back(&rule.match[i]);
    for (bool found = true; found;) {
        found = false;
        for (const Statement*& line : left) {
            if (!line) continue;
            std::set<std::string> names;
            add_names(rule, *line, names);
            if (std::ranges::none_of(names, [&](const auto& n) { return known.contains(n); }))
                continue;
            known.merge(names);
            ordered.push_back(std::exchange(line, nullptr));
            found = true;
        }
    }
    return ordered;
}

const Statement* writer_of(const RewriteRule& rule, const std::string& value) {
    if (value == "_") return nullptr;
    for (const Statement& s : rule.match)
        if (std::ranges::find(s.outputs, value) != s.outputs.end()) return &s;
    return nullptr;
}

}  // namespace lapidary::user
