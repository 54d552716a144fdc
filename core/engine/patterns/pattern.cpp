// SPDX-License-Identifier: Apache-2.0
#include "patterns/pattern.h"

#include <algorithm>

#include "patterns/pattern_body.h"
#include "patterns/several_roots.h"

namespace lapidary::pattern {
namespace {

using Body = Pattern::Body;
using Kind = Body::Kind;

Pattern make(Body body) { return Pattern(std::make_shared<const Body>(std::move(body))); }

ExplainedCheck explained(Check check, std::string reason) {
    return [check = std::move(check), reason = std::move(reason)](const Subject& subject) {
        return check(subject) ? std::string() : reason;
    };
}

std::vector<Operator> parse_operators(std::string_view text) {
    std::vector<Operator> out;
    while (!text.empty()) {
        const std::size_t bar = text.find('|');
        std::string_view one = text.substr(0, bar);
        text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
        const std::size_t colons = one.find("::");
        Operator o;
        if (colons != std::string_view::npos) {
            o.domain = one.substr(0, colons);
            one = one.substr(colons + 2);
        }
        o.op_type = one;
        out.push_back(std::move(o));
    }
    return out;
}

}  // namespace

Pattern Pattern::named(std::string name) const {
    Body b = *body_;
    b.name = std::move(name);
    return make(std::move(b));
}
Pattern Pattern::commutative() const {
    Body b = *body_;
    b.commutative = true;
    return make(std::move(b));
}
Pattern Pattern::output(std::uint32_t index) const {
    Body b = *body_;
    b.output = index;
    return make(std::move(b));
}
Pattern Pattern::more_inputs() const {
    Body b = *body_;
    b.more_inputs = true;
    return make(std::move(b));
}
Pattern Pattern::versions(std::int64_t least, std::int64_t most) const {
    Body b = *body_;
    b.least_version = least;
    b.most_version = most;
    return make(std::move(b));
}
Pattern Pattern::where(Check check, std::string reason) const {
    return where(explained(std::move(check), std::move(reason)));
}
Pattern Pattern::where(ExplainedCheck check) const {
    Body b = *body_;
    b.where.push_back({std::move(check)});
    return make(std::move(b));
}
Pattern Pattern::require(Check check, std::string reason) const {
    return require(explained(std::move(check), std::move(reason)));
}
Pattern Pattern::require(ExplainedCheck check) const {
    Body b = *body_;
    b.require.push_back({std::move(check)});
    return make(std::move(b));
}

Pattern with_others(const Pattern& root, std::vector<Pattern> others) {
    Body b = root.body();
    for (Pattern& other : others) {
        b.operator_count += other.body().operator_count;
        b.others.push_back(std::move(other));
    }
    return make(std::move(b));
}

Pattern any(std::string name) {
    Body b;
    b.name = std::move(name);
    return make(std::move(b));
}
Pattern constant(std::string name) {
    Body b;
    b.kind = Kind::constant;
    b.name = std::move(name);
    return make(std::move(b));
}
Pattern scalar(double value) {
    Body b;
    b.kind = Kind::scalar;
    b.scalar_value = value;
    return make(std::move(b));
}
Pattern scalar(std::string name) {
    Body b;
    b.kind = Kind::scalar;
    b.name = std::move(name);
    return make(std::move(b));
}
Pattern absent() {
    Body b;
    b.kind = Kind::absent;
    return make(std::move(b));
}
Pattern maybe(Pattern pattern) {
    Body b;
    b.kind = Kind::maybe;
    b.children.push_back(std::move(pattern));
    return make(std::move(b));
}
Pattern either(std::vector<Pattern> alternatives) {
    Body b;
    b.kind = Kind::either;
    b.children = std::move(alternatives);
    b.operator_count = 1 << 20;
    for (const Pattern& p : b.children)
        b.operator_count = std::min(b.operator_count, p.body().operator_count);
    return make(std::move(b));
}
Pattern op(std::string_view operators, std::vector<Pattern> inputs) {
    Body b;
    b.kind = Kind::op;
    b.operators = parse_operators(operators);
    b.operators_text = operators;
    for (std::size_t at; (at = b.operators_text.find('|')) != std::string::npos;)
        b.operators_text.replace(at, 1, " or ");
    b.children = std::move(inputs);
    b.operator_count = 1;
    for (const Pattern& p : b.children) b.operator_count += p.body().operator_count;
    return make(std::move(b));
}
Pattern behind(std::string_view operators, Pattern pattern, std::string name) {
    Pattern wrapped = op(operators, {pattern});
    if (!name.empty()) wrapped = wrapped.named(std::move(name));
    return either({std::move(pattern), std::move(wrapped)});
}

}  // namespace lapidary::pattern
