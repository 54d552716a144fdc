// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_bindings.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/schemas/schema.h"
#include "passes/basic/folding/constant_evaluation.h"
#include "passes/user/rule_check.h"
#include "passes/user/rule_functions.h"

namespace lapidary::user {

using Kind = Expression::Kind;

namespace {

[[noreturn]] void no_value(const std::string& reason) { fail(ErrorCode::not_supported, reason); }

/// Errors that are about one place of a graph become its reason; others go on.
template <typename Work>
std::string reason_of(Work work) {
    try {
        return work();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_supported && error.code() != ErrorCode::invalid_model &&
            error.code() != ErrorCode::limit_exceeded)
            throw;
        return error.what();
    }
}

/// True where attr(value, "attribute") or attributes(value) reads the attribute.
bool reads_attribute(const Expression& e, const std::vector<std::string>& values,
                     const std::string& attribute) {
    const bool of_values = e.kind == Kind::call && !e.parts.empty() &&
                           e.parts[0]->kind == Kind::name &&
                           std::ranges::find(values, e.parts[0]->text) != values.end();
    if (of_values && e.text == "attributes") return true;
    if (of_values && e.text == "attr" && e.parts.size() == 2 && e.parts[1]->text == attribute)
        return true;
    const auto reads = [&](const Expression& part) {
        return reads_attribute(part, values, attribute);
    };
    return std::ranges::any_of(e.parts, [&](const ExpressionPtr& p) { return reads(*p); }) ||
           std::ranges::any_of(e.named, [&](const NamedArgument& a) { return reads(*a.value); });
}

std::string words_of(const std::string& sign) {
    if (sign == "==") return " must be ";
    if (sign == "!=") return " must not be ";
    if (sign == "<") return " must be less than ";
    if (sign == "<=") return " must be at most ";
    if (sign == ">") return " must be greater than ";
    if (sign == ">=") return " must be at least ";
    return sign == "in" ? " must be one of " : " must be none of ";
}

bool is_comparison(const Expression& e) {
    static constexpr std::string_view signs[] = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"};
    return e.kind == Kind::binary && std::ranges::find(signs, e.text) != std::end(signs);
}

}  // namespace

RuleBindings::RuleBindings(const RewriteRule& rule, const pattern::Match& match, Limits limits,
                           CancelToken cancel)
    : rule_(rule), match_(match), limits_(std::move(limits)), cancel_(std::move(cancel)) {
    bind_values();
}

const Node& RuleBindings::node_of(const std::string& value) const {
    const Statement& line = *writer_of(rule_, value);
    for (const std::string& name : line.outputs)
        if (match_.has(name)) return match_.node(name);
    fail(ErrorCode::internal, "no node is bound to " + quote(value));
}

void RuleBindings::bind_values() {
    const auto datum = [](ValueId id) { return id ? Datum{id} : Datum{}; };
    for (const Statement& line : rule_.match) {
        for (const ExpressionPtr& part : line.value->parts) {
            const Expression& e = part->kind == Kind::constant ? *part->parts[0] : *part;
            if (e.kind == Kind::name) names_[e.text] = datum(match_.value_or_none(e.text));
        }
        const auto named =
            std::ranges::find_if(line.outputs, [](const std::string& n) { return n != "_"; });
        if (named == line.outputs.end()) continue;
        const Node& node = node_of(*named);
        for (std::size_t i = 0; i < line.outputs.size(); ++i)
            if (line.outputs[i] != "_")
                names_[line.outputs[i]] =
                    datum(i < node.outputs.size() ? node.outputs[i] : ValueId());
    }
}

std::string RuleBindings::attributes_problem() {
    return reason_of([&]() -> std::string {
        for (const Statement& line : rule_.match) {
            const auto named =
                std::ranges::find_if(line.outputs, [](const std::string& n) { return n != "_"; });
            const Node& node = node_of(*named);
            for (const std::string& name : line.outputs)
                if (match_.has(name) && match_.node_id(name) != node.id)
                    return "expected " + quote(name) + " to be a result of " + node.describe();
            if (std::string problem = bind_attributes(line, node); !problem.empty())
                return "matched but for: " + problem;
            if (std::string problem = unmentioned(line, node); !problem.empty())
                return "matched but for: " + problem;
        }
        return {};
    });
}

std::string RuleBindings::bind_attributes(const Statement& line, const Node& node) {
    for (const NamedArgument& a : line.value->named) {
        const Datum found = attribute_of(node, a.name);
        const std::string of = " of " + node.describe();
        if (a.value->kind != Kind::name) {
            const Datum wanted = evaluate(*a.value);
            if (found.is_nothing() || !equal(found, wanted))
                return a.name + of + " must be " + text_of(wanted) + " (found " + text_of(found) +
                       ")";
            continue;
        }
        if (found.is_nothing() && !a.value->optional)
            return "the attribute " + a.name + of + " must be given (found none)";
        const auto known = names_.find(a.value->text);
        if (known != names_.end() && !equal(known->second, found))
            return a.name + of + " must be " + text_of(known->second) + ", as before (found " +
                   text_of(found) + ")";
        names_[a.value->text] = found;
    }
    return {};
}

