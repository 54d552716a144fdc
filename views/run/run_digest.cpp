// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_digest.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <lapidary/cost_rollback.h>

namespace lapidary::views {
namespace {

/// Fills groupOf and firstOfGroup.
void group_kernels(RunDigest& digest) {
    const std::vector<Span>& kernels = digest.run->profile->kernels;
    digest.groupOf.resize(kernels.size());
    std::unordered_map<std::string, std::uint32_t> groups;
    std::string key;
    for (std::uint32_t i = 0; i < kernels.size(); ++i) {
        const Span& span = kernels[i];
        key = span.node ? '#' + std::to_string(span.node.index) : span.name;
        const auto [group, added] = groups.try_emplace(key, std::uint32_t(digest.firstOfGroup.size()));
        if (added) digest.firstOfGroup.push_back(i);
        digest.groupOf[i] = group->second;
    }
}

}  // namespace

RunTotals totalsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end) {
    const std::vector<Span>& kernels = digest.run->profile->kernels;
    struct Sum {
        std::int64_t total = 0, outermost = 0, outermostCalls = 0, low = 0, high = 0, calls = 0;
    };
    std::vector<Sum> sums(digest.firstOfGroup.size());
    RunTotals totals;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].begin_ns >= end) break;  // kernels are in time order
        const std::int64_t inside = std::min(end, kernels[i].end_ns) - std::max(begin, kernels[i].begin_ns);
        if (inside <= 0) continue;
        Sum& sum = sums[digest.groupOf[i]];
        sum.low = sum.calls == 0 ? inside : std::min(sum.low, inside);
        sum.high = std::max(sum.high, inside);
        sum.total += inside;
        ++sum.calls;
        if (kernels[i].depth > 0) continue;  // its time is part of the control-flow kernel around it
        sum.outermost += inside;
        ++sum.outermostCalls;
    }
    const double whole = double(std::max<std::int64_t>(1, end - begin));
    std::unordered_map<std::string_view, std::size_t> operators;
    for (std::size_t g = 0; g < sums.size(); ++g) {
        const Sum& sum = sums[g];
        if (sum.calls == 0) continue;
        const Span& span = kernels[digest.firstOfGroup[g]];
        NodeTotal node{span.node, span.name, span.op, span.kernel, span.shapes};
        node.mean_ms = double(sum.total) / 1e6;
        node.min_ms = double(sum.low) / 1e6;
        node.max_ms = double(sum.high) / 1e6;
        node.share = double(sum.total) / whole;
        node.calls = sum.calls;
        totals.nodes.push_back(std::move(node));
        if (sum.outermostCalls == 0) continue;
        const auto [at, added] = operators.try_emplace(span.op, totals.operators.size());
        if (added) totals.operators.push_back({span.op});
        OperatorTotal& total = totals.operators[at->second];
        total.count += sum.outermostCalls;
        total.self_ms += double(sum.outermost) / 1e6;
        total.share += double(sum.outermost) / whole;
        totals.kernel_ms += double(sum.outermost) / 1e6;
    }
    std::stable_sort(totals.nodes.begin(), totals.nodes.end(),
                     [](const NodeTotal& a, const NodeTotal& b) { return a.mean_ms > b.mean_ms; });
    std::stable_sort(totals.operators.begin(), totals.operators.end(),
                     [](const OperatorTotal& a, const OperatorTotal& b) { return a.self_ms > b.self_ms; });
    return totals;
}

RunDigestPtr digestRun(app::RunRecordPtr run, const Progress& progress, const ModelPtr& opened) {
    auto digest = std::make_shared<RunDigest>();
    digest->run = std::move(run);
    const Profile& profile = *digest->run->profile;
    if (opened && digest->run->model && digest->run->model != opened) {
        progress.step("original sizes");
        digest->original = std::make_shared<const Model>(sized_for(*opened, digest->run->inputs, progress));
    }
    progress.step("timeline");
    digest->timeline = makeTimeline(profile);
    progress.step("totals");
    group_kernels(*digest);
    digest->whole = {digest->run->summary.operators, digest->run->summary.nodes, digest->run->summary.kernel_ms};
    for (const Span& phase : profile.phases) digest->phases.push_back({phase.name, phase.begin_ns, phase.duration_ns()});
    for (const Span& wall : profile.run_spans) {
        const double ms = double(wall.duration_ns()) / 1e6;
        digest->min_wall_ms = &wall == &profile.run_spans.front() ? ms : std::min(digest->min_wall_ms, ms);
        digest->max_wall_ms = std::max(digest->max_wall_ms, ms);
    }
    for (const auto& [name, value] : digest->run->outputs) {
        progress.step("outputs");
        digest->outputs.push_back(describeOutput(name, value));
    }
    return digest;
}

}  // namespace lapidary::views
