// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_digest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/profile/session_overhead.h>

namespace lapidary::views {
namespace {

// the same operators in another layout
constexpr std::string_view blocked_domain = "com.microsoft.nchwc::";
constexpr std::size_t most_groups = 12;  // of runs, for the intervals of nodes
constexpr std::size_t fewest_groups = 3;
constexpr std::size_t fewest_calm = 4;  // runs of which some may be left out
constexpr double longest_calm = 1.5;    // in medians; longer runs were disturbed
constexpr std::size_t none = std::size_t(-1);
constexpr std::size_t most_names = 3;  // most names of nodes that replace an original one

/// By Span::run: whether the run was not disturbed by other work on the machine. All runs, if few
/// undisturbed ones are left.
std::vector<bool> calm_runs(const Profile& profile) {
    const auto runs = static_cast<std::size_t>(std::max(profile.runs, 1));
    std::vector<bool> calm(runs, true);
    if (profile.run_spans.size() < fewest_calm) return calm;
    const double longest = longest_calm * double(typical_run(profile).wall_ns);
    for (const Span& wall : profile.run_spans)
        if (double(wall.duration_ns()) > longest && wall.run >= 0 && std::size_t(wall.run) < runs)
            calm[std::size_t(wall.run)] = false;
    if (std::size_t(std::ranges::count(calm, true)) < fewest_groups) calm.assign(runs, true);
    return calm;
}

/// The times per node of consecutive groups of undisturbed runs.
std::vector<std::vector<NodeTotal>> grouped_runs(const Profile& profile) {
    const std::vector<bool> calm = calm_runs(profile);
    const auto runs = std::size_t(std::ranges::count(calm, true));
    const std::size_t groups = std::min(runs, most_groups);
    std::vector<std::size_t> group_of(calm.size(), none);
    std::vector<double> members(groups, 0);
    for (std::size_t run = 0, kept = 0; run < calm.size(); ++run) {
        if (!calm[run]) continue;
        group_of[run] = kept++ * groups / runs;
        members[group_of[run]] += 1;
    }
    std::vector<std::unordered_map<NodeId, double>> sums(groups);
    for (const Span& span : profile.kernels) {
        if (span.depth != 0 || !span.node) continue;
        const std::size_t group =
            group_of[std::min(std::size_t(std::max(span.run, 0)), calm.size() - 1)];
        if (group != none) sums[group][span.node] += double(span.duration_ns()) / 1e6;
    }
    std::vector<std::vector<NodeTotal>> totals(groups);
    for (std::size_t group = 0; group < groups; ++group)
        for (const auto& [node, ms] : sums[group]) {
            NodeTotal total;
            total.node = node;
            total.ms = ms / members[group];
            totals[group].push_back(std::move(total));
        }
    return totals;
}

struct Side {
    CostMap typical;              // of the typical run, by original node
    std::vector<CostMap> groups;  // of groups of runs, the same
    // names of the nodes that replace an original node
    std::unordered_map<NodeId, std::string> stands_for;
};

Side side_of(const app::RunRecord& run, const Graph& original, const Progress& progress) {
    Side side;
    const Graph& executed = run.executed->graph;
    side.typical = roll_back(run.summary.nodes, executed, original);
    for (const auto& totals : grouped_runs(*run.profile)) {
        progress.cancel.throw_if_cancelled();
        side.groups.push_back(roll_back(totals, executed, original));
    }
    std::unordered_map<NodeId, std::string> names;  // as profiles call them
    for (const NodeTotal& total : run.summary.nodes) names.emplace(total.node, total.name);
    std::unordered_map<NodeId, std::size_t> listed;
    for (const NodeId id : executed.nodes()) {
        const auto named = names.find(id);
        if (named == names.end()) continue;
        for (const NodeId origin : executed.node(id).origins) {
            std::string& text = side.stands_for[origin];
            const std::size_t count = ++listed[origin];
            if (count <= most_names) text += (text.empty() ? "" : ", ") + named->second;
            else if (count == most_names + 1) text += " …";
        }
    }
    return side;
}

struct Spread {
    double mean = 0, variance = 0;  // of the mean
    std::size_t count = 0;
};
Spread spread_of(const std::vector<CostMap>& groups, NodeId node, double scale) {
    Spread spread;
    spread.count = groups.size();
    std::vector<double> values;
    for (const CostMap& map : groups) {
        const auto at = map.ms.find(node);
        values.push_back(at == map.ms.end() ? 0 : at->second * scale);
    }
    for (const double value : values) spread.mean += value / double(values.size());
    if (values.size() > 1) {
        for (const double value : values)
            spread.variance += (value - spread.mean) * (value - spread.mean);
        spread.variance /= double(values.size() - 1) * double(values.size());
    }
    return spread;
}

/// Two-sided 95 % quantile of Student's t (a fit good to 1 % from two degrees of freedom on).
double student_quantile(double degrees) {
    const double d = std::max(degrees, 2.0);
    return 1.96 + 2.4 / d + 2.6 / (d * d) + 4 / (d * d * d);
}

/// Welch's 95 % interval of the difference of two means, widened if needed to contain `shown`, the
/// difference of the typical runs.
std::optional<std::pair<double, double>> interval_of(const Spread& a, const Spread& b,
                                                     double shown) {
    if (a.count < fewest_groups || b.count < fewest_groups) return std::nullopt;
    const double variance = a.variance + b.variance, difference = b.mean - a.mean;
    double degrees = 1e9;
    if (variance > 0)
        degrees = variance * variance /
                  (a.variance * a.variance / double(a.count - 1) +
                   b.variance * b.variance / double(b.count - 1));
    const double reach = student_quantile(degrees) * std::sqrt(variance);
    return std::pair(std::min(shown, difference - reach), std::max(shown, difference + reach));
}

std::vector<OperatorDifference> operator_differences(const app::RunRecord& a,
                                                     const app::RunRecord& b,
                                                     const TimeScale& scale) {
    std::map<std::string, OperatorDifference> by_op;
    const auto add = [&](const app::RunRecord& run, double factor, double OperatorDifference::*ms,
                         std::int64_t OperatorDifference::*calls,
                         std::int64_t OperatorDifference::*blocked) {
        for (const OperatorTotal& total : run.summary.operators) {
            const bool isBlocked = total.op.starts_with(blocked_domain);
            OperatorDifference& row =
                by_op[isBlocked ? total.op.substr(blocked_domain.size()) : total.op];
            row.*ms += total.self_ms * factor;
            row.*calls += total.count;
            if (isBlocked) row.*blocked += total.count;
        }
    };
    add(a, scale.a, &OperatorDifference::a_ms, &OperatorDifference::calls_a,
        &OperatorDifference::blocked_a);
    add(b, scale.b, &OperatorDifference::b_ms, &OperatorDifference::calls_b,
        &OperatorDifference::blocked_b);
    OperatorDifference between;
    between.a_ms = session_overhead(*a.profile).run_ms * scale.a;
    between.b_ms = session_overhead(*b.profile).run_ms * scale.b;
    std::vector<OperatorDifference> rows;
    for (auto& [op, row] : by_op) {
        row.op = op;
        rows.push_back(row);
    }
    rows.push_back(between);
    std::ranges::stable_sort(rows, [](const auto& x, const auto& y) {
        return std::abs(x.difference()) > std::abs(y.difference());
    });
    return rows;
}

std::vector<NodeDifference> node_differences(const app::RunRecord& a, const app::RunRecord& b,
                                             const Model& original, const TimeScale& scale,
                                             const Progress& progress) {
    const Side side_a = side_of(a, original.graph, progress),
               side_b = side_of(b, original.graph, progress);
    std::unordered_map<NodeId, NodeDifference> by_node;
    for (const Side* side : {&side_a, &side_b})  // names as the profiler gives them
        for (NodeCost& cost : costliest(side->typical, original.graph, 1)) {
            NodeDifference& row = by_node[cost.node];
            row.node = cost.node;
            row.name = std::move(cost.name);
            row.op = std::move(cost.op);
        }
    const auto ms = [](const Side& side, NodeId node) {
        const auto at = side.typical.ms.find(node);
        return at == side.typical.ms.end() ? 0 : at->second;
    };
    const auto names = [](const Side& side, NodeId node) {
        const auto at = side.stands_for.find(node);
        return at == side.stands_for.end() ? std::string() : at->second;
    };
    std::vector<NodeDifference> rows;
    for (auto& [node, row] : by_node) {
        const Spread in_a = spread_of(side_a.groups, node, scale.a),
                     in_b = spread_of(side_b.groups, node, scale.b);
        row.a_ms = ms(side_a, node) * scale.a;
        row.b_ms = ms(side_b, node) * scale.b;
        row.interval = interval_of(in_a, in_b, row.difference());
        row.in_a = names(side_a, node);
        row.in_b = names(side_b, node);
        rows.push_back(std::move(row));
    }
    NodeDifference others;
    others.a_ms = side_a.typical.unattributed_ms * scale.a;
    others.b_ms = side_b.typical.unattributed_ms * scale.b;
    if (others.a_ms > 0 || others.b_ms > 0) rows.push_back(std::move(others));
    std::ranges::sort(rows, [](const auto& x, const auto& y) {
        const double left = std::abs(x.difference()), right = std::abs(y.difference());
        return left != right ? left > right : x.node < y.node;
    });
    return rows;
}

TimeScale scale_of(const app::ComparisonRecord& record, const app::RunRecord& a,
                   const app::RunRecord& b) {
    TimeScale scale;
    scale.profiled_a_ms = a.summary.wall_ms, scale.profiled_b_ms = b.summary.wall_ms;
    const auto median = [](const std::optional<Measurement>& measured) {
        return measured && measured->wall.median.samples > 0 ? measured->wall.median.median : 0.0;
    };
    const double of_a = median(record.measured_a), of_b = median(record.measured_b);
    if (of_a <= 0 || of_b <= 0 || scale.profiled_a_ms <= 0 || scale.profiled_b_ms <= 0)
        return scale;
    scale.a = of_a / scale.profiled_a_ms, scale.b = of_b / scale.profiled_b_ms;
    scale.isOfMeasurement = true;
    return scale;
}

std::optional<MemorySide> memory_of(const PlanInfo& plan) {
    if (plan.blocks.empty() || plan.steps.empty()) return std::nullopt;
    MemorySide side;
    std::vector<double> changes(plan.steps.size() + 1, 0);
    for (const MemoryBlock& block : plan.blocks) {
        if (block.shares || block.first_step >= plan.steps.size()) continue;
        changes[block.first_step] += double(block.bytes);
        changes[std::min(block.last_step + 1, plan.steps.size())] -= double(block.bytes);
    }
    double alive = 0;
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        alive += changes[step];
        side.bytes.push_back(alive);
        if (alive <= side.peak_bytes) continue;
        side.peak_bytes = alive;
        side.peak_node = plan.steps[step].name;
    }
    side.block_bytes = plan.arena_bytes;
    side.weight_bytes = plan.weight_bytes;
    return side;
}

}  // namespace

