// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/profile.h>

#include <algorithm>
#include <map>
#include <string_view>

#include <lapidary/base/quantity_text.h>
#include <lapidary/profile/session_overhead.h>
#include <lapidary/profile/slowest_node.h>

#include "profile/milliseconds.h"

namespace lapidary {
namespace {

constexpr std::uint32_t most_nodes_by_index = 1u << 24;  // ids of a trace may be anything

double share_of(double ms, double wall_ms) { return wall_ms > 0 ? ms / wall_ms : 0; }

/// `overhead`: share of the run in which no kernel ran. It comes first where no operator has more.
std::string verdict_of(const ProfileSummary& s, double overhead) {
    if (s.operators.empty()) return "No kernel ran.";
    const OperatorTotal& top = s.operators.front();
    const std::string wall = time_text(s.wall_ms);
    std::string text = percent_text(top.share);
    if (overhead > top.share)
        text = percent_text(overhead) + " of " + wall + " is " + std::string(overhead_name) +
               ", when no kernel runs; " + text;
    else text += " of " + wall;
    text += " goes to " + count_text(top.count, top.op + " node");
    if (s.operators.size() > 1 && s.operators[1].share >= least_percent)
        text += ", " + percent_text(s.operators[1].share) + " to " + s.operators[1].op;
    if (const NodeTotal* const slowest = slowest_of(s.nodes)) {
        text += "; the slowest node is " + slowest->name + " (" + percent_text(slowest->share);
        if (was_held_up(*slowest, s.wall_ms))
            text += "; it was held up, another run took " + time_text(slowest->min_ms);
        text += ")";
        if (was_held_up(*slowest, s.wall_ms))
            text = "Not sure, as a node was held up (profile again, with more runs): " + text;
    }
    return text + ".";
}

/// Nothing where only the CPU had work.
std::vector<ProviderTotal> provider_totals(const Profile& profile, const KernelGroups& groups,
                                           const TypicalRun& typical) {
    const auto is_cpu = [&](const Span& span) { return profile.provider(span) == "CPU"; };
    if (std::ranges::all_of(profile.kernels, is_cpu)) return {};
    std::map<std::string_view, ProviderTotal> totals;
    for (std::uint32_t first : groups.first)
        if (const Span& span = profile.kernels[first]; span.kind != EventKind::copy)
            ++totals[profile.provider(span)].nodes;
    for (const Span& span : profile.kernels) {
        if (span.depth > 0 || !typical.holds(span)) continue;
        ProviderTotal& total = totals[profile.provider(span)];
        const bool is_copy = span.kind == EventKind::copy;
        (is_copy ? total.copy_ms : total.node_ms) += milliseconds(span.duration_ns());
        total.copies += is_copy ? 1 : 0;
        total.copied_bytes += is_copy ? static_cast<double>(span.bytes) : 0;
    }
    std::vector<ProviderTotal> list;
    for (auto& [provider, total] : totals) {
        total.provider = provider;
        total.share = share_of(total.node_ms, milliseconds(typical.wall_ns));
        list.push_back(std::move(total));
    }
    std::ranges::stable_sort(list, std::greater{}, &ProviderTotal::node_ms);
    return list;
}

/// Of the calls of a node in nanoseconds.
struct CallSums {
    std::int64_t typical = 0, outermost = 0, outermost_calls = 0;  // in the typical run
    std::int64_t least = 0, most = 0, calls = 0, fallbacks = 0;    // over all runs
    const std::string* fallback = nullptr;

