// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_digest.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <lapidary/cost/cost_rollback.h>

#include "run/memory_curve.h"

namespace lapidary::views {
namespace {

constexpr double peak_noise = 1.05;  // how much one measurement of a peak may be below another

std::vector<NodeRow> rows_of(const RunDigest& digest, const std::vector<NodeTotal>& totals) {
    std::vector<NodeRow> rows;
    rows.reserve(totals.size());
    for (const NodeTotal& total : totals) {
        NodeRow& row = rows.emplace_back(NodeRow{total});
        if (const auto why = digest.placedBecause.find(total.node);
            total.node && why != digest.placedBecause.end())
            row.placed_because = why->second;
        const auto point = digest.pointOf.find(total.node);
        if (!total.node || point == digest.pointOf.end()) continue;
        const RooflinePoint& p = digest.roofline[point->second];
        row.share_of_peak = p.share_of_peak;
        row.isAbovePeak = isAbovePeak(p);
        row.isOnDevice = !p.arithmetic.empty();
        row.bound = p.from_cache     ? NodeRow::Bound::caches
                    : p.memory_bound ? NodeRow::Bound::memory
                                     : NodeRow::Bound::arithmetic;
    }
    return rows;
}

/// A run of our own: what this machine can do is known.
void compare_with_peak(RunDigest& digest, const Progress& progress) {
    const app::RunRecord& run = *digest.run;
    if (!run.executed || !run.machine.empty()) return;
    progress.step("measure the machine's peak");
    digest.roofs = {machine_peak(run.profile->threads, progress.cancel), run.device_peaks};
    digest.roofline = roofline(run.executed->graph, run.summary.nodes, *digest.roofs);
    for (std::size_t i = 0; i < digest.roofline.size(); ++i)
        digest.pointOf.emplace(digest.roofline[i].node, i);
}

/// Nodes of subgraphs are part of the node that holds them.
std::vector<NodeTotal> outermost_of(const RunDigest& digest) {
    const Profile& profile = *digest.run->profile;
    std::unordered_set<std::string_view> inner;
    for (const std::uint32_t first : digest.groups.first)
        if (const Span& span = profile.kernels[first]; span.depth > 0 && !span.node)
            inner.insert(profile.name(span));
    std::vector<NodeTotal> outermost;
    for (const NodeTotal& total : digest.run->summary.nodes)
        if (total.node || !inner.contains(total.name)) outermost.push_back(total);
    return outermost;
}

/// Shares of the typical run.
std::vector<double> busy_in_run(const RunDigest& digest) {
    const Profile& profile = *digest.run->profile;
    const TypicalRun typical = typical_run(profile);
    if (!typical.index)
        return busyShares(digest.timeline, digest.timeline.begin, digest.timeline.end);
    const Span& run = profile.run_spans[*typical.index];
    return busyShares(digest.timeline, run.begin_ns, run.end_ns);
}

std::size_t first_kernel_in(const RunDigest& digest, std::int64_t begin) {
    const std::vector<Span>& kernels = digest.run->profile->kernels;  // in time order
    const auto at = std::lower_bound(kernels.begin(), kernels.end(), begin - digest.longestKernelNs,
                                     [](const Span& s, std::int64_t t) { return s.begin_ns < t; });
    return std::size_t(at - kernels.begin());
}

/// What of the range lies in runs and in no kernel, as a row; nothing where no run is in it.
void add_overhead(const RunDigest& digest, std::int64_t begin, std::int64_t end,
                  std::vector<OperatorTotal>& operators) {
    const std::vector<Span>& runs = digest.run->profile->run_spans;
    if (std::ranges::none_of(
            runs, [&](const Span& run) { return run.begin_ns < end && run.end_ns > begin; }))
        return;
    std::int64_t inside = 0;
    auto span = std::ranges::lower_bound(digest.overhead, begin, {}, &OverheadSpan::end_ns);
    for (; span != digest.overhead.end() && span->begin_ns < end; ++span)
        inside += std::max<std::int64_t>(
            0, std::min(end, span->end_ns) - std::max(begin, span->begin_ns));
    operators.push_back({std::string(overhead_name), 0, double(inside) / 1e6,
                         double(inside) / double(std::max<std::int64_t>(1, end - begin))});
}

TimelineCounters countersOf(const RunDigest& digest) {
    std::unordered_map<NodeId, KernelBytes> known;
    const PlanInfo& plan = digest.run->plan;
    if (!plan.blocks.empty()) {
        const QVector<double> alive = aliveBytes(plan);
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            if (plan.steps[step].node)
                known[plan.steps[step].node].alive = std::int64_t(alive[qsizetype(step)]);
    }
    for (const RooflinePoint& point : digest.roofline) known[point.node].moved = point.work.bytes;
    return makeCounters(*digest.run->profile, [&](const Span& kernel) {
        const auto bytes = kernel.node ? known.find(kernel.node) : known.end();
        return bytes == known.end() ? KernelBytes() : bytes->second;
    });
}

std::vector<PhaseRow> phase_rows(const Profile& profile, const SessionOverhead& overhead) {
    std::vector<PhaseRow> rows;
    if (profile.phases.empty()) return rows;
    for (PhaseTime& phase : phase_times(profile)) rows.push_back({std::move(phase), false});
    rows.push_back(
        {{std::string(overhead_name), 0, overhead.once_ms, profile.phases.front().begin_ns}, true});
    return rows;
}

}  // namespace

bool isAbovePeak(const RooflinePoint& point) {
    return point.roof_gops > 0 && point.gflops > point.roof_gops * peak_noise;
}

std::string placementText(const std::vector<PlacementReason>& reasons) {
    std::string text;
    for (const auto& [provider, reason] : reasons)
        text += (text.empty() ? "" : "; ") + provider + ": " + reason;
    return text;
}

std::size_t kernelsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end) {
    const std::vector<Span>& kernels = digest.run->profile->kernels;
    const auto last =
        std::lower_bound(kernels.begin(), kernels.end(), end,
                         [](const Span& s, std::int64_t t) { return s.begin_ns < t; });
    const auto first = std::ptrdiff_t(first_kernel_in(digest, begin));
    return std::size_t(std::max<std::ptrdiff_t>(0, last - kernels.begin() - first));
}

