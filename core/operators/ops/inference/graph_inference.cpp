// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/graph_inference.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/base/limits.h>

#include "ops/dimensions/dim_algebra.h"
#include "ops/inference/merge_types.h"
#include "ops/inference/node_context.h"
#include "ops/values/value_propagation.h"

namespace lapidary {
namespace {

std::string lower_case(std::string_view text) {
    std::string lower;
    for (char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

SymbolicShape symbolic(const Shape& shape) { return SymbolicShape(shape.begin(), shape.end()); }

bool has_reference(const Node& node) {
    return std::any_of(node.attributes.begin(), node.attributes.end(), [](const Attribute& a) {
        return std::holds_alternative<AttributeReference>(a.value);
    });
}

/// An error of a rule as the model's fault, without the node's name that readers of attributes put
/// in front.
Error as_model_error(const Error& error, const Node& node) {
    const std::string prefix = node.describe() + ": ";
    std::string message = error.message();
    if (message.starts_with(prefix)) message.erase(0, prefix.size());
    Error result(error.code() == ErrorCode::invalid_input ? ErrorCode::invalid_model : error.code(),
                 std::move(message));
    for (auto place = error.where().rbegin(); place != error.where().rend(); ++place)
        result.at(*place);
    return result;
}

bool is_models_fault(const Error& error) {
    return error.code() == ErrorCode::invalid_model || error.code() == ErrorCode::invalid_input ||
           error.code() == ErrorCode::limit_exceeded || error.code() == ErrorCode::not_supported;
}

const KnownValue no_known_value;

}  // namespace

const Attribute* FunctionCall::find(std::string_view name) const {
    if (const Attribute* given = node->attribute(name)) return given;
    for (const Attribute& fallback : function->attribute_defaults) {
        if (fallback.name == name) return &fallback;
    }
    return nullptr;
}

GraphInference::GraphInference(InferenceSession& session, const Graph& graph, GraphPlace place)
    : session_(session), graph_(graph), place_(std::move(place)), types_(graph.value_slots()) {
    for (std::uint32_t i = 0; i < types_.size(); ++i) {
        session.count_node();
        const ValueId id(i);
        if (!graph.is_alive(id)) continue;
        const Value& value = graph.value(id);
        if (value.kind == ValueKind::initializer) {
            if (value.constant)
                types_[i] =
                    Type::tensor(value.constant->dtype(), symbolic(value.constant->shape()));
            else if (value.sparse)
                types_[i] =
                    Type::tensor(value.sparse->values.dtype(), symbolic(value.sparse->shape));
            else types_[i] = value.type;
        } else if (value.kind == ValueKind::captured && place_.outer && value.outer) {
            types_[i] = place_.outer->type(value.outer);
        } else if (value.kind == ValueKind::captured) {
            types_[i] = value.type;  // of a body that is looked at alone
        }
    }
}

void GraphInference::set_input(std::size_t index, Type type, KnownValue value) {
    const ValueId id = graph_.inputs()[index];
    const Value& input = graph_.value(id);
    types_[id.index] = std::move(type);
    if (input.constant && session_.input_defaults_are_constant && place_.nesting == 0)
        value.tensor = input.constant;
    if (value.tensor || value.elements) values_[id.index] = std::move(value);
}

const KnownValue& GraphInference::value(ValueId id) const {
    if (const auto known = values_.find(id.index); known != values_.end()) return known->second;
    const Value& value = graph_.value(id);
    if (value.kind == ValueKind::captured && place_.outer && value.outer)
        return place_.outer->value(value.outer);
    if (value.kind == ValueKind::initializer && value.constant)
        return values_[id.index] = KnownValue{value.constant, {}};
    return no_known_value;
}

std::vector<Type> GraphInference::output_types() const {
    std::vector<Type> types;
    for (ValueId id : graph_.outputs()) types.push_back(types_[id.index]);
    return types;
}

std::unordered_map<std::uint32_t, std::vector<Dim>> GraphInference::known_elements() const {
    std::unordered_map<std::uint32_t, std::vector<Dim>> out;
    for (const auto& [index, known] : values_) {
        if (graph_.value(ValueId(index)).kind != ValueKind::node_output) continue;
        if (known.elements) {
            out.emplace(index, *known.elements);
        } else if (known.tensor &&
                   (known.tensor->dtype() == DType::i64 || known.tensor->dtype() == DType::i32)) {
            const auto numbers = to_int64s(*known.tensor);
            std::vector<Dim> dims;
            for (std::int64_t n : numbers) dims.push_back(dim_of(n));
            out.emplace(index, std::move(dims));
        }
    }
    return out;
}

void GraphInference::run() {
    for (NodeId id : graph_.nodes()) {
        session_.count_node();
        const Node& node = graph_.node(id);
        try {
            infer_node(node);
        } catch (const Error& error) {
            if (!is_models_fault(error)) throw;
            Error reported = as_model_error(error, node);
            reported.at(node.describe());
            if (place_.certain) throw reported;
            session_.warn(where(node), std::string("would fail if it ran: ") + reported.message());
            for (std::size_t i = 0; i < node.outputs.size(); ++i)
                store_output(node, i, {}, {}, session_.fresh_count());
        }
    }
}

Node GraphInference::with_references_resolved(const Node& node) const {
    Node resolved = node;
    resolved.attributes.clear();
    for (const Attribute& attribute : node.attributes) {
        const auto* reference = std::get_if<AttributeReference>(&attribute.value);
        if (!reference) {
            resolved.attributes.push_back(attribute);
        } else if (const Attribute* given =
                       place_.call ? place_.call->find(reference->name) : nullptr) {
            resolved.attributes.push_back({attribute.name, given->value, {}, {}});
        }  // not given and without default: the attribute is absent
    }
    return resolved;
}

void GraphInference::infer_node(const Node& stored) {
    if (!has_reference(stored)) {
        const Function* function = session_.function_of(stored);
        return function ? infer_call(*function, stored, stored) : infer_operator(stored, stored);
    }
    if (!place_.call)
        fail_model("an attribute refers to a function's attribute outside any function");
    const Node resolved = with_references_resolved(stored);
    const Function* function = session_.function_of(resolved);
    function ? infer_call(*function, resolved, stored) : infer_operator(resolved, stored);
}

void GraphInference::infer_operator(const Node& node, const Node& stored) {
    const std::int64_t version = node.version > 0 || node.domain.empty() ? node.version : 1;
    const OpSchema* schema = find_schema(node.domain, node.op_type, version);
    const std::size_t fresh_mark = session_.fresh_count();
    NodeContext context(*this, node, version, schema);
    if (!schema) {
        const bool known = is_known_operator(node.domain, node.op_type);
        session_.warn_unknown_operator(
            node, where(stored),
            known ? node.qualified_op() + " does not exist in opset " + std::to_string(version) +
                        ": the model cannot run"
                  : "operator " + quote(node.qualified_op()) + " is unknown: the model cannot run");
    } else if (const auto violation = schema_violation(*schema, node, context.input_types())) {
        fail_model(*violation);
    }
    if (schema && !schema->deprecated) {
        for (const Attribute& attribute : node.attributes) {
            if (!schema->attribute(attribute.name))
                session_.warn(where(stored),
                              "has no attribute " + quote(attribute.name) + ": it is ignored");
        }
    }
    if (schema) {
        if (ShapeRule rule = find_shape_rule(node.domain, node.op_type)) rule(context);
        propagate_values(context);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        store_output(stored, i, std::move(context.output_types()[i]),
                     std::move(context.output_values()[i]), fresh_mark);
    }
}

void GraphInference::infer_call(const Function& function, const Node& node, const Node& stored) {
    if (!function.body) fail_model("function " + quote(function.name) + " has no body");
    const FunctionCall call{&function, &node};
    const std::size_t fresh_mark = session_.fresh_count();
    GraphInference body(session_, *function.body,
                        {nullptr, where(stored), place_.nesting + 1, place_.certain, &call});
    const auto inputs = function.body->inputs();
    if (node.inputs.size() > inputs.size()) {
        fail_model("function " + quote(function.name) + " takes " + std::to_string(inputs.size()) +
                   " inputs, found " + std::to_string(node.inputs.size()));
    }
    if (node.outputs.size() > function.body->outputs().size()) {
        fail_model("function " + quote(function.name) + " gives " +
                   std::to_string(function.body->outputs().size()) + " outputs, found " +
                   std::to_string(node.outputs.size()));
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i]) body.set_input(i, types_[node.inputs[i].index], value(node.inputs[i]));
    }
    body.run();
    GraphPtr& kept = session_.function_bodies[&function];
    auto typed = std::make_shared<Graph>(*function.body);
    body.apply(*typed);
    if (kept) {
        GraphEdit edit(*typed);
        for (ValueId id : kept->values())
            edit.set_type(id, generalize(typed->value(id).type, kept->value(id).type));
    }
    kept = typed;
    const std::vector<Type> outputs = body.output_types();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        store_output(stored, i, outputs[i], body.value(function.body->outputs()[i]), fresh_mark);
    }
}

