// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <unordered_map>

#include "profile/milliseconds.h"

namespace lapidary {
namespace {

constexpr std::uint32_t most_nodes_by_index = 1u << 24;  // ids of a trace may be anything

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", share * 100);
    return text;
}

/// Three digits, in the unit that suits them.
std::string duration(double ms) {
    const bool tiny = ms < 0.9995, large = ms >= 999.5;
    const double value = tiny ? ms * 1e3 : large ? ms / 1e3 : ms;
    char text[32];
    std::snprintf(text, sizeof text,
                  value >= 99.95   ? "%.0f %s"
                  : value >= 9.995 ? "%.1f %s"
                                   : "%.2f %s",
                  value,
                  tiny    ? "µs"
                  : large ? "s"
                          : "ms");
    return text;
}

double median_run_ms(const Profile& profile) {
    std::vector<double> ms;
    for (const Span& run : profile.run_spans) ms.push_back(milliseconds(run.duration_ns()));
    if (ms.empty()) return 0;
    std::ranges::sort(ms);
    return (ms[(ms.size() - 1) / 2] + ms[ms.size() / 2]) / 2;
}

std::string verdict_of(const ProfileSummary& s) {
    if (s.operators.empty()) return "No kernel ran.";
    const OperatorTotal& top = s.operators.front();
    std::string text = percent(top.share) + " of " + duration(s.median_ms) + " goes to " + std::to_string(top.count) +
                       " " + top.op + (top.count == 1 ? " node" : " nodes");
    if (s.operators.size() > 1) text += ", " + percent(s.operators[1].share) + " to " + s.operators[1].op;
    if (!s.nodes.empty())
        text += "; the slowest node is " + s.nodes.front().name + " (" + percent(s.nodes.front().share) + ")";
    return text + ".";
}

/// Nothing where only the CPU had work.
std::vector<ProviderTotal> provider_totals(const Profile& profile, const KernelGroups& groups, double wall_ms) {
    const auto is_cpu = [](const Span& span) { return span.provider == "CPU"; };
    if (std::ranges::all_of(profile.kernels, is_cpu)) return {};
    const double runs = std::max<std::size_t>(profile.run_spans.size(), 1);
    std::map<std::string_view, ProviderTotal> totals;
    for (std::uint32_t first : groups.first)
        if (const Span& span = profile.kernels[first]; span.kind != EventKind::copy) ++totals[span.provider].nodes;
    for (const Span& span : profile.kernels) {
        if (span.depth > 0) continue;
        ProviderTotal& total = totals[span.provider];
        const bool is_copy = span.kind == EventKind::copy;
        (is_copy ? total.copy_ms : total.node_ms) += milliseconds(span.duration_ns()) / runs;
        total.copies += is_copy ? 1 : 0;
        total.copied_bytes += is_copy ? static_cast<double>(span.bytes) / runs : 0;
    }
    std::vector<ProviderTotal> list;
    for (auto& [provider, total] : totals) {
        total.provider = provider;
        total.copies = static_cast<std::int64_t>(static_cast<double>(total.copies) / runs + 0.5);
        total.share = wall_ms > 0 ? total.node_ms / wall_ms : 0;
        list.push_back(std::move(total));
    }
    std::ranges::stable_sort(list, std::greater{}, &ProviderTotal::node_ms);
    return list;
}

}  // namespace

KernelGroups group_kernels(const Profile& profile) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    KernelGroups groups;
    groups.of_kernel.reserve(profile.kernels.size());
    std::vector<std::uint32_t> by_node;
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
        const Span& span = profile.kernels[i];
        const auto fresh = static_cast<std::uint32_t>(groups.first.size());
        std::uint32_t group = fresh;
        if (span.node && span.node.index < most_nodes_by_index) {
            if (span.node.index >= by_node.size()) by_node.resize(span.node.index + std::size_t{1}, none);
            std::uint32_t& known = by_node[span.node.index];
            group = known == none ? known = fresh : known;
        } else {
            group = by_name.try_emplace(span.name, fresh).first->second;
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
        text += " (" + std::to_string(node.fallback_calls) + " of " + std::to_string(node.calls) + " calls)";
    return text;
}

ProfileSummary summarize(const Profile& profile) {
    ProfileSummary s;
    const double runs = std::max<std::size_t>(profile.run_spans.size(), 1);
    for (const Span& r : profile.run_spans) s.wall_ms += milliseconds(r.duration_ns()) / runs;
    s.median_ms = median_run_ms(profile);

    const KernelGroups groups = group_kernels(profile);
    struct Sum {
        std::int64_t total = 0, outermost = 0, outermost_calls = 0, least = 0, most = 0, calls = 0, fallbacks = 0;
        const std::string* fallback = nullptr;
    };
    std::vector<Sum> sums(groups.first.size());
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
        const std::int64_t ns = profile.kernels[i].duration_ns();
        Sum& sum = sums[groups.of_kernel[i]];
        sum.least = sum.calls == 0 ? ns : std::min(sum.least, ns);
        sum.most = sum.calls == 0 ? ns : std::max(sum.most, ns);
        sum.total += ns;
        ++sum.calls;
        if (const std::string& why = profile.kernels[i].fallback; !why.empty() && ++sum.fallbacks == 1)
            sum.fallback = &why;
        if (profile.kernels[i].depth > 0) continue;  // time of a control-flow kernel counts its subgraphs' kernels
        sum.outermost += ns;
        ++sum.outermost_calls;
    }
    std::map<std::string_view, OperatorTotal> operators;
    for (std::size_t g = 0; g < sums.size(); ++g) {
        const Span& span = profile.kernels[groups.first[g]];
        const Sum& sum = sums[g];
        NodeTotal n;
        n.node = span.node;
        n.name = span.name;
        n.op = span.op;
        n.kernel = span.kernel;
        n.shapes = span.shapes;
        n.provider = span.provider;
        n.is_copy = span.kind == EventKind::copy;
        n.mean_ms = milliseconds(sum.total) / runs;
        n.min_ms = milliseconds(sum.least);
        n.max_ms = milliseconds(sum.most);
        n.calls = sum.calls;
        n.fallback_calls = sum.fallbacks;
        if (sum.fallback != nullptr) n.fallback = *sum.fallback;
        n.share = s.wall_ms > 0 ? n.mean_ms / s.wall_ms : 0;
        s.nodes.push_back(std::move(n));
        s.kernel_ms += milliseconds(sum.outermost) / runs;
        if (sum.outermost_calls == 0) continue;
        OperatorTotal& o = operators[span.op];
        o.op = span.op;
        o.self_ms += milliseconds(sum.outermost) / runs;
        o.count += sum.outermost_calls;
    }
    for (auto& [op, total] : operators) {
        total.count = static_cast<std::int64_t>(static_cast<double>(total.count) / runs + 0.5);
        total.share = s.wall_ms > 0 ? total.self_ms / s.wall_ms : 0;
        s.operators.push_back(std::move(total));
    }
    std::ranges::stable_sort(s.operators, std::greater{}, &OperatorTotal::self_ms);
    std::ranges::stable_sort(s.nodes, std::greater{}, &NodeTotal::mean_ms);
    s.providers = provider_totals(profile, groups, s.wall_ms);
    s.verdict = verdict_of(s);
    return s;
}

}  // namespace lapidary