RunTotals totalsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end,
                        const CancelToken& cancel) {
    const Profile& profile = *digest.run->profile;
    const std::vector<Span>& kernels = profile.kernels;
    struct Sum {
        std::int64_t total = 0, outermost = 0, outermostCalls = 0, low = 0, high = 0, calls = 0,
                     fallbacks = 0;
        const std::string* fallback = nullptr;
    };
    std::vector<Sum> sums(digest.groups.first.size());
    RunTotals totals;
    for (std::size_t i = first_kernel_in(digest, begin); i < kernels.size(); ++i) {
        if (kernels[i].begin_ns >= end) break;
        if (i % 65536 == 0) cancel.throw_if_cancelled();
        const std::int64_t inside =
            std::min(end, kernels[i].end_ns) - std::max(begin, kernels[i].begin_ns);
        if (inside <= 0) continue;
        Sum& sum = sums[digest.groups.of_kernel[i]];
        sum.low = sum.calls == 0 ? inside : std::min(sum.low, inside);
        sum.high = std::max(sum.high, inside);
        sum.total += inside;
        ++sum.calls;
        const std::string& fallback = profile.fallback(kernels[i]);
        if (!fallback.empty() && ++sum.fallbacks == 1) sum.fallback = &fallback;
        // its time is part of the control-flow kernel around it
        if (kernels[i].depth > 0) continue;
        sum.outermost += inside;
        ++sum.outermostCalls;
        ++totals.kernels;
    }
    const double whole = double(std::max<std::int64_t>(1, end - begin));
    std::unordered_map<std::string_view, std::size_t> operators;
    std::vector<NodeTotal> nodes, outermost;
    for (std::size_t g = 0; g < sums.size(); ++g) {
        const Sum& sum = sums[g];
        if (sum.calls == 0) continue;
        const Span& span = kernels[digest.groups.first[g]];
        const std::string& op = profile.op(span);
        NodeTotal node{span.node,
                       profile.name(span),
                       op,
                       profile.kernel(span),
                       profile.shapes(span),
                       profile.provider(span)};
        node.is_copy = span.kind == EventKind::copy;
        node.ms = double(sum.total) / 1e6;
        node.min_ms = double(sum.low) / 1e6;
        node.max_ms = double(sum.high) / 1e6;
        node.share = double(sum.total) / whole;
        node.calls = sum.calls;
        node.fallback_calls = sum.fallbacks;
        if (sum.fallback) node.fallback = *sum.fallback;
        nodes.push_back(node);
        if (sum.outermostCalls == 0) continue;
        outermost.push_back(std::move(node));
        const auto [at, added] = operators.try_emplace(op, totals.operators.size());
        if (added) totals.operators.push_back({op});
        OperatorTotal& total = totals.operators[at->second];
        total.count += sum.outermostCalls;
        total.self_ms += double(sum.outermost) / 1e6;
        total.share += double(sum.outermost) / whole;
        totals.kernel_ms += double(sum.outermost) / 1e6;
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const NodeTotal& a, const NodeTotal& b) { return a.ms > b.ms; });
    std::stable_sort(
        totals.operators.begin(), totals.operators.end(),
        [](const OperatorTotal& a, const OperatorTotal& b) { return a.self_ms > b.self_ms; });
    add_overhead(digest, begin, end, totals.operators);
    totals.nodes = rows_of(digest, nodes);
    totals.scopes = makeScopeTree(outermost);
    totals.busy = busyShares(digest.timeline, begin, end);
    return totals;
}