std::string RuleBindings::unmentioned(const Statement& line, const Node& node) const {
    const Expression& call = *line.value;
    if (std::ranges::any_of(call.parts, [](const auto& p) { return p->kind == Kind::more; }))
        return {};
    const auto is_read = [&](const std::string& name) {
        if (std::ranges::find(call.named, name, &NamedArgument::name) != call.named.end())
            return true;
        for (const auto* section : {&rule_.where, &rule_.replace})
            for (const Statement& s : *section)
                if (reads_attribute(*s.value, line.outputs, name)) return true;
        return false;
    };
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    for (const Attribute& a : node.attributes) {
        if (is_read(a.name)) continue;
        const SchemaAttribute* known = schema ? schema->attribute(a.name) : nullptr;
        const Datum usual = known ? from_default(known->kind, known->default_text) : Datum{};
        std::string found = std::string(kind_of(a.value));
        const std::string unreadable = reason_of([&]() -> std::string {
            const Datum value = from_attribute(a.value);
            found = text_of(value);
            return !usual.is_nothing() && equal(value, usual) ? "" : "differs";
        });
        if (!unreadable.empty())
            return "the rule says nothing of the attribute " + a.name + " of " + node.describe() +
                   " (found " + found + ")";
    }
    return {};
}

std::string RuleBindings::condition_problem() {
    for (const Statement& s : rule_.where) {
        std::string problem = reason_of([&]() -> std::string {
            if (!s.outputs.empty()) {
                set(s.outputs[0], evaluate(*s.value));
                return {};
            }
            if (holds(*s.value)) return {};
            return s.reason.empty() ? explained(*s.value) : s.reason;
        });
        if (!problem.empty()) return "matched but for: " + problem;
    }
    return {};
}

bool RuleBindings::holds(const Expression& e) const {
    const Datum value = evaluate(e);
    if (const auto* b = value.as<bool>()) return *b;
    no_value(e.source + " is " + text_of(value) + ", expected true or false");
}

std::string RuleBindings::explained(const Expression& condition) const {
    if (is_comparison(condition)) {
        const Expression &left = *condition.parts[0], &right = *condition.parts[1];
        const Datum wanted = evaluate(right);
        std::string text = left.source + words_of(condition.text);
        const std::string value = text_of(wanted);
        text += right.kind == Kind::list || right.source == value ? right.source
                : right.kind == Kind::integer || right.kind == Kind::decimal ||
                        right.kind == Kind::text || right.kind == Kind::type
                    ? value
                    : right.source + ", which is " + value;
        return text + " (found " + text_of(evaluate(left)) + ")";
    }
    if (condition.kind == Kind::call && condition.text == "single_use" &&
        condition.parts[0]->kind == Kind::name) {
        const Datum& value = names_.at(condition.parts[0]->text);
        if (const auto* id = value.as<ValueId>()) {
            const Value& v = scope().value(*id);
            return condition.parts[0]->text + " must be read once and be no output (" +
                   quote(v.name) + " is read " + std::to_string(v.uses.size()) + " times" +
                   (v.output_uses > 0        ? " and is an output)"
                    : !v.captured_by.empty() ? " and in a subgraph)"
                                             : ")");
        }
    }
    if (condition.kind == Kind::binary && condition.text == "and")
        return explained(holds(*condition.parts[0]) ? *condition.parts[1] : *condition.parts[0]);
    return condition.source + " must hold";
}

Datum RuleBindings::evaluate(const Expression& e) const {
    switch (e.kind) {
    case Kind::integer: return {e.integer};
    case Kind::decimal: return {e.decimal};
    case Kind::text: return {e.text};
    case Kind::boolean: return {e.integer != 0};
    case Kind::type: return {e.type};
    case Kind::name: {
        const auto found = names_.find(e.text);
        if (found == names_.end())
            no_value(quote(e.text) + " is made by this rule; conditions cannot read it");
        return found->second;
    }
    case Kind::list: {
        DatumList list;
        for (const ExpressionPtr& part : e.parts) list.push_back(evaluate(*part));
        return {std::move(list)};
    }
    case Kind::unary:
        if (e.text == "not") return {!holds(*e.parts[0])};
        return computed("*", evaluate(*e.parts[0]), Datum{std::int64_t{-1}});
    case Kind::constant: return {computed_constant(*e.parts[0])};
    case Kind::binary: return evaluate_binary(e);
    case Kind::index: {
        const Datum list = evaluate(*e.parts[0]);
        const DatumList& elements = list_of(list, e.parts[0]->source);
        const auto size = static_cast<std::int64_t>(elements.size());
        std::int64_t i = whole_of(evaluate(*e.parts[1]), e.parts[1]->source);
        if (i < 0) i += size;
        if (i < 0 || i >= size)
            no_value(e.parts[0]->source + " has " + std::to_string(size) + " elements, none at " +
                     e.parts[1]->source);
        return elements[static_cast<std::size_t>(i)];
    }
    case Kind::call: {
        std::vector<Datum> arguments;
        std::vector<std::string> sources;
        for (const ExpressionPtr& part : e.parts) {
            arguments.push_back(evaluate(*part));
            sources.push_back(part->source);
        }
        return call_function(e.text, {scope(), arguments, sources});
    }
    default: return {};
    }
}