std::vector<Type> GraphInference::infer_subgraph(const Node& node, std::string_view attribute,
                                                 const std::vector<Type>& input_types,
                                                 bool certain) {
    const GraphPtr subgraph = node.graph_attribute(attribute);
    if (!subgraph) fail_model("the graph attribute " + quote(attribute) + " is missing");
    const int nesting = place_.nesting + 1;
    if (nesting > 2 * Limits{}.nesting)
        fail_limit("subgraphs nest deeper than " + std::to_string(2 * Limits{}.nesting));
    GraphInference body(session_, *subgraph,
                        {this, where(node) + "/" + std::string(attribute), nesting,
                         place_.certain && certain, place_.call});
    const std::size_t fresh_mark = session_.fresh_count();
    for (std::size_t i = 0; i < subgraph->inputs().size(); ++i) {
        const Type declared =
            canonical_type(subgraph->value(subgraph->inputs()[i]).type, session_.dimension_values);
        std::string conflict;
        const Type given = i < input_types.size() ? input_types[i] : Type();
        // Where the operator's rule says nothing, the body's declaration holds: its kernel follows
        // the declaration.
        const Type both = i < input_types.size() ? complete(given, declared, conflict) : declared;
        body.set_input(i, map_dims(both, [&](const Dim& dim) {
                           return dim.is_unknown() ? session_.fresh_dim("inner") : dim;
                       }));
    }
    try {
        body.run();
    } catch (Error& error) { throw error.at(std::string(attribute)); }
    auto typed = std::make_shared<Graph>(*subgraph);
    body.apply(*typed);
    subgraphs_[{node.id, std::string(attribute)}] = typed;
    std::vector<Type> outputs = body.output_types();
    for (Type& type : outputs) {
        type = map_dims(type, [&](const Dim& dim) {
            return session_.made_since(dim, fresh_mark) ? Dim() : dim;
        });
    }
    return outputs;
}

