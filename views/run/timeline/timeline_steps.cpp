// SPDX-License-Identifier: GPL-3.0-or-later
// From kernel to kernel of the timeline: to the same node in other runs, and to what was searched.
#include <algorithm>

#include "run/timeline/timeline_matches.h"
#include "run/timeline/timeline_view.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

std::optional<TimelineView::Place> TimelineView::placeOfKernel(std::size_t kernel) const {
    const Span& record = profile().kernels[kernel];
    for (std::size_t t = 0; t < timeline()->tracks.size(); ++t) {
        const TimelineTrack& track = timeline()->tracks[t];
        if (track.thread != record.thread) continue;
        for (std::size_t l = 0; l < track.lanes.size(); ++l) {
            const TimelineLane& lane = track.lanes[l];
            auto at = std::ranges::lower_bound(lane, record.begin_ns, {}, &TimelineSpan::begin);
            for (; at != lane.end() && at->begin == record.begin_ns; ++at)
                if (at->kind == TimelineKind::kernel && at->index == kernel)
                    return Place{t, l, std::size_t(at - lane.begin())};
        }
    }
    return std::nullopt;
}

bool TimelineView::showKernel(std::size_t kernel) {
    if (!timeline() || kernel >= profile().kernels.size()) return false;
    const std::optional<Place> place = placeOfKernel(kernel);
    if (place) makeCurrent(*place, true);
    return place.has_value();
}

void TimelineView::stepOccurrence(int by) {
    if (!current_ || spanOf(*current_).kind != TimelineKind::kernel) return;
    const std::vector<std::uint32_t>& groups = digest_->groups.of_kernel;
    const auto from = std::ptrdiff_t(spanOf(*current_).index);
    const std::uint32_t group = groups[std::size_t(from)];
    std::ptrdiff_t to = from + by;
    while (to >= 0 && to < std::ssize(groups) &&
           (groups[std::size_t(to)] != group || !placeOfKernel(std::size_t(to))))
        to += by;
    if (to >= 0 && to < std::ssize(groups)) showKernel(std::size_t(to));
    const auto begin = groups.begin();
    const auto now = begin + std::ptrdiff_t(spanOf(*current_).index) + 1;
    emit hovered(tr("%1: occurrence %2 of %3")
                     .arg(labelText(profile().name(recordOf(spanOf(*current_)))),
                          formatCount(std::count(begin, now, group)),
                          formatCount(std::count(begin, groups.end(), group))));
}

void TimelineView::setMatches(TimelineMatchesPtr matches) {
    matches_ = std::move(matches);
    viewport()->update();
}

void TimelineView::stepMatch(int by) {
    if (!timeline() || !matches_ || matches_->kernels.empty()) return;
    const std::vector<std::uint32_t>& found = matches_->kernels;
    // From the current kernel, else from the left end of what is seen.
    const bool isAtKernel = current_ && spanOf(*current_).kind == TimelineKind::kernel;
    std::ptrdiff_t at = 0;
    if (isAtKernel) {
        const std::uint32_t kernel = spanOf(*current_).index;
        const auto next = by > 0 ? std::ranges::upper_bound(found, kernel)
                                 : std::ranges::lower_bound(found, kernel);
        at = next - found.begin() - (by < 0);
    } else {
        const auto beginOf = [this](std::uint32_t kernel) {
            return double(profile().kernels[kernel].begin_ns);
        };
        const auto next = std::ranges::lower_bound(found, viewBegin_, {}, beginOf);
        at = next - found.begin() - (by < 0);
    }
    // Behind the last comes the first. Kernels that are nested too deep to be shown are left out.
    const std::ptrdiff_t count = std::ssize(found);
    for (std::ptrdiff_t tried = 0; tried < count; ++tried, at += by) {
        at = (at + count) % count;
        if (!showKernel(found[std::size_t(at)])) continue;
        emit matchShown(at);
        return;
    }
}

}  // namespace lapidary::views
