// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_plan.h"

#include <algorithm>
#include <unordered_set>

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"
#include "ops/inference/infer_node.h"
#include "ops/schemas/schema.h"
#include "passes/user/rule_check.h"

namespace lapidary::user {
namespace {

using Kind = Expression::Kind;

[[noreturn]] void no_plan(const std::string& reason) { fail(ErrorCode::not_supported, reason); }

bool contradicts(const Type& made, const Type& old) {
    if (!made.is_tensor() || !old.is_tensor()) return false;
    if (made.dtype != old.dtype && made.dtype != DType::undefined && old.dtype != DType::undefined)
        return true;
    if (!made.shape || !old.shape) return false;
    return made.shape->size() != old.shape->size() ||
           std::ranges::any_of(*made.shape, [&, i = std::size_t{0}](const Dim& d) mutable {
               return surely_different(d, (*old.shape)[i++]);
           });
}

/// Why a node without a schema would make the model invalid; empty: a function of the model
/// defines it, or it is of a domain of others that the model imports.
std::string unknown_operator(const Node& node, const std::string& written, const Model& model) {
    if (model.find_function(node.domain, node.op_type)) return {};
    const std::string none = "there is no operator " + written;
    const std::string version = std::to_string(node.version);
    if (node.domain.empty()) return none + " in opset " + version;
    if (is_known_operator(node.domain, node.op_type))
        return none + " in version " + version + " of " + quote(node.domain);
    if (model.opset(node.domain) > 0) return {};
    return none + " that is known, and the model does not import " + quote(node.domain);
}

}  // namespace

RulePlan::RulePlan(const RewriteRule& rule, RuleBindings& bindings, PassContext& context)
    : rule_(rule), bindings_(bindings), context_(context), results_(results_of(rule)),
      has_further_results_(!further_results_of(rule).empty()) {}

std::string RulePlan::problem() {
    try {
        plan();
        return results_problem();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_supported && error.code() != ErrorCode::invalid_model &&
            error.code() != ErrorCode::limit_exceeded)
            throw;
        return std::string("matched, but the replacement does not fit: ") + error.what();
    }
}

void RulePlan::plan() {
    for (const Statement& s : rule_.replace) {
        if (s.value->kind == Kind::call && names_operators(s.value->text)) {
            const std::size_t index = plan_node(*s.value, s.outputs);
            for (std::size_t i = 0; i < s.outputs.size(); ++i)
                if (s.outputs[i] != "_") made_[s.outputs[i]] = Made{index, i};
            continue;
        }
        const Operand made = operand(*s.value, DType::undefined);
        made_[s.outputs[0]] = made;
        if (const auto* t = std::get_if<Tensor>(&made)) bindings_.set(s.outputs[0], Datum{*t});
        else if (const auto* id = std::get_if<ValueId>(&made))
            bindings_.set(s.outputs[0], Datum{*id});
    }
}

RulePlan::Operand RulePlan::operand(const Expression& e, DType like) {
    if (e.kind == Kind::name)
        if (const auto known = made_.find(e.text); known != made_.end()) return known->second;
    if (e.kind == Kind::call && names_operators(e.text)) return Made{plan_node(e, {"_"}), 0};
    const Datum value = bindings_.evaluate(e);
    if (value.is_nothing()) return {};
    if (const auto* id = value.as<ValueId>()) return *id;
    return to_tensor(value, like);
}

