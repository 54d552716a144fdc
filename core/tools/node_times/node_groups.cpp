// SPDX-License-Identifier: Apache-2.0
#include "node_times/node_groups.h"

#include <map>
#include <numeric>
#include <string>

namespace lapidary {
namespace {

/// Sets of nodes that are joined one by one.
class NodeSets {
public:
    explicit NodeSets(std::size_t count) : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    }
    std::size_t set_of(NodeId id) {
        std::size_t at = id.index;
        while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
        return at;
    }
    void join(const std::vector<NodeId>& nodes) {
        for (const NodeId id : nodes) parents_[set_of(id)] = set_of(nodes.front());
    }

private:
    std::vector<std::size_t> parents_;
};

}  // namespace

std::vector<KernelGroup> group_nodes(const Graph& graph, const std::vector<KernelTimes>& a,
                                     const std::vector<KernelTimes>& b) {
    NodeSets sets(graph.node_slots());
    for (const auto* kernels : {&a, &b})
        for (const KernelTimes& kernel : *kernels)
            if (!kernel.nodes.empty()) sets.join(kernel.nodes);
    std::vector<KernelGroup> groups;
    std::map<std::size_t, std::size_t> by_set;
    std::map<std::string, std::size_t> by_operator;
    const auto place_of = [&](const KernelTimes& kernel) {
        const std::size_t next = groups.size();
        if (kernel.nodes.empty()) return by_operator.try_emplace(kernel.op, next).first->second;
        return by_set.try_emplace(sets.set_of(kernel.nodes.front()), next).first->second;
    };
    const auto group_of = [&](const KernelTimes& kernel) -> KernelGroup& {
        const std::size_t place = place_of(kernel);
        if (place == groups.size()) groups.emplace_back();
        return groups[place];
    };
    for (std::size_t i = 0; i < a.size(); ++i) group_of(a[i]).a.push_back(i);
    for (std::size_t i = 0; i < b.size(); ++i) group_of(b[i]).b.push_back(i);
    std::vector<bool> is_of_kernel(graph.node_slots());
    for (const auto* kernels : {&a, &b})
        for (const KernelTimes& kernel : *kernels)
            for (const NodeId id : kernel.nodes) is_of_kernel[id.index] = true;
    for (const NodeId id : graph.nodes())
        if (is_of_kernel[id.index]) groups[by_set.at(sets.set_of(id))].nodes.push_back(id);
    return groups;
}

}  // namespace lapidary
