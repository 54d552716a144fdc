// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace lapidary::views {
namespace {

constexpr std::size_t spans_looked_at_per_pixel = 16;

bool ends_before(const TimelineSpan& span, double time) { return double(span.end) <= time; }
bool begins_before(const TimelineSpan& span, double time) { return double(span.begin) < time; }

}  // namespace

std::vector<TimelineLane> nestSpans(std::vector<TimelineSpan> spans, std::uint64_t& hidden) {
    // Outer before inner: earlier begin, then later end; kinds nest phase > run > kernel > range.
    std::sort(spans.begin(), spans.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        if (a.end != b.end) return a.end > b.end;
        if (a.kind != b.kind) return a.kind < b.kind;
        return a.index < b.index;
    });
    std::vector<TimelineLane> lanes;
    std::vector<std::int64_t> open;  // ends of the spans around the current one; its depth is their number
    for (const TimelineSpan& span : spans) {
        while (!open.empty() && open.back() <= span.begin) open.pop_back();
        const std::size_t depth = open.size();
        if (depth >= most_timeline_lanes) {
            ++hidden;
            continue;
        }
        if (depth >= lanes.size()) lanes.emplace_back();
        lanes[depth].push_back(span);
        open.push_back(span.end);
    }
    return lanes;
}

Timeline makeTimeline(const Profile& profile) {
    std::map<int, std::vector<TimelineSpan>> threads;
    Timeline timeline;
    bool first = true;
    const auto collect = [&](const std::vector<Span>& spans, TimelineKind kind) {
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const Span& span = spans[i];
            const std::int64_t end = std::max(span.begin_ns, span.end_ns);
            timeline.begin = first ? span.begin_ns : std::min(timeline.begin, span.begin_ns);
            timeline.end = first ? end : std::max(timeline.end, end);
            first = false;
            threads[span.thread].push_back({span.begin_ns, end, std::uint32_t(i), kind});
        }
    };
    collect(profile.phases, TimelineKind::phase);
    collect(profile.run_spans, TimelineKind::run);
    collect(profile.kernels, TimelineKind::kernel);
    collect(profile.ranges, TimelineKind::range);
    for (auto& [thread, spans] : threads)
        timeline.tracks.push_back({thread, nestSpans(std::move(spans), timeline.hidden)});
    return timeline;
}

std::vector<PixelBar> foldLane(const TimelineLane& lane, double begin, double nsPerPixel, int width) {
    std::vector<PixelBar> bars;
    const double end = begin + nsPerPixel * width;
    const auto pixel = [&](std::int64_t time) { return std::floor((double(time) - begin) / nsPerPixel); };
    auto at = std::lower_bound(lane.begin(), lane.end(), begin, ends_before);
    while (at != lane.end() && double(at->begin) < end) {
        const double left = pixel(at->begin), right = pixel(at->end);
        if (right - left >= 1) {
            const int x = int(std::max(left, 0.0));
            bars.push_back({x, int(std::min(right, double(width))) - x, std::size_t(at - lane.begin()), false});
            if (bars.back().width < 1) bars.back().width = 1;
            ++at;
            continue;
        }
        // Everything else that begins in this pixel shares it, but for a last span that reaches beyond.
        auto next = std::lower_bound(at, lane.end(), begin + (left + 1) * nsPerPixel, begins_before);
        if (next == at) ++next;
        if (next - at > 1 && pixel((next - 1)->end) - left >= 1) --next;
        auto longest = at;
        const auto stop = at + std::min<std::ptrdiff_t>(next - at, spans_looked_at_per_pixel);
        for (auto other = at; other != stop; ++other)
            if (other->end - other->begin > longest->end - longest->begin) longest = other;
        if (left >= 0) bars.push_back({int(left), 1, std::size_t(longest - lane.begin()), next - at > 1});
        at = next;
    }
    return bars;
}

std::ptrdiff_t spanAt(const TimelineLane& lane, double time, double slack) {
    const auto after = std::lower_bound(lane.begin(), lane.end(), time, ends_before);  // first that ends later
    std::ptrdiff_t nearest = -1;
    double distance = slack;
    if (after != lane.end()) {
        const double before = double(after->begin) - time;  // not positive: it covers the time
        if (before <= 0) return after - lane.begin();
        if (before <= distance) nearest = after - lane.begin(), distance = before;
    }
    if (after != lane.begin() && time - double((after - 1)->end) <= distance) nearest = after - 1 - lane.begin();
    return nearest;
}

std::int64_t rulerStep(double minimum) {
    std::int64_t power = 1;
    while (power < 1'000'000'000'000'000'000 / 10 && double(power) * 10 <= minimum) power *= 10;
    for (const std::int64_t factor : {1, 2, 5, 10})
        if (double(power * factor) >= minimum) return power * factor;
    return power * 10;
}

std::string rulerLabel(std::int64_t time, std::int64_t step) {
    struct Unit {
        std::int64_t ns;
        const char* name;
    };
    static constexpr Unit units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}};
    if (time == 0) return "0";
    const std::int64_t size = std::max(std::abs(time), step);
    const Unit* unit = units;
    while (unit->ns > size) ++unit;
    int digits = 0;
    for (std::int64_t fraction = unit->ns; fraction > step && digits < 9; fraction /= 10) ++digits;
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", digits, double(time) / double(unit->ns), unit->name);
    return text;
}

}  // namespace lapidary::views
