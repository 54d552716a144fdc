// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/near_miss_groups.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "advice/near_miss_nodes.h"

namespace lapidary {
namespace {

/// A reason without names, as in "its result is the graph output "y"": equal for other places where
/// the same condition failed.
std::string without_names(const std::string& reason) {
    std::string text;
    bool is_quoted = false;
    for (const char c : reason) {
        if (c == '"') {
            text += is_quoted ? "…\"" : "\"";
            is_quoted = !is_quoted;
        } else if (!is_quoted) {
            text += c;
        }
    }
    return text;
}

constexpr std::size_t names_reported = 2;  // places whose names are listed one by one

/// The group of each near miss: its reason, without names if the places only differ in names.
std::vector<std::string> listed_reasons(const std::vector<NearMiss>& misses) {
    // by pass and condition
    std::map<std::pair<std::string, std::string>, std::set<std::string_view>> reasons;
    for (const NearMiss& miss : misses)
        reasons[{miss.pass, without_names(miss.reason)}].insert(miss.reason);
    std::vector<std::string> listed;
    for (const NearMiss& miss : misses) {
        std::string condition = without_names(miss.reason);
        const bool are_many = reasons.at({miss.pass, condition}).size() > names_reported;
        listed.push_back(are_many ? std::move(condition) : miss.reason);
    }
    return listed;
}

}  // namespace

std::vector<NodeId> nodes_of(const NearMissGroup& group, const PipelineReport& report) {
    std::vector<NodeId> nodes;
    for (const std::size_t i : group.misses)
        if (const NearMiss& miss = report.near_misses[i]; miss.place.is_main()) {
            nodes.insert(nodes.end(), miss.nodes.begin(), miss.nodes.end());
            if (miss.nodes.empty()) nodes.push_back(miss.node);
        }
    return nodes;
}

std::vector<NearMissGroup> group_near_misses(const PipelineReport& report,
                                             const TimeShares& shares) {
    std::map<std::tuple<std::string, std::string, int>, std::size_t> places;
    std::vector<NearMissGroup> groups;
    const std::vector<std::string> reasons = listed_reasons(report.near_misses);
    for (std::size_t i = 0; i < report.near_misses.size(); ++i) {
        const NearMiss& miss = report.near_misses[i];
        const auto [at, is_new] =
            places.try_emplace({miss.pass, reasons[i], miss.shortfall}, groups.size());
        if (is_new) groups.push_back({miss.pass, reasons[i], miss.shortfall, {}, std::nullopt});
        groups[at->second].misses.push_back(i);
    }
    for (NearMissGroup& group : groups) group.share = shares.of(nodes_of(group, report));
    std::ranges::stable_sort(groups, [](const NearMissGroup& a, const NearMissGroup& b) {
        const double dear_a = a.share.value_or(-1), dear_b = b.share.value_or(-1);
        if (dear_a != dear_b) return dear_a > dear_b;
        return std::pair(a.shortfall, b.misses.size()) < std::pair(b.shortfall, a.misses.size());
    });
    return groups;
}

std::string title_of(const NearMissGroup& group, const TimeShares& shares) {
    std::string text = group.pass;
    if (group.misses.size() > 1) text += fmt::format(" x {}", group.misses.size());
    if (group.share)
        text += fmt::format(", {} of the time{}", percent_text(*group.share),
                            shares.is_measured ? "" : " (estimated)");
    return text;
}

}  // namespace lapidary
