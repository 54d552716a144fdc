// SPDX-License-Identifier: Apache-2.0
#include "cli/optimize/explanation.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t shown_remarks = 12, shown_misses = 40, shown_places = 4;

/// Each remark once with its count, in the order of first occurrence.
std::vector<std::pair<std::string, std::size_t>> counted_remarks(const PipelineReport& report,
                                                                 const std::string& pass) {
    std::vector<std::pair<std::string, std::size_t>> remarks;
    for (const AppliedRewrite& applied : report.rewrites) {
        if (applied.rewrite.pass != pass) continue;
        const std::string text =
            applied.rewrite.remark +
            (applied.place.is_main() ? "" : " (in " + applied.place.text() + ")");
        const auto known =
            std::ranges::find(remarks, text, &std::pair<std::string, std::size_t>::first);
        if (known == remarks.end()) remarks.emplace_back(text, 1);
        else ++known->second;
    }
    return remarks;
}

void print_rewrites(std::ostream& out, const PipelineReport& report) {
    out << "rewrites\n";
    for (const PassRun& run : report.passes) {
        if (run.applied == 0) continue;
        out << fmt::format("  {} ({}): {}, {:+} {}\n", plain(run.pass), name_of(run.level),
                           count_text(static_cast<std::int64_t>(run.applied), "time"),
                           run.node_change, std::abs(run.node_change) == 1 ? "node" : "nodes");
        const auto remarks = counted_remarks(report, run.pass);
        for (std::size_t i = 0; i < std::min(remarks.size(), shown_remarks); ++i)
            out << "    "
                << (remarks[i].second > 1 ? fmt::format("{} x ", remarks[i].second) : std::string())
                << plain(remarks[i].first) << '\n';
        if (remarks.size() > shown_remarks)
            out << "    ... " << remarks.size() - shown_remarks << " more, all with --report\n";
    }
    if (report.rewrites.empty()) out << "  none\n";
}

void print_misses(std::ostream& out, const PipelineReport& report, const TimeShares& shares) {
    const std::vector<NearMissGroup> groups = group_near_misses(report, shares);
    out << (shares.by_node.empty() ? "near misses, the nearest first\n"
            : shares.is_measured
                ? "near misses, the dearest first\n"
                : "near misses, the dearest first (times estimated from arithmetic and bytes)\n");
    for (std::size_t i = 0; i < std::min(groups.size(), shown_misses); ++i) {
        const NearMissGroup& group = groups[i];
        out << fmt::format("  {} did not apply: {}\n", plain(title_of(group, shares)),
                           plain(group.reason));
        out << fmt::format("    short of {}, at ",
                           group.shortfall == 1
                               ? "one condition"
                               : fmt::format("{} conditions or operators", group.shortfall));
        for (std::size_t k = 0; k < std::min(group.misses.size(), shown_places); ++k) {
            const NearMiss& miss = report.near_misses[group.misses[k]];
            out << (k ? ", " : "") << plain(miss.node_text + in_graph(miss.place));
        }
        if (group.misses.size() > shown_places)
            out << " and " << group.misses.size() - shown_places << " more";
        out << '\n';
    }
    if (groups.size() > shown_misses)
        out << "  ... " << groups.size() - shown_misses << " more, all with --report\n";
    if (groups.empty()) out << "  none\n";
}

void print_skipped(std::ostream& out, const PipelineReport& report) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const PassRun& run : report.passes)
        if (!run.skipped.empty()) by_reason[run.skipped].push_back(run.pass);
    if (by_reason.empty()) return;
    out << "passes that did not run\n";
    for (const auto& [reason, passes] : by_reason) {
        out << "  " << plain(reason) << ": ";
        if (passes.size() > 6) {
            out << passes.size() << " passes\n";
            continue;
        }
        for (std::size_t i = 0; i < passes.size(); ++i) out << (i ? ", " : "") << plain(passes[i]);
        out << '\n';
    }
}

}  // namespace

void print_explanation(std::ostream& out, const PipelineReport& report, const TimeShares& shares) {
    print_rewrites(out, report);
    print_misses(out, report, shares);
    print_skipped(out, report);
    if (!report.fixed_point) out << "stopped before nothing was left to do\n";
}

}  // namespace lapidary::cli