std::size_t RulePlan::plan_node(const Expression& call, std::vector<std::string> outputs) {
    Planned planned;
    const std::size_t at = call.text.find("::");
    Node& node = planned.node;
    node.domain = at == std::string::npos ? "" : call.text.substr(0, at);
    node.op_type = at == std::string::npos ? call.text : call.text.substr(at + 2);
    node.version = std::max<std::int64_t>(1, context_.model().opset(node.domain));
    DType like = DType::undefined;
    for (const ExpressionPtr& part : call.parts) {
        if (part->kind == Kind::call && part->text == "attributes") continue;
        planned.inputs.push_back(operand(*part, like));
        const Type type = type_of_operand(planned.inputs.back());
        if (like == DType::undefined && type.is_tensor()) like = type.dtype;
    }
    while (!planned.inputs.empty() && planned.inputs.back().index() == 0) planned.inputs.pop_back();
    node.attributes = bindings_.attributes_for(call, node.version);
    node.outputs.assign(outputs.size(), ValueId{0});
    std::vector<Type> types;
    std::vector<const Tensor*> constants;
    for (const Operand& o : planned.inputs) {
        node.inputs.push_back(o.index() == 0 ? ValueId() : ValueId{0});
        types.push_back(type_of_operand(o));
        const auto* id = std::get_if<ValueId>(&o);
        constants.push_back(id ? context_.scope().constant(*id) : std::get_if<Tensor>(&o));
    }
    if (const OpSchema* schema = find_schema(node.domain, node.op_type, node.version)) {
        if (const auto violation = schema_violation(*schema, node, types)) no_plan(*violation);
    } else if (const std::string unknown = unknown_operator(node, call.text, context_.model());
               !unknown.empty()) {
        no_plan(unknown);
    }
    planned.types = infer_node_types(node, types, constants);
    planned.types.resize(outputs.size());
    planned.outputs = std::move(outputs);
    nodes_.push_back(std::move(planned));
    return nodes_.size() - 1;
}

Type RulePlan::type_of_operand(const Operand& operand) const {
    if (const auto* id = std::get_if<ValueId>(&operand)) return context_.scope().type(*id);
    if (const auto* made = std::get_if<Made>(&operand))
        return nodes_[made->node].types[made->output];
    if (const auto* t = std::get_if<Tensor>(&operand)) {
        SymbolicShape shape;
        for (std::int64_t n : t->shape()) shape.push_back(Dim(n));
        return Type::tensor(t->dtype(), std::move(shape));
    }
    return {};
}

std::string RulePlan::results_problem() const {
    for (const std::string& name : results_)
        if (std::string problem = result_problem(name); !problem.empty())
            return "matched, but " + problem;
    return {};
}

std::string RulePlan::result_problem(const std::string& name) const {
    const Node& writer = bindings_.node_of(name);
    const Statement& line = *writer_of(rule_, name);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(line.outputs, name) - line.outputs.begin());
    if (at >= writer.outputs.size() || !writer.outputs[at])
        return writer.describe() + " does not write " + quote(name);
    const ValueId old = writer.outputs[at];
    for (std::size_t i = 0; i < writer.outputs.size(); ++i) {
        const ValueId other = writer.outputs[i];
        const bool replaced = i < line.outputs.size() &&
                              std::ranges::find(results_, line.outputs[i]) != results_.end();
        if (other && !replaced && !context_.graph().value(other).is_unused())
            return "result " + std::to_string(i) + " of " + writer.describe() +
                   " is used, and the rule does not replace it";
    }
    const Operand& made = made_.at(name);
    const Type type = type_of_operand(made), was = context_.scope().type(old);
    if (contradicts(type, was))
        return "the replacement gives " + to_string(type) + " as " + quote(name) + ", which is " +
               to_string(was);
    if (made.index() == 0) return "the replacement gives nothing as " + quote(name);
    if (const auto* id = std::get_if<ValueId>(&made)) {
        if (std::string problem = context_.bypass_problem(writer.id, *id);
            !problem.empty() && at == 0)
            return problem;
        if (at > 0 && context_.graph().value(old).output_uses > 0)
            return quote(name) + " is a graph output, which the rule takes from elsewhere";
        if (*id == old) return quote(name) + " would replace itself";
    }
    // Nothing that the match reads can be computed from the only root.
    const bool is_last = writer.id == bindings_.match().root() && !has_further_results_;
    return is_last ? std::string() : cycle_problem(old);
}

