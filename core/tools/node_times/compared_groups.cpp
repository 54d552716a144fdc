// SPDX-License-Identifier: Apache-2.0
#include "node_times/compared_groups.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/cost/cost_rollback.h>

#include "bench/statistics/median.h"
#include "node_times/node_groups.h"
#include "node_times/paired_difference.h"

namespace lapidary {
namespace {

std::string name_of_node(const Node& node) {
    return node.name.empty() ? node.op_type + "_" + std::to_string(node.id.index) : node.name;
}

/// Sums of some kernels by run.
std::vector<double> sums(const RecordedTimes& times, const std::vector<std::size_t>& kernels) {
    std::vector<double> sum(times.wall_ms.size());
    for (const std::size_t k : kernels)
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += times.kernels[k].ms[i];
    return sum;
}

std::vector<double> kernel_sums(const RecordedTimes& times) {
    std::vector<double> sum(times.wall_ms.size());
    for (const KernelTimes& kernel : times.kernels)
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += kernel.ms[i];
    return sum;
}

double resolution_of(const RecordedTimes& times, const std::vector<std::size_t>& kernels) {
    double calls = 0;
    for (const std::size_t k : kernels) calls += times.kernels[k].calls;
    return calls * times.resolution_ms;
}

/// Name, operators and nodes.
void name_group(ComparedGroup& group, const Graph& sized, const KernelGroup& kernels,
                const RecordedTimes& a, const RecordedTimes& b) {
    if (kernels.nodes.empty()) {
        const KernelTimes& kernel =
            kernels.a.empty() ? b.kernels[kernels.b.front()] : a.kernels[kernels.a.front()];
        group.name = kernel.op;
        group.ops = {kernel.op};
        return;
    }
    double most = -1;
    std::map<std::string, double> work_of;  // by operator: of one of its nodes, the most
    for (const NodeId id : kernels.nodes) {
        const Node& node = sized.node(id);
        group.nodes.push_back(id);
        group.node_names.push_back(name_of_node(node));
        const std::string op = node.qualified_op();
        const double work = estimated_work(sized, id).value_or(0);
        const auto [at, is_new] = work_of.try_emplace(op, work);
        if (is_new) group.ops.push_back(op);
        at->second = std::max(at->second, work);
        if (work > most) {
            most = work;
            group.name = group.node_names.back();
        }
    }
    std::ranges::stable_sort(group.ops, std::greater{},
                             [&](const std::string& op) { return work_of.at(op); });
}

ComparedEngineTimes times_of(const RecordedTimes& recorded) {
    return {recorded.name, recorded.version, recorded.place, median_of(recorded.wall_ms),
            median_of(kernel_sums(recorded))};
}

void judge(ComparedGroup& group, const std::vector<double>& a, const std::vector<double>& b,
           const DifferenceNoise& noise) {
    const PairedDifference found = paired_difference(a, b, noise);
    group.difference = found.estimate;
    group.is_shown = found.is_shown;
}

/// What is left of the runs; nothing where kernels ran at the same time.
std::optional<std::vector<double>> between_kernels(const RecordedTimes& times) {
    std::vector<double> left = kernel_sums(times);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = times.wall_ms[i] - left[i];
    if (left.empty() || median_of(left) < 0) return std::nullopt;
    return left;
}

std::string ops_text(const std::vector<std::string>& ops) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(ops.size(), most); ++i)
        text += (i > 0 ? " + " : "") + ops[i];
    if (ops.size() > most) text += " + ...";
    return text;
}

std::string place_text(const ComparedGroup& group) {
    if (group.ops.empty()) return "the time between kernels";
    const std::string ops = ops_text(group.ops);
    if (group.nodes.empty()) return ops + ", which is no node of the model";
    if (group.nodes.size() == 1) return ops + " (node " + group.name + ")";
    return ops + " (node " + group.name + " and " + std::to_string(group.nodes.size() - 1) +
           " fused with it)";
}