    void add(const Profile& profile, const Span& span, bool is_typical) {
        const std::int64_t ns = span.duration_ns();
        least = calls == 0 ? ns : std::min(least, ns);
        most = calls == 0 ? ns : std::max(most, ns);
        ++calls;
        const std::string& reason = profile.fallback(span);
        if (!reason.empty() && ++fallbacks == 1) fallback = &reason;
        if (!is_typical) return;
        typical += ns;
        // the time of a control-flow kernel counts its subgraphs' kernels
        if (span.depth > 0) return;
        outermost += ns;
        ++outermost_calls;
    }
};

NodeTotal node_total(const Profile& profile, const Span& first, const CallSums& sums,
                     double wall_ms) {
    NodeTotal n;
    n.node = first.node;
    n.name = profile.name(first);
    n.op = profile.op(first);
    n.kernel = profile.kernel(first);
    n.shapes = profile.shapes(first);
    n.provider = profile.provider(first);
    n.is_copy = first.kind == EventKind::copy;
    n.ms = milliseconds(sums.typical);
    n.min_ms = milliseconds(sums.least);
    n.max_ms = milliseconds(sums.most);
    n.calls = sums.calls;
    n.fallback_calls = sums.fallbacks;
    if (sums.fallback != nullptr) n.fallback = *sums.fallback;
    n.share = share_of(n.ms, wall_ms);
    return n;
}

}  // namespace

TypicalRun typical_run(const Profile& profile) {
    TypicalRun typical;
    if (profile.run_spans.empty()) return typical;
    std::vector<std::int64_t> lengths;
    for (const Span& run : profile.run_spans) lengths.push_back(run.duration_ns());
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
    std::ranges::nth_element(lengths, middle);
    typical.wall_ns = *middle;
    const auto first = std::ranges::find(profile.run_spans, typical.wall_ns, &Span::duration_ns);
    typical.index = static_cast<std::size_t>(first - profile.run_spans.begin());
    typical.number = first->run;
    return typical;
}

KernelGroups group_kernels(const Profile& profile) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    KernelGroups groups;
    groups.of_kernel.reserve(profile.kernels.size());
    std::vector<std::uint32_t> by_node;
    std::vector<std::uint32_t> by_name(profile.labels.words().size(), none);
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
        const Span& span = profile.kernels[i];
        const auto fresh = static_cast<std::uint32_t>(groups.first.size());
        std::uint32_t group = fresh;
        if (span.node && span.node.index < most_nodes_by_index) {
            if (span.node.index >= by_node.size())
                by_node.resize(span.node.index + std::size_t{1}, none);
            std::uint32_t& known = by_node[span.node.index];
            group = known == none ? known = fresh : known;
        } else {
            std::uint32_t& known = by_name[profile.labels.label(span.label).name];
            group = known == none ? known = fresh : known;
        }
        if (group == fresh) groups.first.push_back(static_cast<std::uint32_t>(i));
        groups.of_kernel.push_back(group);
    }
    return groups;
}

std::string fallback_text(const NodeTotal& node) {
    if (node.fallback_calls == 0) return {};
    std::string text = "ran on the reference kernel: " + node.fallback;
    if (node.fallback_calls < node.calls)
        text += " (" + std::to_string(node.fallback_calls) + " of " + std::to_string(node.calls) +
                " calls)";
    return text;
}

ProfileSummary summarize(const Profile& profile) {
    ProfileSummary s;
    const TypicalRun typical = typical_run(profile);
    s.wall_ms = milliseconds(typical.wall_ns);
    const KernelGroups groups = group_kernels(profile);
    std::vector<CallSums> sums(groups.first.size());
    for (std::size_t i = 0; i < profile.kernels.size(); ++i)
        sums[groups.of_kernel[i]].add(profile, profile.kernels[i],
                                      typical.holds(profile.kernels[i]));
    std::map<std::string_view, OperatorTotal> operators;
    for (std::size_t g = 0; g < sums.size(); ++g) {
        const Span& span = profile.kernels[groups.first[g]];
        const CallSums& sum = sums[g];
        s.nodes.push_back(node_total(profile, span, sum, s.wall_ms));
        s.kernel_ms += milliseconds(sum.outermost);
        if (sum.outermost_calls == 0) continue;
        OperatorTotal& o = operators[profile.op(span)];
        o.op = profile.op(span);
        o.self_ms += milliseconds(sum.outermost);
        o.count += sum.outermost_calls;
    }
    for (auto& [op, total] : operators) {
        total.share = share_of(total.self_ms, s.wall_ms);
        s.operators.push_back(std::move(total));
    }
    std::ranges::stable_sort(s.operators, std::greater{}, &OperatorTotal::self_ms);
    std::ranges::stable_sort(s.nodes, std::greater{}, &NodeTotal::ms);
    s.providers = provider_totals(profile, groups, typical);
    s.verdict = verdict_of(s, session_overhead(profile).share);
    return s;
}

}  // namespace lapidary