/// A new node may read what is computed from a result inside of the match. That would be a cycle.
std::string RulePlan::cycle_problem(ValueId result) const {
    std::vector<ValueId> work;
    const auto reads = [&](const Operand& operand) {
        if (const auto* id = std::get_if<ValueId>(&operand)) work.push_back(*id);
    };
    for (const Planned& p : nodes_)
        for (const Operand& o : p.inputs) reads(o);
    for (const std::string& name : results_) reads(made_.at(name));
    std::unordered_set<std::uint32_t> seen;
    while (!work.empty()) {
        const ValueId id = work.back();
        work.pop_back();
        if (id == result)
            return "what replaces " + quote(context_.graph().value(result).name) +
                   " reads what is computed from it";
        const Node* node = id ? context_.scope().producer(id) : nullptr;
        if (!node || !seen.insert(node->id.index).second) continue;
        work.insert(work.end(), node->inputs.begin(), node->inputs.end());
        work.insert(work.end(), node->captures.begin(), node->captures.end());
    }
    return {};
}

ValueId RulePlan::placed(const Operand& operand, const std::string& name) {
    if (const auto* id = std::get_if<ValueId>(&operand)) return *id;
    if (const auto* t = std::get_if<Tensor>(&operand)) return context_.constant(name, *t);
    if (const auto* made = std::get_if<Made>(&operand)) return written_[made->node][made->output];
    return {};
}

void RulePlan::add_planned(std::size_t index, std::map<std::string, ValueId>& taken) {
    const Planned& p = nodes_[index];
    NodeSpec spec;
    spec.op_type = p.node.op_type;
    spec.domain = p.node.domain;
    spec.version = p.node.version;
    spec.attributes = p.node.attributes;
    context_.import(spec.domain);
    const std::string base = context_.graph().node(bindings_.match().root()).name;
    spec.name = base;  // the pipeline makes names unique
    for (std::size_t i = 0; i < p.inputs.size(); ++i)
        spec.inputs.push_back(placed(p.inputs[i], base + "_constant"));
    std::vector<ValueId> outputs;
    for (const std::string& name : p.outputs) {
        const auto old = taken.find(name);
        if (old != taken.end()) outputs.push_back(old->second);
        else outputs.push_back(context_.edit().add_value(base + "_" + rule_.name));
    }
    spec.outputs = outputs;
    written_.push_back(std::move(outputs));
    context_.edit().add_node(std::move(spec));
}

void RulePlan::redirect(ValueId old, const Operand& operand, std::vector<Renamed>& renamed) {
    GraphEdit& edit = context_.edit();
    const Type type = context_.scope().type(old);
    const std::string name = context_.graph().value(old).name;
    const bool is_output = context_.graph().value(old).output_uses > 0;
    const ValueId replacement = placed(operand, name + "_constant");
    edit.replace_uses(old, replacement);
    if (is_output) renamed.push_back({replacement, name});
    if (context_.scope().type(replacement).kind == Type::Kind::unknown)
        edit.set_type(replacement, type);
}

void RulePlan::apply() {
    const std::vector<NodeId> matched(bindings_.match().nodes().begin(),
                                      bindings_.match().nodes().end());
    std::map<std::string, ValueId> taken;
    struct Redirected {
        ValueId old;
        std::string name;
    };
    std::vector<Redirected> redirected;
    for (const std::string& name : results_) {
        const Statement& line = *writer_of(rule_, name);
        const Node& writer = bindings_.node_of(name);
        const auto at =
            static_cast<std::size_t>(std::ranges::find(line.outputs, name) - line.outputs.begin());
        const ValueId old = writer.outputs[at];
        const Operand& made = made_.at(name);
        const auto* node = std::get_if<Made>(&made);
        // a node writes the old value itself, unless it wrote another result already
        if (node && nodes_[node->node].outputs[node->output] == name) taken[name] = old;
        else redirected.push_back({old, name});
    }
    for (const auto& [name, old] : taken) {
        const Value& value = context_.graph().value(old);
        context_.edit().set_output(value.producer, value.producer_output, {});
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) add_planned(i, taken);
    std::vector<Renamed> renamed;
    for (const Redirected& r : redirected) redirect(r.old, made_.at(r.name), renamed);
    context_.erase_unused(matched);
    // names of outputs are free now that nothing writes the old values
    for (const Renamed& r : renamed) {
        context_.edit().rename(r.value, r.name);
        context_.edit().set_declared(r.value, true);
    }
}

}  // namespace lapidary::user