Datum RuleBindings::evaluate_binary(const Expression& e) const {
    const Expression &left = *e.parts[0], &right = *e.parts[1];
    if (e.text == "and") return {holds(left) && holds(right)};
    if (e.text == "or") {
        bool first = false;
        const std::string unknown = reason_of([&]() -> std::string {
            first = holds(left);
            return {};
        });
        if (first || holds(right)) return {true};
        if (!unknown.empty()) no_value(unknown);
        return {false};
    }
    const Datum a = evaluate(left), b = evaluate(right);
    if (e.text == "==") return {equal(a, b)};
    if (e.text == "!=") return {!equal(a, b)};
    if (e.text == "<") return {less(a, b)};
    if (e.text == ">") return {less(b, a)};
    if (e.text == "<=") return {!less(b, a)};
    if (e.text == ">=") return {!less(a, b)};
    if (e.text == "in" || e.text == "not in") {
        const DatumList& list = list_of(b, right.source);
        const bool found = std::ranges::any_of(list, [&](const Datum& d) { return equal(a, d); });
        return {found == (e.text == "in")};
    }
    return computed(e.text, a, b);
}

Tensor RuleBindings::computed_constant(const Expression& call) const {
    std::vector<Tensor> made;
    made.reserve(call.parts.size());
    std::vector<const Tensor*> inputs;
    Node node;
    const std::size_t at = call.text.find("::");
    node.domain = at == std::string::npos ? "" : call.text.substr(0, at);
    node.op_type = at == std::string::npos ? call.text : call.text.substr(at + 2);
    node.version = std::max<std::int64_t>(1, scope().opset(node.domain));
    node.attributes = attributes_for(call, node.version);
    DType like = DType::undefined;
    for (const ExpressionPtr& part : call.parts) {
        const bool is_call = part->kind == Kind::call && names_operators(part->text);
        if (part->kind == Kind::call && part->text == "attributes") continue;
        const Datum value = is_call ? Datum{computed_constant(*part)} : evaluate(*part);
        node.inputs.push_back(value.is_nothing() ? ValueId() : ValueId{0});
        if (value.is_nothing()) {
            inputs.push_back(nullptr);
        } else if (const auto* id = value.as<ValueId>()) {
            inputs.push_back(scope().constant(*id));
            if (!inputs.back()) no_value(part->source + " must be a constant");
        } else {
            made.push_back(to_tensor(value, like));
            inputs.push_back(&made.back());
        }
        if (like == DType::undefined && inputs.back()) like = inputs.back()->dtype();
    }
    node.outputs = {ValueId{0}};
    std::vector<Type> types;
    for (const Tensor* t : inputs) {
        Type type;
        if (t) {
            type = Type::tensor(t->dtype(), SymbolicShape());
            for (std::int64_t n : t->shape()) type.shape->push_back(Dim(n));
        }
        types.push_back(std::move(type));
    }
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (!schema)
        no_value("there is no operator " + call.text + " in opset " + std::to_string(node.version));
    if (const auto problem = schema_violation(*schema, node, types)) no_value(*problem);
    Evaluation result = lapidary::evaluate(match_.graph(), node, inputs, limits_, cancel_);
    if (!result.problem.empty()) no_value(call.source + ": " + result.problem);
    return std::move(result.outputs.at(0));
}

std::vector<Attribute> RuleBindings::attributes_for(const Expression& call,
                                                    std::int64_t version) const {
    std::vector<Attribute> attributes;
    for (const ExpressionPtr& part : call.parts)
        if (part->kind == Kind::call && part->text == "attributes")
            for (const Attribute& a : node_of(part->parts[0]->text).attributes)
                attributes.push_back(a);
    const std::size_t at = call.text.find("::");
    const OpSchema* schema =
        at == std::string::npos
            ? find_schema("", call.text, version)
            : find_schema(call.text.substr(0, at), call.text.substr(at + 2), version);
    for (const NamedArgument& named : call.named) {
        std::erase_if(attributes, [&](const Attribute& a) { return a.name == named.name; });
        const Datum value = evaluate(*named.value);
        if (value.is_nothing()) continue;
        const SchemaAttribute* known = schema ? schema->attribute(named.name) : nullptr;
        attributes.push_back({named.name,
                              to_attribute(value, named.name, known ? known->kind : std::string()),
                              {},
                              {}});
    }
    return attributes;
}

}  // namespace lapidary::user
