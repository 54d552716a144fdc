// SPDX-License-Identifier: Apache-2.0
#include "onnxruntime/match_kernels.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr int most_steps = 4;

}  // namespace

OriginalNodes::OriginalNodes(const Graph& original, const Graph& optimized)
    : original_(original), optimized_(optimized) {
    for (const NodeId id : optimized.nodes()) {
        const std::string& name = optimized.node(id).name;
        if (name.empty()) continue;
        const auto [at, is_new] = by_name_.try_emplace(name, id);
        if (!is_new) at->second = NodeId();
    }
}

NodeId OriginalNodes::by_values(const Node& node) const {
    for (const ValueId output : node.outputs) {
        if (!output) continue;
        const ValueId same = original_.find_value(optimized_.value(output).name);
        if (same && original_.value(same).producer) return original_.value(same).producer;
    }
    return {};
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
            if (const NodeId found = by_values(optimized_.node(id))) return found;
        level = std::move(next);
    }
    for (const ValueId input : node.inputs) {
        const NodeId producer = input ? optimized_.value(input).producer : NodeId();
        if (!producer) continue;
        if (const NodeId found = by_values(optimized_.node(producer))) return found;
    }
    return {};
}

NodeId OriginalNodes::find(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || !found->second) return {};
    const Node& node = optimized_.node(found->second);
    if (const NodeId same = by_values(node)) return same;
    return by_neighbours(node);
}

TraceMatch match_kernels(Profile& profile, const Graph& original, const OriginalNodes* optimized) {
    TraceMatch match = match_trace(profile, original);
    if (!optimized) return match;
    std::unordered_map<std::string, NodeId> found;
    std::erase_if(match.unmatched, [&](const UnmatchedKernel& kernel) {
        const NodeId node = optimized->find(kernel.name);
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
