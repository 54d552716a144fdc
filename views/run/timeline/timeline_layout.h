// SPDX-License-Identifier: GPL-3.0-or-later
// Timeline arithmetic without a window: which lane a span lies in, and which pixels a lane changes.
#pragma once

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/profile/profile.h>

#include "run/timeline/timeline_lane.h"

namespace lapidary::views {

/// One thread, or what a thread had a device do: lane 0 holds the outermost spans, lane n what is
/// nested n deep.
struct TimelineTrack {
    int thread = 0;
    std::string provider;  // of the device; empty: the thread itself
    std::vector<TimelineLane> lanes;
    std::size_t lanesBefore = 0;  // lanes of the tracks above
};

struct Timeline {
    std::int64_t begin = 0, end = 0;    // ns, of all spans
    std::vector<TimelineTrack> tracks;  // by thread number, those of devices behind them
    std::uint64_t hidden = 0;           // spans nested deeper than most_timeline_lanes
};

inline constexpr std::size_t most_timeline_lanes = 24;  // per thread

Timeline makeTimeline(const Profile& profile);

/// Sorts and nests the spans of one thread. `hidden` counts what is nested too deep to show.
std::vector<TimelineLane> nestSpans(std::vector<TimelineSpan> spans, std::uint64_t& hidden);

/// What to paint of a lane: `width` pixels from `x`; `merged`: several spans share the pixel and
/// `span` is the longest of them.
struct PixelBar {
    int x = 0, width = 0;
    std::size_t span = 0;  // index into the lane
    bool merged = false;
    float density = 1;  // merged: how much of the pixel's time the spans cover, 0..1
};

/// At most two bars begin in a pixel column, however many spans there are. Pixel 0 is at `begin`; x
/// and width are cut to [0, width).
std::vector<PixelBar> foldLane(const TimelineLane& lane, double begin, double nsPerPixel,
                               int width);

/// The span of the lane at that time, or the nearest one within `slack`; -1: none.
std::ptrdiff_t spanAt(const TimelineLane& lane, double time, double slack);

/// The threads' time in kernels and ranges, 0..1 of [begin, end), parallel to the tracks.
std::vector<double> busyShares(const Timeline& timeline, std::int64_t begin, std::int64_t end);

/// Distance between ruler marks: 1, 2 or 5 times a power of ten ns, at least `minimum` ns.
std::int64_t rulerStep(double minimum);
/// A ruler label whose digits suit the step, in the language of the window: "1.25 ms", "1,25 ms".
QString rulerLabel(std::int64_t time, std::int64_t step);

}  // namespace lapidary::views
