// SPDX-License-Identifier: Apache-2.0
#include "graph/inline_functions.h"

#include <algorithm>
#include <map>
#include <set>

#include <lapidary/error.h>
#include <lapidary/graph_edit.h>

namespace lapidary {
namespace {

using ValueMap = std::map<ValueId, ValueId>;

class Inliner {
public:
    Inliner(const Model& model, const Limits& limits) : model_(model), limits_(limits) {}

    // Returns the graph with calls expanded, or null when it had none.
    GraphPtr expand_copy(const Graph& graph, int depth) {
        if (!has_calls(graph)) return nullptr;
        auto copy = std::make_shared<Graph>(graph);
        expand(*copy, depth);
        return copy;
    }

    void expand(Graph& graph, int depth) {
        if (depth > limits_.nesting)
            fail_limit("function calls nest deeper than " + std::to_string(limits_.nesting) + " levels");
        GraphEdit edit(graph);
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (NodeId id : nodes) {
            expand_subgraphs(graph, edit, id, depth);
            if (const Function* f = function_of(graph.node(id))) inline_call(graph, edit, id, *f, depth);
        }
        edit.finish();
    }

private:
    const Function* function_of(const Node& n) const {
        return model_.functions.empty() ? nullptr : model_.find_function(n.domain, n.op_type, n.overload);
    }

    bool has_calls(const Graph& graph) const {
        return std::ranges::any_of(graph.nodes(), [&](NodeId id) {
            const Node& n = graph.node(id);
            return function_of(n) || std::ranges::any_of(n.attributes, [&](const Attribute& a) {
                       if (const auto* one = std::get_if<GraphPtr>(&a.value)) return *one && has_calls(**one);
                       if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
                           return std::ranges::any_of(*many, [&](const GraphPtr& g) { return g && has_calls(*g); });
                       return false;
                   });
        });
    }

    void expand_subgraphs(const Graph& graph, GraphEdit& edit, NodeId id, int depth) {
        std::vector<Attribute> changed;
        for (const Attribute& a : graph.node(id).attributes)
            if (const auto* one = std::get_if<GraphPtr>(&a.value); one && *one)
                if (GraphPtr copy = expand_copy(**one, depth + 1)) {
                    changed.push_back(a);
                    changed.back().value = std::move(copy);
                }
        for (Attribute& a : changed) edit.set_attribute(id, std::move(a));
    }

    // The attribute with references to the function's attributes replaced by the call's; false: dropped.
    bool bind(Attribute& a, const Function& f, const Node& call) {
        if (const auto* ref = std::get_if<AttributeReference>(&a.value)) {
            const Attribute* given = call.attribute(ref->name);
            if (given == nullptr) {
                const auto it = std::ranges::find(f.attribute_defaults, ref->name, &Attribute::name);
                if (it != f.attribute_defaults.end()) given = &*it;
            }
            if (given == nullptr) return false;
            a.value = given->value;
        } else if (auto* one = std::get_if<GraphPtr>(&a.value); one && *one) {
            auto copy = std::make_shared<Graph>(**one);
            bind_all(*copy, f, call);
            *one = std::move(copy);
        }
        return true;
    }

    void bind_all(Graph& graph, const Function& f, const Node& call) {
        GraphEdit edit(graph);
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (NodeId id : nodes) {
            const std::vector<Attribute> attributes = graph.node(id).attributes;
            for (Attribute a : attributes) {
                if (bind(a, f, call)) edit.set_attribute(id, std::move(a));
                else edit.remove_attribute(id, a.name);
            }
        }
        edit.finish();
    }

    // Points first-level captures of subgraphs in `a` at the values of the calling graph.
    static void redirect_captures(Attribute& a, const ValueMap& map, const Graph& graph) {
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

    void inline_call(Graph& graph, GraphEdit& edit, NodeId call_id, const Function& f, int depth) {
        const Node call = graph.node(call_id);
        Graph body = *f.body;
        bind_all(body, f, call);
        expand(body, depth + 1);
        inlined_ += body.node_count();
        if (inlined_ > limits_.inlined_nodes)
            fail_limit("expanding functions makes more than " + std::to_string(limits_.inlined_nodes) + " nodes");

        const std::string prefix = (call.name.empty() ? f.name : call.name) + "/";
        ValueMap map;
        for (std::size_t i = 0; i < body.inputs().size(); ++i)
            map[body.inputs()[i]] = i < call.inputs.size() ? call.inputs[i] : ValueId{};
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
            for (Attribute& a : spec.attributes) redirect_captures(a, map, graph);
            edit.set_origins(edit.add_node(std::move(spec)), call.origins);
        }
        connect_outputs(graph, edit, call, body, map);
    }

    // The call's output values keep their names; a body output that cannot be renamed gets an Identity.
    static void connect_outputs(Graph& graph, GraphEdit& edit, const Node& call, const Graph& body, const ValueMap& map) {
        std::vector<std::pair<ValueId, std::string>> renames;
        std::set<ValueId> taken;
        for (std::size_t i = 0; i < call.outputs.size(); ++i) {
            const ValueId out = call.outputs[i];
            if (!out) continue;
            if (i >= body.outputs().size())
                fail_model(call.describe() + ": the function has " + std::to_string(body.outputs().size()) + " outputs, the call names " +
                           std::to_string(call.outputs.size()));
            const ValueId inner = body.outputs()[i];
            ValueId source = map.at(inner);
            if (body.value(inner).kind != ValueKind::node_output || !taken.insert(source).second) {
                NodeSpec spec;
                spec.op_type = "Identity";
                spec.version = 13;
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

    const Model& model_;
    const Limits& limits_;
    std::size_t inlined_ = 0;
};

}  // namespace

void inline_functions(Model& model, const Limits& limits) {
    if (model.functions.empty()) return;
    Inliner(model, limits).expand(model.graph, 0);
    model.functions.clear();
}

}  // namespace lapidary
