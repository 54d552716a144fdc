// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/row_help.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include <lapidary/ops/operator_family.h>
#include <lapidary/profile/session_overhead.h>
#include <lapidary/profile/slowest_node.h>

#include "advice/advice_checks.h"
#include "advice/near_miss_nodes.h"

namespace lapidary {
namespace {

using Kind = RowHelp::Kind;

std::optional<RowHelp> help_for_overhead(const AdviceInput& in, double share) {
    if (in.is_original) return RowHelp{{}, share, Kind::level, share, {}, {}, {}};
    if (!in.facts->free_batches.empty() && !in.batch_measured)
        return RowHelp{{}, share, Kind::batch, share, {}, {}, {}};
    return std::nullopt;
}

/// Of the nodes of a row, in the graph that ran.
TimeShares shares_of_row(const AdviceInput& in, std::string_view op) {
    TimeShares shares;
    shares.is_measured = true;
    for (const NodeTotal& total : in.nodes)
        if (total.node && total.op == op) shares.by_node[total.node] += total.share;
    return shares;
}

/// Names the node that takes most of those on the reference kernel.
std::optional<RowHelp> help_for_reference(const AdviceInput& in, const TimeShares& shares) {
    std::optional<RowHelp> help;
    double gain = 0, largest = -1;
    for (const StepInfo& step : in.steps) {
        const auto share = shares.by_node.find(step.node);
        if (!step.node || share == shares.by_node.end() || !runs_on_reference(step)) continue;
        gain += share->second;
        if (share->second <= largest) continue;
        largest = share->second;
        help = RowHelp{{},       0,         Kind::reference_kernel,
                       0,        step.name, step.passed_over.front().second,
                       step.node};
    }
    if (help) help->gain = gain;
    return help;
}

/// The group of near misses whose nodes take most of the row. `groups`: of the report of `in`.
std::optional<RowHelp> help_for_near_miss(const AdviceInput& in,
                                          const std::vector<NearMissGroup>& groups,
                                          const TimeShares& shares) {
    std::optional<RowHelp> help;
    for (const NearMissGroup& group : groups) {
        if (group.shortfall > 1) continue;
        const double gain = shares.of(nodes_of(group, *in.report)).value_or(0);
        if (gain > (help ? help->gain : 0))
            help = RowHelp{{}, 0, Kind::near_miss, gain, group.pass, group.reason, {}};
    }
    return help;
}

bool has_float_weights(const AdviceInput& in, std::string_view op) {
    const OperatorFamily family = family_of(op);
    return in.quantized_variant.empty() && in.facts->quantized_nodes == 0 &&
           in.facts->quantizable_nodes > 0 &&
           (family == OperatorFamily::matrix || family == OperatorFamily::convolution);
}

/// Half of the row's time or more is that of nodes that were held up: other weights would not
/// change it.
bool is_mostly_held_up(const AdviceInput& in, const OperatorTotal& row) {
    double held_up = 0;
    for (const NodeTotal& total : in.nodes)
        if (total.op == row.op && total.share > 0 && was_held_up(total, total.ms / total.share))
            held_up += total.share;
    return held_up > 0 && held_up >= row.share / 2;
}

std::optional<RowHelp> help_for_operator(const AdviceInput& in,
                                         const std::vector<NearMissGroup>& groups,
                                         const OperatorTotal& row) {
    const TimeShares shares = shares_of_row(in, row.op);
    std::optional<RowHelp> best = help_for_reference(in, shares);
    if (auto miss = help_for_near_miss(in, groups, shares);
        miss && (!best || miss->gain > best->gain))
        best = std::move(miss);
    if (best && best->gain >= least_gain) return best;
    if (has_float_weights(in, row.op) && !is_mostly_held_up(in, row))
        return RowHelp{{}, 0, Kind::quantize, 0, {}, {}, {}};
    return std::nullopt;
}

}  // namespace

std::vector<RowHelp> help_for_rows(const std::vector<OperatorTotal>& rows, const AdviceInput& in,
                                   std::size_t most) {
    std::vector<RowHelp> helps;
    if (!in.model || !in.facts || in.nodes.empty()) return helps;
    std::vector<OperatorTotal> largest = rows;
    std::ranges::stable_sort(largest, std::greater{}, &OperatorTotal::share);
    largest.resize(std::min(largest.size(), most));
    const std::vector<NearMissGroup> groups =
        in.report ? group_near_misses(*in.report) : std::vector<NearMissGroup>();
    for (const OperatorTotal& row : largest) {
        if (row.share < least_gain) continue;
        std::optional<RowHelp> help = row.op == overhead_name ? help_for_overhead(in, row.share)
                                                              : help_for_operator(in, groups, row);
        if (!help) continue;
        help->op = row.op;
        help->share = row.share;
        help->gain = std::min(help->gain, row.share);
        helps.push_back(std::move(*help));
    }
    return helps;
}

}  // namespace lapidary
