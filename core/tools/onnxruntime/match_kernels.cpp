// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/match_kernels.h"

#include <algorithm>
#include <map>
#include <set>

namespace lapidary {
namespace {

constexpr int most_steps = 4;

bool is_kernel(const Span& span) { return span.depth == 0 && span.kind == EventKind::kernel; }

/// Matches kernels that have no match by name: those of nodes without a name, of several with one
/// name, and of names that change each time ("QLinearConv_token_1542"). The nth kernel of an
/// operator to run is the nth node in the file, if their numbers are equal.
void match_by_order(Profile& profile, const OriginalNodes& optimized) {
    std::set<std::string> reported;
    for (const Span& span : profile.kernels)
        if (is_kernel(span) && span.node) reported.insert(profile.name(span));
    // by run and operator, in the order they ran
    std::map<std::pair<int, std::string>, std::vector<Span*>> kernels;
    for (Span& span : profile.kernels)
        if (is_kernel(span) && !span.node) kernels[{span.run, profile.op(span)}].push_back(&span);
    std::map<std::string, std::vector<NodeId>> nodes;
    for (const auto& [key, spans] : kernels) {
        const auto [at, is_new] = nodes.try_emplace(key.second);
        if (is_new) at->second = optimized.unmatched(key.second, reported);
        if (at->second.size() != spans.size()) continue;
        for (std::size_t i = 0; i < spans.size(); ++i) spans[i]->node = at->second[i];
    }
}

}  // namespace

OriginalNodes::OriginalNodes(const Graph& original, const Graph& optimized)
    : original_(original), optimized_(optimized) {
    const auto list = [](const Graph& graph, std::unordered_map<std::string, NodeId>& names) {
        for (const NodeId id : graph.nodes()) {
            if (graph.node(id).name.empty()) continue;
            const auto [at, is_new] = names.try_emplace(graph.node(id).name, id);
            if (!is_new) at->second = NodeId();
        }
    };
    list(optimized, by_name_);
    list(original, original_by_name_);
    match_by_operator();
}

/// By a value that it writes, else by its name.
NodeId OriginalNodes::itself(const Node& node) const {
    for (const ValueId output : node.outputs) {
        if (!output) continue;
        const ValueId same = original_.find_value(optimized_.value(output).name);
        if (same && original_.value(same).producer) return original_.value(same).producer;
    }
    const auto same = original_by_name_.find(node.name);
    return same == original_by_name_.end() ? NodeId() : same->second;
}

void OriginalNodes::match_by_operator() {
    const auto by_type = [](const Graph& graph) {
        std::map<std::string, std::vector<NodeId>> nodes;
        for (const NodeId id : graph.nodes()) nodes[graph.node(id).op_type].push_back(id);
        return nodes;
    };
    const auto originals = by_type(original_);
    for (const auto& [op, nodes] : by_type(optimized_)) {
        auto at = originals.find(op);
        if (at == originals.end() && op.starts_with("QLinear")) at = originals.find(op.substr(7));
        if (at == originals.end() || at->second.size() != nodes.size()) continue;
        bool agrees = true;
        for (std::size_t i = 0; i < nodes.size() && agrees; ++i) {
            const NodeId known = itself(optimized_.node(nodes[i]));
            agrees = !known || known == at->second[i] || original_.node(known).op_type != at->first;
        }
        for (std::size_t i = 0; agrees && i < nodes.size(); ++i)
            by_operator_.emplace(nodes[i].index, at->second[i]);
    }
}

NodeId OriginalNodes::by_neighbours(const Node& node) const {
    std::vector<NodeId> level{node.id};
    for (int step = 0; step < most_steps && !level.empty(); ++step) {
        std::vector<NodeId> next;
        for (const NodeId id : level)
            for (const ValueId output : optimized_.node(id).outputs)
                if (output)
                    for (const auto& use : optimized_.value(output).uses) next.push_back(use.node);
        for (const NodeId id : next)
            if (const NodeId found = itself(optimized_.node(id))) return found;
        level = std::move(next);
    }
    for (const ValueId input : node.inputs) {
        const NodeId producer = input ? optimized_.value(input).producer : NodeId();
        if (!producer) continue;
        if (const NodeId found = itself(optimized_.node(producer))) return found;
    }
    return {};
}

NodeId OriginalNodes::find(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || !found->second) return {};
    return original_of(optimized_.node(found->second));
}

std::vector<NodeId> OriginalNodes::unmatched(const std::string& op_type,
                                             const std::set<std::string>& reported) const {
    std::vector<NodeId> nodes;
    for (const NodeId id : optimized_.nodes()) {
        const Node& node = optimized_.node(id);
        if (node.op_type == op_type && !reported.contains(node.name))
            nodes.push_back(original_of(node));
    }
    return nodes;
}

NodeId OriginalNodes::original_of(const Node& node) const {
    if (const NodeId same = itself(node)) return same;
    if (const auto nth = by_operator_.find(node.id.index); nth != by_operator_.end())
        return nth->second;
    return by_neighbours(node);
}

TraceMatch match_kernels(Profile& profile, const Graph& original, const OriginalNodes* optimized) {
    TraceMatch match = match_trace(profile, original);
    if (!optimized) return match;
    std::unordered_map<std::string, NodeId> found;
    for (const UnmatchedKernel& kernel : match.unmatched)
        if (const NodeId node = optimized->find(kernel.name)) found.emplace(kernel.name, node);
    for (auto* spans : {&profile.kernels, &profile.ranges})
        for (Span& span : *spans)
            if (const auto at = found.find(profile.name(span));
                span.depth == 0 && !span.node && at != found.end())
                span.node = at->second;
    match_by_order(profile, *optimized);
    std::set<std::string> left;
    for (const Span& span : profile.kernels)
        if (is_kernel(span) && !span.node) left.insert(profile.name(span));
    match.matched += std::erase_if(match.unmatched, [&](const UnmatchedKernel& kernel) {
        return !left.contains(kernel.name);
    });
    return match;
}

}  // namespace lapidary
