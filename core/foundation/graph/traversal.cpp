// SPDX-License-Identifier: Apache-2.0
#include "graph/traversal.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

template <typename F>
void for_each_producer(const Graph& graph, const Node& node, F&& f) {
    const auto visit = [&](ValueId v) {
        if (v && graph.value(v).kind == ValueKind::node_output) f(graph.value(v).producer);
    };
    for (ValueId v : node.inputs) visit(v);
    for (ValueId v : node.captures) visit(v);
}

/// `chain`: the depth-first path, each node a producer of the one before; `again` stands in it and
/// is a producer of its last.
[[noreturn]] void report_cycle(const Graph& graph,
                               const std::vector<std::pair<NodeId, std::size_t>>& chain,
                               NodeId again) {
    std::vector<NodeId> path;  // in the direction of data
    for (auto it = chain.rbegin(); path.empty() || path.back() != again; ++it)
        path.push_back(it->first);
    std::string text;
    const std::size_t shown = std::min<std::size_t>(path.size(), 8);
    for (std::size_t i = 0; i < shown; ++i) text += graph.node(path[i]).describe() + " -> ";
    if (shown < path.size()) text += "... -> ";
    fail_model("the graph has a cycle of " + std::to_string(path.size()) + " nodes: " + text +
               graph.node(path.front()).describe());
}

}  // namespace

std::vector<NodeId> topological_order(const Graph& graph) {
    // A stable order: repeatedly the first node (in list order) whose producers are placed. Done as
    // a DFS over producers in list order, with an explicit stack.
    std::vector<NodeId> order;
    order.reserve(graph.node_count());
    std::vector<std::uint8_t> done(graph.node_slots(), 0), open(graph.node_slots(), 0);
    std::vector<std::pair<NodeId, std::size_t>> stack;
    std::vector<std::vector<NodeId>> producers;  // parallel to stack
    const auto push = [&](NodeId id) {
        open[id.index] = 1;
        std::vector<NodeId> list;
        for_each_producer(graph, graph.node(id), [&](NodeId p) { list.push_back(p); });
        stack.emplace_back(id, 0);
        producers.push_back(std::move(list));
    };
    for (NodeId root : graph.nodes()) {
        if (done[root.index]) continue;
        push(root);
        while (!stack.empty()) {
            auto& [id, next] = stack.back();
            if (next < producers.back().size()) {
                const NodeId p = producers.back()[next++];
                if (done[p.index]) continue;
                if (open[p.index]) report_cycle(graph, stack, p);
                push(p);
            } else {
                done[id.index] = 1;
                order.push_back(id);
                stack.pop_back();
                producers.pop_back();
            }
        }
    }
    return order;
}

void for_each_graph(const Graph& graph,
                    const std::function<void(const Graph&, const std::string&)>& visit,
                    const std::string& place) {
    visit(graph, place);
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        for (const Attribute& a : node.attributes) {
            const auto inner = [&](const GraphPtr& g) {
                if (g) for_each_graph(*g, visit, place + "/" + node.describe() + "/" + a.name);
            };
            if (const auto* one = std::get_if<GraphPtr>(&a.value)) inner(*one);
            if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
                std::ranges::for_each(*many, inner);
        }
    }
}

void for_each_graph(const Model& model,
                    const std::function<void(const Graph&, const std::string&)>& visit) {
    for_each_graph(model.graph, visit);
    for (const Function& f : model.functions)
        if (f.body) for_each_graph(*f.body, visit, "function " + quote(f.domain + "::" + f.name));
}

}  // namespace lapidary
