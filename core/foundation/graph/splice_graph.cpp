// SPDX-License-Identifier: Apache-2.0
#include "graph/splice_graph.h"

#include <algorithm>
#include <set>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

void omit_captures(Attribute& a, ValueId outer);

// Inputs that read the captured value are left out, in subgraphs further in too.
void omit_captured(Graph& graph, ValueId id) {
    GraphEdit edit(graph);
    if (graph.value(id).output_uses > 0)
        fail_model("graph " + quote(graph.name()) + " gives " + quote(graph.value(id).name) +
                   ", which the call of a function leaves out, as its output");
    const std::vector<Use> uses = graph.value(id).uses;
    for (const Use& use : uses) edit.set_input(use.node, use.input, {});
    const std::vector<NodeId> readers = graph.value(id).captured_by;
    for (NodeId reader : readers)
        for (Attribute inner : std::vector<Attribute>(graph.node(reader).attributes)) {
            omit_captures(inner, id);
            edit.set_attribute(reader, std::move(inner));
        }
    edit.erase_value(id);
}

template <typename F>
void change_graphs(Attribute& a, const F& change) {
    const auto copied = [&](GraphPtr& g) {
        auto copy = std::make_shared<Graph>(*g);
        change(*copy);
        g = std::move(copy);
    };
    if (auto* one = std::get_if<GraphPtr>(&a.value); one && *one) copied(*one);
    if (auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
        std::ranges::for_each(*many, copied);
}

std::vector<ValueId> captured_in(const Graph& graph) {
    std::vector<ValueId> out;
    for (ValueId id : graph.values())
        if (graph.value(id).kind == ValueKind::captured) out.push_back(id);
    return out;
}

void omit_captures(Attribute& a, ValueId outer) {
    change_graphs(a, [&](Graph& graph) {
        for (ValueId id : captured_in(graph))
            if (graph.value(id).outer == outer) omit_captured(graph, id);
    });
}

// Points first-level captures of subgraphs in `a` at the values of the receiving graph.
void redirect_captures(Attribute& a, const ValueMap& map, const Graph& graph) {
    change_graphs(a, [&](Graph& copy) {
        GraphEdit edit(copy);
        for (ValueId id : captured_in(copy)) {
            const ValueId outer = map.at(copy.value(id).outer);
            if (!outer) {  // an input that the call of a function leaves out
                omit_captured(copy, id);
                continue;
            }
            edit.set_outer(id, outer);
            const std::string& name = graph.value(outer).name;
            if (copy.value(id).name != name && !copy.find_value(name)) edit.rename(id, name);
        }
    });
}

/// Joins prefix and name. The result is cut so that a file with it can be read again
/// (Limits::name_bytes).
std::string spliced_name(const std::string& prefix, const std::string& name) {
    constexpr std::size_t longest = 64 * 1024;
    std::string joined = prefix + name;
    if (joined.size() <= longest) return joined;
    std::size_t end = longest;
    // not within a character
    while (end > 0 && (static_cast<unsigned char>(joined[end]) & 0xc0) == 0x80) --end;
    joined.resize(end);
    return joined;
}

}  // namespace

void splice_nodes(GraphEdit& edit, const Graph& body, ValueMap& map, const std::string& prefix,
                  const std::vector<NodeId>& origins) {
    for (ValueId v : body.initializers())
        map[v] =
            edit.add_initializer(spliced_name(prefix, body.value(v).name), *body.value(v).constant);
    for (NodeId id : body.nodes()) {
        const Node& n = body.node(id);
        NodeSpec spec;
        for (ValueId v : n.inputs) spec.inputs.push_back(v ? map.at(v) : ValueId{});
        for (ValueId v : n.outputs) {
            if (v)
                map[v] =
                    edit.add_value(spliced_name(prefix, body.value(v).name), body.value(v).type);
            spec.outputs.push_back(v ? map.at(v) : ValueId{});
        }
        spec.op_type = n.op_type;
        spec.domain = n.domain;
        spec.version = n.version;
        spec.overload = n.overload;
        if (!n.name.empty()) spec.name = spliced_name(prefix, n.name);
        spec.attributes = n.attributes;
        spec.metadata = n.metadata;
        if (spec.metadata.empty() && !origins.empty() && edit.graph().is_alive(origins.front()))
            spec.metadata = edit.graph().node(origins.front()).metadata;
        for (Attribute& a : spec.attributes) redirect_captures(a, map, edit.graph());
        edit.set_origins(edit.add_node(std::move(spec)), origins);
    }
}

void splice_outputs(GraphEdit& edit, NodeId call_id, const Graph& body, const ValueMap& map,
                    std::int64_t identity_version) {
    const Graph& graph = edit.graph();
    const Node call = graph.node(call_id);
    std::vector<std::pair<ValueId, std::string>> renames;
    std::set<ValueId> taken;
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
        const ValueId out = call.outputs[i];
        if (!out) continue;
        if (i >= body.outputs().size())
            fail_model(call.describe() + ": the body has " + std::to_string(body.outputs().size()) +
                       " outputs, the node names " + std::to_string(call.outputs.size()));
        const ValueId inner = body.outputs()[i];
        ValueId source = map.at(inner);
        if (!source)
            fail_model(call.describe() + ": output " + std::to_string(i) + " is the input " +
                       quote(body.value(inner).name) + ", which the call leaves out");
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
