// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

namespace lapidary {
namespace {

using Times = std::unordered_map<NodeId, double>;
using Links = std::unordered_map<NodeId, std::vector<NodeId>>;

/// Milliseconds in the typical run of each node of the main graph; those of subgraphs lie within
/// the node that holds them.
Times node_times(const Profile& profile) {
    Times times;
    const TypicalRun typical = typical_run(profile);
    for (const Span& span : profile.kernels)
        if (span.depth == 0 && span.node && typical.holds(span))
            times[span.node] += static_cast<double>(span.duration_ns()) / 1e6;
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

void share_out(const Times& times, const Links& links, const Graph& receiving, CostMap& map) {
    map.ms.clear();
    map.among.clear();
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
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const NodeId receiver = found->second[i];
            map.ms[receiver] += ms * shares[i];
            std::size_t& among = map.among[receiver];
            among = std::max(among, shares.size());
        }
    }
}

CostMap attributed(const Times& times, const Links& links, const Graph& receiving,
                   CostSplit split) {
    CostMap map;
    map.split = split;
    share_out(times, links, receiving, map);
    // If the work of one node is unknown, all get equal parts.
    if (map.split != split) share_out(times, links, receiving, map);
    return map;
}

Links origins_within(const Graph& optimized, const Graph& original) {
    Links links;
    for (NodeId id : optimized.nodes())
        for (NodeId origin : optimized.node(id).origins)
            if (original.is_alive(origin)) links[id].push_back(origin);
    return links;
}

}  // namespace

Model sized_for(const Model& model, const NamedValues& inputs, const Progress& progress) {
    InferOptions options;
    for (ValueId id : model.graph.inputs())
        for (const auto& [name, value] : inputs)
            if (name == model.graph.value(id).name && value.is_tensor())
                options.input_shapes[name] = {value.tensor().shape().begin(),
                                              value.tensor().shape().end()};
    Model sized = model;
    try {
        infer_types(sized, options, progress);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return model;
    }
    return sized;
}

CostMap roll_back(const Profile& profile, const Graph& optimized, const Graph& original,
                  CostSplit split) {
    return attributed(node_times(profile), origins_within(optimized, original), original, split);
}

CostMap roll_back(const std::vector<NodeTotal>& totals, const Graph& optimized,
                  const Graph& original, CostSplit split) {
    Times times;
    for (const NodeTotal& total : totals)
        if (total.node) times[total.node] += total.ms;
    return attributed(times, origins_within(optimized, original), original, split);
}

CostMap roll_forward(const Profile& profile, const Graph& original, const Graph& optimized,
                     CostSplit split) {
    Links links;
    for (NodeId id : optimized.nodes())
        for (NodeId origin : optimized.node(id).origins)
            if (original.is_alive(origin)) links[origin].push_back(id);
    return attributed(node_times(profile), links, optimized, split);
}

std::vector<NodeCost> costliest(const CostMap& map, const Graph& graph, double whole_ms) {
    std::vector<NodeCost> costs;
    for (NodeId id : graph.nodes()) {
        const auto found = map.ms.find(id);
        if (found == map.ms.end()) continue;
        const Node& node = graph.node(id);
        NodeCost cost{id,
                      node.name.empty() ? node.op_type + "_" + std::to_string(id.index) : node.name,
                      node.qualified_op()};
        cost.ms = found->second;
        cost.share = whole_ms > 0 ? cost.ms / whole_ms : 0;
        cost.among = map.among.at(id);
        costs.push_back(std::move(cost));
    }
    std::ranges::stable_sort(costs, std::greater{}, &NodeCost::ms);
    return costs;
}

}  // namespace lapidary
