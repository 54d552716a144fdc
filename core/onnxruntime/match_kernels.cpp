// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/match_kernels.h"

#include <algorithm>
#include <map>
#include <set>

namespace lapidary {
namespace {

constexpr int most_steps = 4;

/// "HardSigmoid_94" of a HardSigmoid: the number that a node without name goes by.
bool is_numbered(const Span& span) {
    const std::string begin = span.op + "_";
    return span.name.size() > begin.size() && span.name.starts_with(begin) &&
           span.name.find_first_not_of("0123456789", begin.size()) == std::string::npos;
}

/// Kernels of nodes without a name: the nth of an operator to run is the nth in the file, where there are as many.
std::unordered_map<std::string, NodeId> unnamed_kernels(const Profile& profile, const OriginalNodes& optimized) {
    std::map<std::string, std::vector<std::string>> names;  // by operator, in the order in which they ran first
    std::set<std::string> seen;
    for (const Span& span : profile.kernels)
        if (span.depth == 0 && !span.node && is_numbered(span) && seen.insert(span.name).second)
            names[span.op].push_back(span.name);
    std::unordered_map<std::string, NodeId> found;
    for (const auto& [op, kernels] : names) {
        const std::vector<NodeId> nodes = optimized.unnamed(op);
        if (nodes.size() != kernels.size()) continue;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i]) found.emplace(kernels[i], nodes[i]);
    }
    return found;
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

std::vector<NodeId> OriginalNodes::unnamed(const std::string& op_type) const {
    std::vector<NodeId> nodes;
    for (const NodeId id : optimized_.nodes()) {
        const Node& node = optimized_.node(id);
        if (node.name.empty() && node.op_type == op_type) nodes.push_back(original_of(node));
    }
    return nodes;
}

NodeId OriginalNodes::original_of(const Node& node) const {
    if (const NodeId same = itself(node)) return same;
    return by_neighbours(node);
}

TraceMatch match_kernels(Profile& profile, const Graph& original, const OriginalNodes* optimized) {
    TraceMatch match = match_trace(profile, original);
    if (!optimized) return match;
    std::unordered_map<std::string, NodeId> found = unnamed_kernels(profile, *optimized);
    std::erase_if(match.unmatched, [&](const UnmatchedKernel& kernel) {
        const auto unnamed = found.find(kernel.name);
        const NodeId node = unnamed != found.end() ? unnamed->second : optimized->find(kernel.name);
        if (!node) return false;
        found.emplace(kernel.name, node);
        ++match.matched;
        return true;
    });
    for (auto* spans : {&profile.kernels, &profile.ranges})
        for (Span& span : *spans)
            if (const auto at = found.find(span.name); span.depth == 0 && !span.node && at != found.end())
                span.node = at->second;
    return match;
}

}  // namespace lapidary
