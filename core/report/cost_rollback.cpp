// SPDX-License-Identifier: Apache-2.0
#include <lapidary/cost_rollback.h>

namespace lapidary {
namespace {

using Times = std::unordered_map<NodeId, double>;

/// Milliseconds per run of each node of the main graph; those of subgraphs lie within the node that holds them.
Times node_times(const Profile& profile) {
    Times times;
    const double runs = profile.runs > 0 ? profile.runs : 1;
    for (const Span& span : profile.kernels)
        if (span.depth == 0 && span.node) times[span.node] += static_cast<double>(span.duration_ns()) / 1e6 / runs;
    return times;
}

/// Weights of `nodes`, which sum to 1.
std::vector<double> shares_of(const Graph& graph, const std::vector<NodeId>& nodes, CostMap& map) {
    std::vector<double> shares(nodes.size(), 1.0 / static_cast<double>(nodes.size()));
    if (map.split == CostSplit::evenly || nodes.size() < 2) return shares;
    double sum = 0;
    std::vector<double> work;
    for (NodeId id : nodes) {
        const auto estimate = estimated_work(graph, id);
        if (!estimate) {
            map.split = CostSplit::evenly;
            return shares;
        }
        work.push_back(*estimate);
        sum += *estimate;
    }
    if (sum <= 0) return shares;
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = work[i] / sum;
    return shares;
}

void share_out(const Times& times, const std::unordered_map<NodeId, std::vector<NodeId>>& links, const Graph& receiving, CostMap& map) {
    map.ms.clear();
    map.unattributed_ms = 0;
    map.shared = 0;
    for (const auto& [id, ms] : times) {
        const auto found = links.find(id);
        if (found == links.end() || found->second.empty()) {
            map.unattributed_ms += ms;
            continue;
        }
        if (found->second.size() > 1) ++map.shared;
        const std::vector<double> shares = shares_of(receiving, found->second, map);
        for (std::size_t i = 0; i < shares.size(); ++i) map.ms[found->second[i]] += ms * shares[i];
    }
}

CostMap attributed(const Profile& profile, const std::unordered_map<NodeId, std::vector<NodeId>>& links, const Graph& receiving, CostSplit split) {
    const Times times = node_times(profile);
    CostMap map;
    map.split = split;
    share_out(times, links, receiving, map);
    // Where work could not be told for one node, all are shared out the same way.
    if (map.split != split) share_out(times, links, receiving, map);
    return map;
}

}  // namespace

CostMap roll_back(const Profile& profile, const Graph& optimized, const Graph& original, CostSplit split) {
    std::unordered_map<NodeId, std::vector<NodeId>> links;
    for (NodeId id : optimized.nodes())
        for (NodeId origin : optimized.node(id).origins)
            if (original.is_alive(origin)) links[id].push_back(origin);
    return attributed(profile, links, original, split);
}

CostMap roll_forward(const Profile& profile, const Graph& original, const Graph& optimized, CostSplit split) {
    std::unordered_map<NodeId, std::vector<NodeId>> links;
    for (NodeId id : optimized.nodes())
        for (NodeId origin : optimized.node(id).origins)
            if (original.is_alive(origin)) links[origin].push_back(id);
    return attributed(profile, links, optimized, split);
}

}  // namespace lapidary
