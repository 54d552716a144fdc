// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/near_miss_groups.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <variant>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/cost/roofline.h>
#include <lapidary/inputs/run_conditions.h>

namespace lapidary {
namespace {

constexpr double operations_per_byte = 8;

/// The time of a node, as bytes of memory traffic that take as long. For a node with bodies that of
/// the slowest. Nothing: no size is known.
std::optional<double> cost_of(const Graph& graph, NodeId id, const CancelToken& cancel) {
    cancel.throw_if_cancelled();
    std::optional<double> dearest;
    for (const Attribute& attribute : graph.node(id).attributes) {
        const auto* body = std::get_if<GraphPtr>(&attribute.value);
        if (!body || !*body) continue;
        double sum = 0;
        for (const NodeId inner : (*body)->nodes())
            sum += cost_of(**body, inner, cancel).value_or(0);
        dearest = std::max(dearest.value_or(0), sum);
    }
    if (dearest) return *dearest > 0 ? dearest : std::nullopt;
    const auto work = work_of(graph, id);
    if (!work) return std::nullopt;
    return std::max(work->flop / operations_per_byte, work->bytes);
}

/// Nodes by the name of their first output. A session did not change a node of the same name and
/// operator.
std::unordered_map<std::string_view, NodeId> nodes_by_result(const Graph& graph) {
    std::unordered_map<std::string_view, NodeId> nodes;
    for (const NodeId id : graph.nodes())
        if (const auto& outputs = graph.node(id).outputs; !outputs.empty() && outputs.front())
            nodes.emplace(graph.value(outputs.front()).name, id);
    return nodes;
}

}  // namespace

std::optional<double> TimeShares::of(const std::vector<NodeId>& nodes) const {
    double sum = 0;
    bool is_known = false;
    for (const NodeId node : std::set<NodeId>(nodes.begin(), nodes.end()))
        if (const auto at = by_node.find(node); at != by_node.end())
            sum += at->second, is_known = true;
    if (!is_known) return std::nullopt;
    return std::min(sum, 1.0);
}

TimeShares estimated_shares(const Model& model,
                            const std::map<std::string, std::int64_t>& dimensions,
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
        const std::optional<double> cost = cost_of(sized.graph, id, progress.cancel);
        if (!cost) continue;
        shares.by_node[id] = *cost;
        whole += *cost;
    }
    if (whole > 0)
        for (auto& [node, share] : shares.by_node) share /= whole;
    return shares;
}

TimeShares measured_shares(const std::vector<NodeTotal>& nodes, const Graph& executed,
                           const Graph& model) {
    const std::unordered_map<std::string_view, NodeId> by_result = nodes_by_result(model);
    // own: of nodes of the model that the session did not change
    std::unordered_map<NodeId, double> of_origin, own;
    double whole = 0;
    for (const NodeTotal& total : nodes) {
        // else its time is in that of another
        const bool is_of_graph = total.node && executed.is_alive(total.node);
        if (is_of_graph || total.is_copy) whole += total.ms;
        if (!is_of_graph) continue;
        const Node& ran = executed.node(total.node);
        if (!ran.outputs.empty() && ran.outputs.front()) {
            const auto same = by_result.find(executed.value(ran.outputs.front()).name);
            if (same != by_result.end() && model.node(same->second).op_type == ran.op_type &&
                model.node(same->second).origins == ran.origins) {
                own[same->second] += total.ms;
                continue;
            }
        }
        for (const NodeId origin : ran.origins)
            of_origin[origin] += total.ms / static_cast<double>(ran.origins.size());
    }
    // the other nodes of the model, by origin
    std::unordered_map<NodeId, std::size_t> standing_for;
    for (const NodeId id : model.nodes())
        if (!own.contains(id))
            for (const NodeId origin : model.node(id).origins) ++standing_for[origin];
    TimeShares shares;
    shares.is_measured = true;
    if (whole <= 0) return shares;
    for (const NodeId id : model.nodes()) {
        if (const auto at = own.find(id); at != own.end()) {
            shares.by_node[id] = at->second / whole;
            continue;
        }
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
