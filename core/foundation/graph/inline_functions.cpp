// SPDX-License-Identifier: Apache-2.0
#include "graph/inline_functions.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "graph/function_calls.h"
#include "graph/splice_graph.h"

namespace lapidary {
namespace {

class Inliner {
public:
    Inliner(const FunctionTable& functions, const CancelToken& cancel)
        : functions_(functions), cancel_(cancel) {}

    // Returns the graph with calls expanded, or null when it had none.
    GraphPtr expand_copy(const Graph& graph) {
        cancel_.throw_if_cancelled();
        if (!has_calls(graph)) return nullptr;
        auto copy = std::make_shared<Graph>(graph);
        expand(*copy);
        return copy;
    }

    void expand_calls(Graph& graph, std::span<const NodeId> calls) {
        GraphEdit edit(graph);
        for (const NodeId id : calls)
            if (const Function* f = functions_.find(graph.node(id)))
                inline_call(graph, edit, id, *f);
        edit.finish();
    }

    void expand(Graph& graph) {
        GraphEdit edit(graph);
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (NodeId id : nodes) {
            expand_subgraphs(graph, edit, id);
            if (const Function* f = functions_.find(graph.node(id)))
                inline_call(graph, edit, id, *f);
        }
        edit.finish();
    }

private:
    bool has_calls(const Graph& graph) const {
        return std::ranges::any_of(graph.nodes(), [&](NodeId id) {
            const Node& n = graph.node(id);
            return functions_.find(n) || std::ranges::any_of(n.attributes, [&](const Attribute& a) {
                       if (const auto* one = std::get_if<GraphPtr>(&a.value))
                           return *one && has_calls(**one);
                       if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
                           return std::ranges::any_of(
                               *many, [&](const GraphPtr& g) { return g && has_calls(*g); });
                       return false;
                   });
        });
    }

    void expand_subgraphs(const Graph& graph, GraphEdit& edit, NodeId id) {
        std::vector<Attribute> changed;
        for (const Attribute& a : graph.node(id).attributes)
            if (const auto* one = std::get_if<GraphPtr>(&a.value); one && *one)
                if (GraphPtr copy = expand_copy(**one)) {
                    changed.push_back(a);
                    changed.back().value = std::move(copy);
                }
        for (Attribute& a : changed) edit.set_attribute(id, std::move(a));
    }

    // The attribute with references to the function's attributes replaced by the call's; false:
    // dropped.
    bool bind(Attribute& a, const Function& f, const Node& call) {
        if (const auto* ref = std::get_if<AttributeReference>(&a.value)) {
            const Attribute* given = call.attribute(ref->name);
            if (given == nullptr) {
                const auto it =
                    std::ranges::find(f.attribute_defaults, ref->name, &Attribute::name);
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

    void inline_call(Graph& graph, GraphEdit& edit, NodeId call_id, const Function& f) {
        cancel_.throw_if_cancelled();
        const Node call = graph.node(call_id);
        Graph body = *f.body;
        bind_all(body, f, call);
        expand(body);

        const std::string prefix = (call.name.empty() ? f.name : call.name) + "/";
        ValueMap map;
        for (std::size_t i = 0; i < body.inputs().size(); ++i)
            map[body.inputs()[i]] = i < call.inputs.size() ? call.inputs[i] : ValueId{};
        splice_nodes(edit, body, map, prefix, call.origins);
        splice_outputs(edit, call_id, body, map, 13);
    }

    const FunctionTable& functions_;
    const CancelToken& cancel_;
};

}  // namespace

void inline_functions(Model& model, const Limits& limits, const CancelToken& cancel) {
    if (model.functions.empty()) return;
    const FunctionTable functions(model);
    check_function_calls(model, functions, limits, cancel);
    Inliner(functions, cancel).expand(model.graph);
    cancel.throw_if_cancelled();
    model.functions.clear();
}

void inline_calls(Model& model, std::span<const NodeId> calls, const Limits& limits,
                  const CancelToken& cancel) {
    const FunctionTable functions(model);
    if (functions.is_empty()) return;
    check_function_calls(model, functions, limits, cancel);
    Inliner(functions, cancel).expand_calls(model.graph, calls);
}

}  // namespace lapidary
