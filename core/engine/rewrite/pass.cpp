// SPDX-License-Identifier: Apache-2.0
#include "rewrite/pass.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/schemas/schema.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

std::pair<std::string, std::string> split_operator(std::string_view op) {
    const std::size_t at = op.find("::");
    if (at == std::string_view::npos) return {"", std::string(op)};
    return {std::string(op.substr(0, at)), std::string(op.substr(at + 2))};
}

/// How many of the outputs a node of that schema (null: not known) can have: without unread ones at
/// the end that the schema lacks, such as the indices of MaxPool.
std::size_t kept_outputs(const Graph& graph, const std::vector<ValueId>& outputs,
                         const OpSchema* schema) {
    std::size_t kept = outputs.size();
    const auto is_unused = [&](ValueId v) { return !v || graph.value(v).is_unused(); };
    while (schema && kept > schema->max_outputs && is_unused(outputs[kept - 1])) --kept;
    return kept;
}

}  // namespace

Outcome declined(std::string reason) {
    if (reason.empty()) fail(ErrorCode::internal, "it declines without a reason");
    return {false, std::move(reason)};
}

Attribute attr(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}

ValueId PassContext::constant_ints(std::string_view name, const std::vector<std::int64_t>& values) {
    return constant(name,
                    Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
}

ValueId PassContext::constant_scalar(std::string_view name, DType dtype, double value,
                                     Shape shape) {
    return constant(name, tensor_of_doubles(dtype, std::move(shape), {value}));
}

NodeSpec PassContext::spec_of(std::string_view op, std::vector<ValueId> inputs,
                              std::vector<Attribute> attributes, std::string name) {
    auto [domain, op_type] = split_operator(op);
    import(domain);
    NodeSpec spec;
    spec.version = domain.empty() ? opset() : std::max<std::int64_t>(1, model().opset(domain));
    spec.domain = std::move(domain);
    spec.op_type = std::move(op_type);
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    spec.name = std::move(name);
    return spec;
}

ValueId PassContext::node(std::string_view op, std::vector<ValueId> inputs,
                          std::vector<Attribute> attributes, std::string_view name) {
    NodeSpec spec = spec_of(op, std::move(inputs), std::move(attributes), std::string(name));
    const ValueId out =
        edit().add_value(name.empty() ? std::string() : std::string(name) + "_output_0");
    spec.outputs = {out};
    infer_node(edit().add_node(std::move(spec)));
    return out;
}

ValueId PassContext::node_like(NodeId like, std::vector<ValueId> inputs) {
    const Node node = graph().node(like);
    NodeSpec spec = spec_of(node.qualified_op(), std::move(inputs), node.attributes, node.name);
    spec.version = node.version;
    spec.overload = node.overload;
    for (const ValueId output : node.outputs)
        spec.outputs.push_back(output ? edit().add_value(graph().value(output).name) : ValueId());
    const ValueId first = spec.outputs.at(0);
    infer_node(edit().add_node(std::move(spec)));
    return first;
}

NodeId PassContext::replace(NodeId root, std::string_view op, std::vector<ValueId> inputs,
                            std::vector<Attribute> attributes, std::span<const NodeId> matched,
                            std::size_t extra_outputs) {
    NodeSpec spec = spec_of(op, std::move(inputs), std::move(attributes), graph().node(root).name);
    const std::vector<ValueId> outputs = graph().node(root).outputs;
    const std::size_t kept =
        kept_outputs(graph(), outputs, find_schema(spec.domain, spec.op_type, spec.version));
    // further outputs are erased with the root
    for (std::size_t i = 0; i < kept; ++i) edit().set_output(root, i, {});
    spec.outputs.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(kept));
    for (std::size_t i = 0; i < extra_outputs; ++i) spec.outputs.push_back(edit().add_value({}));
    const std::vector<NodeId> rest(matched.begin(), matched.end());
    edit().erase(root);
    const NodeId added = edit().add_node(std::move(spec));
    infer_node(added);
    erase_unused(rest);
    return added;
}

NodeId PassContext::replace_several(const std::vector<ValueId>& outputs, std::string_view op,
                                    std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                                    std::span<const NodeId> matched) {
    const Node& first =
        *scope().producer(*std::ranges::find_if(outputs, [](ValueId v) { return bool(v); }));
    NodeSpec spec = spec_of(op, std::move(inputs), std::move(attributes), first.name);
    spec.outputs = outputs;
    std::vector<NodeId> writers;
    for (ValueId v : outputs) {
        if (!v) continue;
        const NodeId writer = graph().value(v).producer;
        if (std::ranges::find(writers, writer) == writers.end()) writers.push_back(writer);
    }
    const std::vector<NodeId> rest(matched.begin(), matched.end());
    for (NodeId writer : writers)
        for (std::size_t i = 0; i < graph().node(writer).outputs.size(); ++i)
            if (std::ranges::find(outputs, graph().node(writer).outputs[i]) != outputs.end())
                edit().set_output(writer, i, {});
    for (NodeId writer : writers) edit().erase(writer);
    const NodeId added = edit().add_node(std::move(spec));
    infer_node(added);
    erase_unused(rest);
    return added;
}

std::string PassContext::bypass_problem(NodeId node, ValueId replacement) const {
    const Value& old = graph().value(graph().node(node).outputs.at(0));
    if (old.output_uses == 0) return {};
    const Value& v = graph().value(replacement);
    if (v.kind == ValueKind::input)
        return "its result is the graph output " + quote(old.name) +
               " and would become the graph input " + quote(v.name);
    if (v.kind == ValueKind::captured)
        return "its result is the graph output " + quote(old.name) +
               " and would become a value of the enclosing graph";
    if (v.output_uses > 0)
        return "its result is the graph output " + quote(old.name) +
               " and would become the graph output " + quote(v.name);
    if (old.output_uses > 1) return "its result is a graph output more than once";
    return {};
}

std::string PassContext::bypass(NodeId node, ValueId replacement, std::span<const NodeId> matched) {
    if (std::string problem = bypass_problem(node, replacement); !problem.empty()) return problem;
    const ValueId old = graph().node(node).outputs.at(0);
    const std::vector<NodeId> rest(matched.begin(), matched.end());
    const std::string name = graph().value(old).name;
    const bool is_output = graph().value(old).output_uses > 0;
    const Type type = graph().value(old).type;
    edit().replace_uses(old, replacement);
    edit().erase(node);
    if (is_output) {
        edit().rename(replacement, name);
        edit().set_declared(replacement, true);
    }
    if (graph().value(replacement).type.kind == Type::Kind::unknown)
        edit().set_type(replacement, type);
    erase_unused(rest);
    return {};
}

void PassContext::erase_unused(std::span<const NodeId> nodes) {
    for (bool again = true; again;) {
        again = false;
        for (NodeId id : nodes) {
            if (!graph().is_alive(id)) continue;
            const auto& outputs = graph().node(id).outputs;
            if (std::ranges::any_of(outputs,
                                    [&](ValueId v) { return v && !graph().value(v).is_unused(); }))
                continue;
            edit().erase(id);
            again = true;
        }
    }
}

}  // namespace lapidary
