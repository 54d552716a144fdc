// SPDX-License-Identifier: Apache-2.0
#include "graph/splice_graph.h"

#include <algorithm>
#include <set>

#include <lapidary/error.h>

namespace lapidary {
namespace {

// Points first-level captures of subgraphs in `a` at the values of the receiving graph.
void redirect_captures(Attribute& a, const ValueMap& map, const Graph& graph) {
    const auto redirect = [&](GraphPtr& g) {
        auto copy = std::make_shared<Graph>(*g);
        GraphEdit edit(*copy);
        for (ValueId id : copy->values()) {
            if (copy->value(id).kind != ValueKind::captured) continue;
            const ValueId outer = map.at(copy->value(id).outer);
            edit.fields(id).outer = outer;
            const std::string& name = graph.value(outer).name;
            if (copy->value(id).name != name && !copy->find_value(name)) edit.rename(id, name);
        }
        g = std::move(copy);
    };
    if (auto* one = std::get_if<GraphPtr>(&a.value); one && *one) redirect(*one);
    if (auto* many = std::get_if<std::vector<GraphPtr>>(&a.value)) std::ranges::for_each(*many, redirect);
}

}  // namespace

void splice_nodes(GraphEdit& edit, const Graph& body, ValueMap& map, const std::string& prefix, const std::vector<NodeId>& origins) {
    for (ValueId v : body.initializers()) map[v] = edit.add_initializer(prefix + body.value(v).name, *body.value(v).constant);
    for (NodeId id : body.nodes()) {
        const Node& n = body.node(id);
        NodeSpec spec;
        for (ValueId v : n.inputs) spec.inputs.push_back(v ? map.at(v) : ValueId{});
        for (ValueId v : n.outputs) {
            if (v) map[v] = edit.add_value(prefix + body.value(v).name, body.value(v).type);
            spec.outputs.push_back(v ? map.at(v) : ValueId{});
        }
        spec.op_type = n.op_type;
        spec.domain = n.domain;
        spec.version = n.version;
        spec.overload = n.overload;
        spec.name = prefix + n.name;
        spec.attributes = n.attributes;
        for (Attribute& a : spec.attributes) redirect_captures(a, map, edit.graph());
        edit.set_origins(edit.add_node(std::move(spec)), origins);
    }
}

void splice_outputs(GraphEdit& edit, NodeId call_id, const Graph& body, const ValueMap& map, std::int64_t identity_version) {
    const Graph& graph = edit.graph();
    const Node call = graph.node(call_id);
    std::vector<std::pair<ValueId, std::string>> renames;
    std::set<ValueId> taken;
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
        const ValueId out = call.outputs[i];
        if (!out) continue;
        if (i >= body.outputs().size())
            fail_model(call.describe() + ": the body has " + std::to_string(body.outputs().size()) + " outputs, the node names " +
                       std::to_string(call.outputs.size()));
        const ValueId inner = body.outputs()[i];
        ValueId source = map.at(inner);
        if (body.value(inner).kind != ValueKind::node_output || !taken.insert(source).second) {
            NodeSpec spec;
            spec.op_type = "Identity";
            spec.version = identity_version;
            spec.inputs = {source};
            spec.outputs = {edit.add_value("", graph.value(out).type)};
            source = spec.outputs[0];
            edit.set_origins(edit.add_node(std::move(spec)), call.origins);
        }
        edit.replace_uses(out, source);
        renames.emplace_back(source, graph.value(out).name);
    }
    edit.erase(call.id);
    for (auto& [value, name] : renames) edit.rename(value, name);
}

}  // namespace lapidary
