// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_layout.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

bool ends_before(const TimelineSpan& span, double time) { return double(span.end) <= time; }
bool begins_before(const TimelineSpan& span, double time) { return double(span.begin) < time; }

/// The device that a span ran on; empty: the thread itself. What runs there, and copies to and from
/// it, overlap what the thread does next.
std::string_view deviceOf(const Profile& profile, const Span& span, TimelineKind kind) {
    if (kind != TimelineKind::kernel || span.depth != 0) return {};
    const std::string_view provider = profile.provider(span);
    return provider != "CPU" ? provider : std::string_view();
}

using TrackKey = std::pair<std::string, int>;  // device and thread

/// The calling thread, the devices that it feeds, its workers: what happens at the same time stands
/// together.
struct TrackOrder {
    static int rankOf(const TrackKey& key) {
        return !key.first.empty() ? 1 : key.second == 0 ? 0 : 2;
    }
    bool operator()(const TrackKey& a, const TrackKey& b) const {
        return rankOf(a) != rankOf(b) ? rankOf(a) < rankOf(b) : a < b;
    }
};

/// Something for each track, by device and thread. Spans of one track mostly follow each other.
template <typename T>
class ByTrack {
public:
    T& at(std::string_view device, int thread) {
        if (!last_ || last_->first.second != thread || last_->first.first != device)
            last_ = &*all_.try_emplace({std::string(device), thread}).first;
        return last_->second;
    }
    auto& all() { return all_; }

private:
    using Map = std::map<TrackKey, T, TrackOrder>;
    Map all_;
    typename Map::value_type* last_ = nullptr;
};

}  // namespace

std::vector<TimelineLane> nestSpans(std::vector<TimelineSpan> spans, std::uint64_t& hidden) {
    // Outer before inner: earlier begin, then later end; kinds nest phase > run > kernel > range.
    const auto before = [](const TimelineSpan& a, const TimelineSpan& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        if (a.end != b.end) return a.end > b.end;
        if (a.kind != b.kind) return a.kind < b.kind;
        return a.index < b.index;
    };
    if (!std::is_sorted(spans.begin(), spans.end(), before))
        std::sort(spans.begin(), spans.end(), before);
    // Depths first: lanes then are as large as they need to be, and millions of spans are held
    // twice, not three times.
    std::vector<std::uint8_t> depths(spans.size());
    std::vector<std::size_t> sizes;
    struct Open {
        std::int64_t end = 0;
        bool isWork = false;
    };
    std::vector<Open> open;  // the spans around the current one; its depth is their number
    for (std::size_t i = 0; i < spans.size(); ++i) {
        while (!open.empty() && open.back().end <= spans[i].begin) open.pop_back();
        depths[i] = std::uint8_t(open.size());
        if (open.size() >= most_timeline_lanes) {
            ++hidden;
            continue;
        }
        if (open.size() >= sizes.size()) sizes.push_back(0);
        ++sizes[open.size()];
        const bool isWork = spans[i].kind == TimelineKind::kernel ||
                            spans[i].kind == TimelineKind::range,
                   inWork = !open.empty() && open.back().isWork;
        spans[i].isWork = isWork && !inWork;
        open.push_back({spans[i].end, isWork || inWork});
    }
    if (sizes.size() == 1) return {TimelineLane(std::move(spans))};
    std::vector<std::vector<TimelineSpan>> lanes(sizes.size());
    for (std::size_t depth = 0; depth < sizes.size(); ++depth) lanes[depth].reserve(sizes[depth]);
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (depths[i] < sizes.size()) lanes[depths[i]].push_back(spans[i]);
    std::vector<TimelineSpan>().swap(spans);
    std::vector<TimelineLane> made;
    for (auto& lane : lanes) made.emplace_back(std::move(lane));
    return made;
}

