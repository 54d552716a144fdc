// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that stay in sight above the others while the timeline scrolls.
#include <QScrollBar>

#include <algorithm>

#include "run/timeline/timeline_view.h"

namespace lapidary::views {
namespace {

constexpr double most_pinned_part = 0.6;  // of the height; the rest scrolls

}  // namespace

int TimelineView::pinnedHeight() const {
    if (pinned_.empty()) return 0;
    int height = first_top;
    for (const std::size_t track : pinned_) height += trackHeight(track);
    return height;
}

std::optional<std::pair<std::size_t, std::size_t>> TimelineView::rowAt(int y) const {
    if (!timeline() || y < rulerHeight()) return std::nullopt;
    const auto laneAt = [this](std::size_t track, int within) {
        using Row = std::optional<std::pair<std::size_t, std::size_t>>;
        const bool isInside = within >= 0 && within < trackHeight(track) - track_gap;
        return isInside ? Row(std::pair(track, std::size_t(within / laneHeight()))) : Row();
    };
    if (y < plotTop()) {
        int top = rulerHeight() + first_top;
        for (const std::size_t track : pinned_) {
            if (y < top + trackHeight(track)) return laneAt(track, y - top);
            top += trackHeight(track);
        }
        return std::nullopt;
    }
    const int within = y - plotTop() + verticalScrollBar()->value();
    const std::size_t track = firstTrackBelow(within);
    if (track >= timeline()->tracks.size()) return std::nullopt;
    return laneAt(track, within - topOf(track));
}

void TimelineView::togglePin(std::size_t track) {
    if (!timeline() || track >= timeline()->tracks.size()) return;
    const int room = viewport()->height() - rulerHeight();
    if (const auto at = std::ranges::find(pinned_, track); at != pinned_.end()) {
        pinned_.erase(at);
    } else if (pinnedHeight() + trackHeight(track) > int(room * most_pinned_part)) {
        emit hovered(tr("There is no room to pin another thread."));
        return;
    } else {
        pinned_.push_back(track);
    }
    hover_.reset();
    updateScrollBars();
    viewport()->update();
}

std::vector<TimelineView::TrackKey> TimelineView::pinnedKeys() const {
    std::vector<TrackKey> keys;
    for (const std::size_t track : pinned_)
        keys.emplace_back(timeline()->tracks[track].provider, timeline()->tracks[track].thread);
    return keys;
}

void TimelineView::pinAgain(const std::vector<TrackKey>& keys) {
    pinned_.clear();
    if (!timeline()) return;
    const std::vector<TimelineTrack>& tracks = timeline()->tracks;
    for (const TrackKey& key : keys) {
        const auto same = std::ranges::find_if(tracks, [&](const TimelineTrack& track) {
            return track.provider == key.first && track.thread == key.second;
        });
        if (same != tracks.end()) pinned_.push_back(std::size_t(same - tracks.begin()));
    }
}

}  // namespace lapidary::views