void GraphInference::store_output(const Node& stored, std::size_t index, Type type,
                                  KnownValue value, std::size_t fresh_mark) {
    const ValueId id = stored.outputs[index];
    if (!id) return;
    const Value& output = graph_.value(id);
    std::string conflict;
    if (output.declared)
        type = complete(type, canonical_type(output.type, session_.dimension_values), conflict);
    else if (type.kind == Type::Kind::unknown) type = output.type;
    if (!conflict.empty()) session_.warn(place_.text + "/value " + quote(output.name), conflict);
    if (type.shape) {
        const auto is_unknown = [](const Dim& dim) { return dim.is_unknown(); };
        if (std::any_of(type.shape->begin(), type.shape->end(), is_unknown)) {
            const std::string hint = lower_case(stored.op_type);
            for (Dim& dim : *type.shape) {
                if (dim.is_unknown()) dim = session_.fresh_dim(hint);
            }
        }
        const auto& names = output.type.shape;
        const bool has_names =
            output.declared && place_.nesting == 0 && names && names->size() == type.shape->size();
        for (std::size_t i = 0; i < type.shape->size(); ++i)
            if (Dim& dim = (*type.shape)[i]; session_.is_fresh_since(dim, fresh_mark))
                dim = session_.named(dim, has_names ? (*names)[i] : Dim());
    }
    types_[id.index] = std::move(type);
    if (value.tensor || value.elements) values_[id.index] = std::move(value);
}

void GraphInference::apply(Graph& graph) const {
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < types_.size(); ++i) {
        if (graph.is_alive(ValueId(i))) edit.set_type(ValueId(i), types_[i]);
    }
    for (const auto& [place, subgraph] : subgraphs_) {
        const Attribute* stored = graph.node(place.first).attribute(place.second);
        // a reference: not ours to replace
        if (!stored || !std::holds_alternative<GraphPtr>(stored->value)) continue;
        Attribute replaced = *stored;
        replaced.value = GraphPtr(subgraph);
        edit.set_attribute(place.first, std::move(replaced));
    }
}

}  // namespace lapidary