Timeline makeTimeline(const Profile& profile) {
    Timeline timeline;
    const std::pair<const std::vector<Span>*, TimelineKind> lists[] = {
        {&profile.phases, TimelineKind::phase},
        {&profile.run_spans, TimelineKind::run},
        {&profile.kernels, TimelineKind::kernel},
        {&profile.ranges, TimelineKind::range}};
    ByTrack<std::vector<TimelineSpan>> found;
    {
        ByTrack<std::size_t> sizes;
        for (const auto& [spans, kind] : lists)
            for (const Span& span : *spans) ++sizes.at(deviceOf(profile, span, kind), span.thread);
        for (const auto& [key, count] : sizes.all()) found.at(key.first, key.second).reserve(count);
    }
    bool first = true;
    for (const auto& [spans, kind] : lists)
        for (std::size_t i = 0; i < spans->size(); ++i) {
            const Span& span = (*spans)[i];
            const std::int64_t end = std::max(span.begin_ns, span.end_ns);
            timeline.begin = first ? span.begin_ns : std::min(timeline.begin, span.begin_ns);
            timeline.end = first ? end : std::max(timeline.end, end);
            first = false;
            found.at(deviceOf(profile, span, kind), span.thread)
                .push_back({span.begin_ns, end, std::uint32_t(i), kind});
        }
    std::size_t lanes = 0;
    timeline.tracks.reserve(found.all().size());
    for (auto& [key, spans] : found.all()) {
        timeline.tracks.push_back(
            {key.second, key.first, nestSpans(std::exchange(spans, {}), timeline.hidden), lanes});
        lanes += timeline.tracks.back().lanes.size();
    }
    return timeline;
}

std::vector<double> busyShares(const Timeline& timeline, std::int64_t begin, std::int64_t end) {
    std::vector<double> shares;
    for (const TimelineTrack& track : timeline.tracks) {
        std::int64_t work = 0;
        for (const TimelineLane& lane : track.lanes) work += lane.workBetween(begin, end);
        shares.push_back(end > begin ? std::clamp(double(work) / double(end - begin), 0.0, 1.0)
                                     : 0);
    }
    return shares;
}

std::vector<PixelBar> foldLane(const TimelineLane& lane, double begin, double nsPerPixel,
                               int width) {
    std::vector<PixelBar> bars;
    const double end = begin + nsPerPixel * width;
    const auto pixel = [&](std::int64_t time) {
        return std::floor((double(time) - begin) / nsPerPixel);
    };
    auto at = std::lower_bound(lane.begin(), lane.end(), begin, ends_before);
    while (at != lane.end() && double(at->begin) < end) {
        const double left = pixel(at->begin), right = pixel(at->end);
        if (right - left >= 1) {
            const int x = int(std::max(left, 0.0));
            bars.push_back({x, int(std::min(right, double(width))) - x,
                            std::size_t(at - lane.begin()), false});
            if (bars.back().width < 1) bars.back().width = 1;
            ++at;
            continue;
        }
        // Everything else that begins in this pixel shares it, but for a last span that reaches
        // beyond.
        auto next =
            std::lower_bound(at, lane.end(), begin + (left + 1) * nsPerPixel, begins_before);
        if (next == at) ++next;
        if (next - at > 1 && pixel((next - 1)->end) - left >= 1) --next;
        const auto first = std::size_t(at - lane.begin()), last = std::size_t(next - lane.begin());
        const bool merged = last - first > 1;
        const double density = merged ? double(lane.covered(first, last)) / nsPerPixel : 1;
        if (left >= 0)
            bars.push_back({int(left), 1, lane.longest(first, last), merged,
                            float(std::clamp(density, 0.0, 1.0))});
        at = next;
    }
    return bars;
}

std::ptrdiff_t spanAt(const TimelineLane& lane, double time, double slack) {
    // first that ends later
    const auto after = std::lower_bound(lane.begin(), lane.end(), time, ends_before);
    std::ptrdiff_t nearest = -1;
    double distance = slack;
    if (after != lane.end()) {
        const double before = double(after->begin) - time;  // not positive: it covers the time
        if (before <= 0) return after - lane.begin();
        if (before <= distance) nearest = after - lane.begin(), distance = before;
    }
    if (after != lane.begin() && time - double((after - 1)->end) <= distance)
        nearest = after - 1 - lane.begin();
    return nearest;
}

std::int64_t rulerStep(double minimum) {
    std::int64_t power = 1;
    while (power < 1'000'000'000'000'000'000 / 10 && double(power) * 10 <= minimum) power *= 10;
    for (const std::int64_t factor : {1, 2, 5, 10})
        if (double(power * factor) >= minimum) return power * factor;
    return power * 10;
}

QString rulerLabel(std::int64_t time, std::int64_t step) {
    struct Unit {
        std::int64_t ns;
        const char* name;
    };
    static constexpr Unit units[] = {
        {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}};
    if (time == 0) return QStringLiteral("0");
    const std::int64_t size = std::max(std::abs(time), step);
    const Unit* unit = units;
    while (unit->ns > size) ++unit;
    int digits = 0;
    for (std::int64_t fraction = unit->ns; fraction > step && digits < 9; fraction /= 10) ++digits;
    return QStringLiteral("%1 %2").arg(
        QLocale().toString(double(time) / double(unit->ns), 'f', digits), labelText(unit->name));
}

}  // namespace lapidary::views