RunDigestPtr digestRun(app::RunRecordPtr run, const Progress& progress, const ModelPtr& opened) {
    auto digest = std::make_shared<RunDigest>();
    digest->run = std::move(run);
    digest->isStranger = opened && !digest->run->isOfModel();
    const Profile& profile = *digest->run->profile;
    if (opened && digest->run->model && digest->run->model != opened) {
        progress.step("original sizes");
        digest->original =
            std::make_shared<const Model>(sized_for(*opened, digest->run->inputs, progress));
    }
    progress.step("timeline");
    digest->timeline = makeTimeline(profile);
    progress.step("totals");
    digest->groups = group_kernels(profile);
    digest->pair = pairRuns(profile, digest->groups);
    for (const Span& kernel : profile.kernels)
        digest->longestKernelNs = std::max(digest->longestKernelNs, kernel.duration_ns());
    compare_with_peak(*digest, progress);
    digest->counters = countersOf(*digest);
    if (!digest->run->placement.uses_cpu_alone())
        for (const NodePlacement& placed : digest->run->placement.nodes)
            if (!placed.reasons.empty())
                digest->placedBecause.emplace(placed.node, placementText(placed.reasons));
    const ProfileSummary& summary = digest->run->summary;
    digest->whole.operators = summary.operators;
    digest->whole.nodes = rows_of(*digest, summary.nodes);
    digest->whole.kernel_ms = summary.kernel_ms;
    for (const OperatorTotal& total : summary.operators) digest->whole.kernels += total.count;
    digest->overhead = overhead_spans(profile);
    const SessionOverhead overhead = session_overhead(profile);
    if (!profile.run_spans.empty())
        digest->whole.operators.push_back(
            {std::string(overhead_name), 0, overhead.run_ms, overhead.share});
    digest->whole.scopes = makeScopeTree(outermost_of(*digest));
    digest->whole.busy = busy_in_run(*digest);
    digest->phases = phase_rows(profile, overhead);
    if (opened && digest->run->model) digest->sizes = app::sizesOf(*opened, digest->run->inputs);
    for (const Span& wall : profile.run_spans) {
        const double ms = double(wall.duration_ns()) / 1e6;
        digest->min_wall_ms =
            &wall == &profile.run_spans.front() ? ms : std::min(digest->min_wall_ms, ms);
        digest->max_wall_ms = std::max(digest->max_wall_ms, ms);
    }
    if (!profile.run_spans.empty()) digest->median = estimate_run_time(profile);
    for (const auto& [name, value] : digest->run->outputs) {
        progress.step("outputs");
        OutputRow row = describeOutput(name, value);
        for (const app::CheckedOutput& checked : digest->run->check.verdicts) {
            if (checked.name != name) continue;
            row.checked = true;
            row.matches = checked.comparison.matches;
            row.maxAbs = checked.comparison.max_abs;
            row.checkReason = checked.comparison.reason;
        }
        digest->outputs.push_back(std::move(row));
    }
    return digest;
}

}  // namespace lapidary::views