std::vector<OperatorCount> countDifferences(const ModelSummary& a, const ModelSummary& b) {
    std::map<std::string, OperatorCount> by_op;
    for (const auto& [op, count] : a.operators) by_op[op].a = count;
    for (const auto& [op, count] : b.operators) by_op[op].b = count;
    std::vector<OperatorCount> rows;
    for (auto& [op, row] : by_op)
        if (row.a != row.b) {
            row.op = op;
            rows.push_back(row);
        }
    std::ranges::stable_sort(rows, [](const auto& x, const auto& y) {
        return std::abs(x.b - x.a) > std::abs(y.b - y.a);
    });
    return rows;
}

CompareDigestPtr digestComparison(app::ComparisonPtr record, const ModelPtr& opened,
                                  const Progress& progress) {
    auto digest = std::make_shared<CompareDigest>();
    digest->record = std::move(record);
    const app::ComparisonRecord& known = *digest->record;
    digest->counts = countDifferences(known.a->summary, known.b->summary);
    if (known.run_a) digest->memory_a = memory_of(known.run_a->plan);
    if (known.run_b) digest->memory_b = memory_of(known.run_b->plan);
    if (known.run_a && known.run_b) {
        digest->run_a = known.run_a;
        digest->run_b = known.run_b;
        const app::RunRecord &a = *digest->run_a, &b = *digest->run_b;
        const TimeScale scale = digest->scale = scale_of(known, a, b);
        digest->operators = operator_differences(a, b, scale);
        digest->timelines = matchTimelines(*known.run_a, *known.run_b);
        progress.step("original sizes");
        const Model sized = sized_for(*opened, a.inputs, progress);
        progress.step("nodes");
        digest->nodes = node_differences(a, b, sized, scale, progress);
        digest->modules = moduleDifferences(
            digest->nodes, {scale.profiled_a_ms * scale.a, scale.profiled_b_ms * scale.b});
    }
    return digest;
}

}  // namespace lapidary::views
