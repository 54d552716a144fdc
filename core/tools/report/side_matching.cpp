// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/side_matching.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <lapidary/profile/session_overhead.h>

#include "graph/node_text.h"

namespace lapidary {
namespace {

void match_by_origin(const Graph& original, const CostMap& a, const CostMap& b,
                     Matching& matching) {
    matching.by_origin = true;
    matching.a_rest_ms = a.unattributed_ms;
    matching.b_rest_ms = b.unattributed_ms;
    const auto among = [](const CostMap& map, NodeId id) {
        const auto found = map.among.find(id);
        return found == map.among.end() ? std::size_t{1} : std::max<std::size_t>(found->second, 1);
    };
    for (const NodeId id : original.nodes()) {
        const auto in_a = a.ms.find(id), in_b = b.ms.find(id);
        if (in_a == a.ms.end() && in_b == b.ms.end()) continue;
        const Node& node = original.node(id);
        MatchedNode match{
            node.name.empty() ? node.qualified_op() + " #" + std::to_string(id.index) : node.name,
            node.qualified_op(),
            {},
            {},
            among(a, id),
            among(b, id)};
        if (in_a != a.ms.end()) match.a_ms = in_a->second;
        if (in_b != b.ms.end()) match.b_ms = in_b->second;
        matching.nodes.push_back(std::move(match));
    }
}

void match_by_name(const ProfileSummary& a, const ProfileSummary& b, Matching& matching) {
    std::map<std::pair<std::string, std::string>, MatchedNode> nodes;
    const auto add = [&](const ProfileSummary& side, std::optional<double> MatchedNode::*ms) {
        for (const NodeTotal& total : side.nodes) {
            MatchedNode& match = nodes[{total.name, total.op}];
            match.name = total.name;
            match.op = total.op;
            match.*ms = (match.*ms).value_or(0) + total.ms;
        }
    };
    add(a, &MatchedNode::a_ms);
    add(b, &MatchedNode::b_ms);
    for (auto& [key, match] : nodes) matching.nodes.push_back(std::move(match));
}

void match_operators(const ProfileSummary& a, const ProfileSummary& b, Matching& matching) {
    std::map<std::string, MatchedOperator> operators;
    for (const OperatorTotal& total : a.operators) {
        MatchedOperator& match = operators[without_domain(total.op)];
        match.a_ms += total.self_ms;
        match.a_calls += total.count;
    }
    for (const OperatorTotal& total : b.operators) {
        MatchedOperator& match = operators[without_domain(total.op)];
        match.b_ms += total.self_ms;
        match.b_calls += total.count;
    }
    for (auto& [op, match] : operators) {
        match.op = op;
        matching.operators.push_back(std::move(match));
    }
}

}  // namespace

const Graph& executed_graph(const ReportSide& side) {
    return side.executed ? side.executed->graph : side.model->graph;
}

std::optional<Matching> match_sides(const ReportContent& content) {
    if (content.sides.size() != 2) return {};
    const ReportSide &a = content.sides[0], &b = content.sides[1];
    if (!a.profile || !b.profile) return {};
    const ProfileSummary of_a = summarize(*a.profile), of_b = summarize(*b.profile);
    Matching matching;
    if (content.original && a.model && b.model) {
        const Graph& original = content.original->graph;
        match_by_origin(original, roll_back(of_a.nodes, executed_graph(a), original),
                        roll_back(of_b.nodes, executed_graph(b), original), matching);
    } else {
        match_by_name(of_a, of_b, matching);
    }
    match_operators(of_a, of_b, matching);
    MatchedOperator& overhead = matching.operators.emplace_back();
    overhead.op = overhead_name;
    overhead.a_ms = session_overhead(*a.profile).run_ms;
    overhead.b_ms = session_overhead(*b.profile).run_ms;
    const auto by_change = [](const auto& x, const auto& y) {
        return std::abs(x.change()) > std::abs(y.change());
    };
    std::ranges::stable_sort(matching.nodes, by_change);
    std::ranges::stable_sort(matching.operators, by_change);
    return matching;
}

}  // namespace lapidary
