// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/value_flow.h"

#include <unordered_set>

namespace lapidary::views {
namespace {

// kernels that are looked at before and behind: some milliseconds
constexpr std::size_t most_distance = 100'000;

}  // namespace

std::vector<ValueFlow> flowsOf(const Profile& profile, const Graph& graph, std::size_t kernel) {
    const std::vector<Span>& kernels = profile.kernels;
    const Span& own = kernels[kernel];
    if (!own.node || own.depth > 0 || !graph.is_alive(own.node)) return {};
    std::unordered_set<NodeId> writers, readers;
    for (const ValueId input : graph.node(own.node).inputs)
        if (input && graph.value(input).producer) writers.insert(graph.value(input).producer);
    for (const ValueId output : graph.node(own.node).outputs) {
        if (!output) continue;
        for (const Use& use : graph.value(output).uses) readers.insert(use.node);
        for (const NodeId holder : graph.value(output).captured_by) readers.insert(holder);
    }
    std::size_t first = kernel, end = kernel + 1;  // of the run
    const auto isNear = [&](std::size_t i) {
        return kernels[i].run == own.run && (i > kernel ? i - kernel : kernel - i) < most_distance;
    };
    while (first > 0 && isNear(first - 1)) --first;
    while (end < kernels.size() && isNear(end)) ++end;
    std::vector<ValueFlow> flows;
    for (std::size_t i = first; i < end && flows.size() < most_flows; ++i) {
        if (i == kernel || kernels[i].depth > 0 || !kernels[i].node) continue;
        if (kernels[i].begin_ns <= own.begin_ns && writers.contains(kernels[i].node))
            flows.push_back({i, kernel});
        else if (kernels[i].begin_ns >= own.begin_ns && readers.contains(kernels[i].node))
            flows.push_back({kernel, i});
    }
    return flows;
}

}  // namespace lapidary::views
