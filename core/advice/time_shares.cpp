// SPDX-License-Identifier: Apache-2.0
#include <lapidary/near_miss_groups.h>

#include <algorithm>
#include <set>

#include <lapidary/error.h>
#include <lapidary/infer.h>
#include <lapidary/roofline.h>
#include <lapidary/run_conditions.h>

namespace lapidary {
namespace {

constexpr double operations_per_byte = 8;

}  // namespace

std::optional<double> TimeShares::of(const std::vector<NodeId>& nodes) const {
    double sum = 0;
    bool is_known = false;
    for (const NodeId node : std::set<NodeId>(nodes.begin(), nodes.end()))
        if (const auto at = by_node.find(node); at != by_node.end()) sum += at->second, is_known = true;
    if (!is_known) return std::nullopt;
    return std::min(sum, 1.0);
}

TimeShares estimated_shares(const Model& model, const std::map<std::string, std::int64_t>& dimensions,
                            const Progress& progress) {
    Model sized = model;
    InferOptions infer;
    TimeShares shares;
    try {
        infer.dimensions = named_sizes(usual_sizes(model, dimensions));
        infer_types(sized, infer, progress);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return shares;  // sizes that fit nowhere
    }
    double whole = 0;
    for (const NodeId id : sized.graph.nodes()) {
        progress.cancel.throw_if_cancelled();
        const auto work = work_of(sized.graph, id);
        if (!work) continue;
        const double cost = std::max(work->flop / operations_per_byte, work->bytes);
        shares.by_node[id] = cost;
        whole += cost;
    }
    if (whole > 0)
        for (auto& [node, share] : shares.by_node) share /= whole;
    return shares;
}

TimeShares measured_shares(const std::vector<NodeTotal>& nodes, const Graph& executed, const Graph& model) {
    std::unordered_map<NodeId, double> of_origin;
    double whole = 0;
    for (const NodeTotal& total : nodes) {
        whole += total.ms;
        if (!total.node || !executed.is_alive(total.node)) continue;
        const std::vector<NodeId>& origins = executed.node(total.node).origins;
        for (const NodeId origin : origins) of_origin[origin] += total.ms / static_cast<double>(origins.size());
    }
    std::unordered_map<NodeId, std::size_t> standing_for;  // nodes of the model by origin
    for (const NodeId id : model.nodes())
        for (const NodeId origin : model.node(id).origins) ++standing_for[origin];
    TimeShares shares;
    shares.is_measured = true;
    if (whole <= 0) return shares;
    for (const NodeId id : model.nodes()) {
        double ms = 0;
        bool is_known = false;
        for (const NodeId origin : model.node(id).origins)
            if (const auto at = of_origin.find(origin); at != of_origin.end())
                ms += at->second / static_cast<double>(standing_for[origin]), is_known = true;
        if (is_known) shares.by_node[id] = ms / whole;
    }
    return shares;
}

}  // namespace lapidary
