// SPDX-License-Identifier: Apache-2.0
#include <lapidary/near_miss_groups.h>

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <lapidary/quantity_text.h>

namespace lapidary {

std::vector<NearMissGroup> group_near_misses(const PipelineReport& report, const TimeShares& shares) {
    std::map<std::tuple<std::string, std::string, int>, std::size_t> places;
    std::vector<NearMissGroup> groups;
    for (std::size_t i = 0; i < report.near_misses.size(); ++i) {
        const NearMiss& miss = report.near_misses[i];
        const auto [at, is_new] = places.try_emplace({miss.pass, miss.reason, miss.shortfall}, groups.size());
        if (is_new) groups.push_back({miss.pass, miss.reason, miss.shortfall, {}, std::nullopt});
        groups[at->second].misses.push_back(i);
    }
    for (NearMissGroup& group : groups) {
        std::vector<NodeId> nodes;
        for (const std::size_t i : group.misses)
            if (const NearMiss& miss = report.near_misses[i]; miss.place.is_main()) {
                nodes.insert(nodes.end(), miss.nodes.begin(), miss.nodes.end());
                if (miss.nodes.empty()) nodes.push_back(miss.node);
            }
        group.share = shares.of(nodes);
    }
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
        text += fmt::format(", {} of the time{}", percent_text(*group.share), shares.is_measured ? "" : " (estimated)");
    return text;
}

}  // namespace lapidary
