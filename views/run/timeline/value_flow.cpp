// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/value_flow.h"

#include <unordered_set>

namespace lapidary::views {
namespace {

// kernels that are looked at before and behind: some milliseconds
constexpr std::size_t most_distance = 100'000;

struct Neighbours {
    std::unordered_set<NodeId> writers, readers;  // of what the node reads and writes
};

Neighbours neighboursOf(const Graph& graph, const Node& node) {
    Neighbours found;
    for (const ValueId input : node.inputs)
        if (input && graph.value(input).producer) found.writers.insert(graph.value(input).producer);
    for (const ValueId output : node.outputs) {
        if (!output) continue;
        const Value& value = graph.value(output);
        for (const Use& use : value.uses) found.readers.insert(use.node);
        found.readers.insert(value.captured_by.begin(), value.captured_by.end());
    }
    return found;
}

}  // namespace

std::vector<ValueFlow> flowsOf(const Profile& profile, const Graph& graph, std::size_t kernel) {
    const std::vector<Span>& kernels = profile.kernels;
    const Span& own = kernels[kernel];
    if (!own.node || own.depth > 0 || !graph.is_alive(own.node)) return {};
    const Neighbours neighbours = neighboursOf(graph, graph.node(own.node));
    std::size_t first = kernel, end = kernel + 1;  // of the run
    const auto isNear = [&](std::size_t i) {
        return kernels[i].run == own.run && (i > kernel ? i - kernel : kernel - i) < most_distance;
    };
    while (first > 0 && isNear(first - 1)) --first;
    while (end < kernels.size() && isNear(end)) ++end;
    std::vector<ValueFlow> flows;
    for (std::size_t i = first; i < end && flows.size() < most_flows; ++i) {
        if (i == kernel || kernels[i].depth > 0 || !kernels[i].node) continue;
        if (kernels[i].begin_ns <= own.begin_ns && neighbours.writers.contains(kernels[i].node))
            flows.push_back({i, kernel});
        else if (kernels[i].begin_ns >= own.begin_ns &&
                 neighbours.readers.contains(kernels[i].node))
            flows.push_back({kernel, i});
    }
    return flows;
}

}  // namespace lapidary::views