/// Three digits that count: "3.1", "0.042".
std::string number_text(double ms) {
    const double size = std::abs(ms);
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return fmt::format("{:.{}f}", ms, decimals);
}

}  // namespace

NodeComparison compare_recordings(const Graph& sized, const RecordedTimes& a,
                                  const RecordedTimes& b) {
    NodeComparison comparison;
    comparison.a = times_of(a);
    comparison.b = times_of(b);
    comparison.pairs = std::min(a.wall_ms.size(), b.wall_ms.size());
    const double run_ms = std::max(comparison.a.wall_ms, comparison.b.wall_ms);
    const PairedDifference whole = paired_difference(a.wall_ms, b.wall_ms, {});
    comparison.difference = whole.estimate;
    comparison.is_shown = whole.is_shown;
    const std::vector<KernelGroup> groups = group_nodes(sized, a.kernels, b.kernels);
    DifferenceNoise noise{0, run_ms, groups.size() + 1};
    for (const KernelGroup& kernels : groups) {
        ComparedGroup& group = comparison.groups.emplace_back();
        name_group(group, sized, kernels, a, b);
        const std::vector<double> a_ms = sums(a, kernels.a), b_ms = sums(b, kernels.b);
        if (!kernels.a.empty()) group.a_ms = median_of(a_ms);
        if (!kernels.b.empty()) group.b_ms = median_of(b_ms);
        noise.resolution_ms = std::hypot(resolution_of(a, kernels.a), resolution_of(b, kernels.b));
        judge(group, a_ms, b_ms, noise);
    }
    const auto a_left = between_kernels(a), b_left = between_kernels(b);
    if (a_left && b_left) {
        ComparedGroup& group = comparison.groups.emplace_back();
        group.name = between_kernels_name;
        group.a_ms = median_of(*a_left);
        group.b_ms = median_of(*b_left);
        double a_calls = 0, b_calls = 0;
        for (const KernelTimes& kernel : a.kernels) a_calls += kernel.calls;
        for (const KernelTimes& kernel : b.kernels) b_calls += kernel.calls;
        noise.resolution_ms = std::hypot(a_calls * a.resolution_ms, b_calls * b.resolution_ms);
        judge(group, *a_left, *b_left, noise);
    }
    std::ranges::stable_sort(comparison.groups, std::greater{}, [](const ComparedGroup& group) {
        return std::abs(group.difference.median);
    });
    comparison.sentences = comparison_sentences(comparison);
    return comparison;
}

std::vector<std::string> comparison_sentences(const NodeComparison& comparison) {
    constexpr std::size_t most = 3;
    std::vector<std::string> sentences;
    std::size_t shown = 0;
    double widest = 0;
    for (const ComparedGroup& group : comparison.groups) {
        const MedianEstimate& d = group.difference;
        widest = std::max({widest, -d.low, d.high});
        if (!group.is_shown || ++shown > most) continue;
        const bool is_loss = d.median > 0;
        sentences.push_back(fmt::format("B {} {} ms [{}, {}] in {}", is_loss ? "loses" : "gains",
                                        number_text(std::abs(d.median)),
                                        number_text(is_loss ? d.low : -d.high),
                                        number_text(is_loss ? d.high : -d.low), place_text(group)));
    }
    if (shown > most) sentences.push_back(fmt::format("and {} more in the table", shown - most));
    if (shown > 0) return sentences;
    const std::size_t fewest = fewest_pairs_for(comparison.groups.size());
    if (comparison.pairs < fewest)
        return {
            fmt::format("{} are too few to show a difference in one of {} nodes or groups: "
                        "expected at least {}",
                        count_text(static_cast<std::int64_t>(comparison.pairs), "pair of runs",
                                   "pairs of runs"),
                        comparison.groups.size(), fewest)};
    return {
        fmt::format("no difference that this machine can show: B is within {} ms of A in each "
                    "of {} nodes or groups",
                    number_text(widest), comparison.groups.size())};
}

}  // namespace lapidary
