// SPDX-License-Identifier: Apache-2.0
#include "report/report_timeline.h"

#include <algorithm>
#include <map>

#include "graph/node_text.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kept_whole = 25'000;   // spans: up to so many, all are shown
constexpr std::size_t most_detail = 15'000;  // of the run shown in detail
constexpr std::int64_t resolution = 1500;    // merged bars of a lane, at most
constexpr std::size_t most_memory_points = 3000;
constexpr std::int64_t unit_ns = 100;

struct Bar {
    std::int64_t begin = 0, end = 0;
    const Span* span = nullptr;
    std::size_t merged = 1;
};

struct LaneKey {
    int thread = 0, kind = 0, depth = 0;
    friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

using Lanes = std::map<LaneKey, std::vector<const Span*>>;

std::string title_of(const LaneKey& key) {
    if (key.kind == 0) return "Runs";
    const std::string thread =
        key.thread == 0 ? "Main thread" : "Thread " + std::to_string(key.thread);
    if (key.kind == 2) return thread + ": parts";
    return key.depth == 0 ? thread : thread + ", nested " + std::to_string(key.depth);
}

Lanes lanes_of(const Profile& profile) {
    Lanes lanes;
    for (const Span& span : profile.run_spans) lanes[{-1, 0, 0}].push_back(&span);
    for (const Span& span : profile.kernels)
        lanes[{span.thread, 1, std::clamp(span.depth, 0, 7)}].push_back(&span);
    for (const Span& span : profile.ranges) lanes[{span.thread, 2, 0}].push_back(&span);
    for (auto& [key, spans] : lanes)
        std::ranges::stable_sort(spans, {}, [](const Span* span) { return span->begin_ns; });
    return lanes;
}

/// The typical run as a range of time; cut short where it holds too much.
std::pair<std::int64_t, std::int64_t> detail_range(const Profile& profile, const Lanes& lanes) {
    if (profile.run_spans.empty()) return {0, 0};
    const Span& run = profile.run_spans[*typical_run(profile).index];
    std::int64_t end = run.end_ns;
    for (;;) {
        std::size_t within = 0;
        for (const auto& [key, spans] : lanes) {
            const auto at = [](const Span* span) { return span->begin_ns; };
            within +=
                static_cast<std::size_t>(std::ranges::lower_bound(spans, end, {}, at) -
                                         std::ranges::lower_bound(spans, run.begin_ns, {}, at));
        }
        if (within <= most_detail || end - run.begin_ns < 1000) break;
        end = run.begin_ns + (end - run.begin_ns) / 2;
    }
    return {run.begin_ns, end};
}

/// Neighbours outside of `detail` become one bar until it is `shortest` long; longer ones stay.
std::vector<Bar> thinned(const std::vector<const Span*>& spans,
                         std::pair<std::int64_t, std::int64_t> detail, std::int64_t shortest) {
    std::vector<Bar> bars;
    bool is_open = false;  // the last bar may still take neighbours
    for (const Span* span : spans) {
        const bool within = span->begin_ns >= detail.first && span->begin_ns < detail.second;
        if (within || span->duration_ns() >= shortest) {
            bars.push_back({span->begin_ns, span->end_ns, span, 1});
            is_open = false;
            continue;
        }
        if (is_open && span->begin_ns - bars.back().begin < shortest) {
            Bar& bar = bars.back();
            bar.end = std::max(bar.end, span->end_ns);
            ++bar.merged;
            if (span->duration_ns() > bar.span->duration_ns()) bar.span = span;
            continue;
        }
        bars.push_back({span->begin_ns, span->end_ns, span, 1});
        is_open = true;
    }
    return bars;
}

Json lane_json(const Profile& profile, const LaneKey& key, const std::vector<Bar>& bars,
               std::int64_t start, StringTable& strings) {
    Json begin = Json::array(), length = Json::array(), name = Json::array(), op = Json::array(),
         merged = Json::array();
    std::int64_t before = 0;
    bool has_merged = false;
    for (const Bar& bar : bars) {
        const std::int64_t at = (bar.begin - start) / unit_ns;
        begin.push_back(at - before);
        before = at;
        length.push_back(std::max<std::int64_t>((bar.end - bar.begin + unit_ns / 2) / unit_ns, 1));
        name.push_back(strings(key.kind == 0 ? "Run " + std::to_string(bar.span->run + 1)
                                             : shortened(profile.name(*bar.span), 240)));
        op.push_back(strings(shortened(profile.op(*bar.span), 120)));
        merged.push_back(bar.merged);
        has_merged = has_merged || bar.merged > 1;
    }
    Json lane = {{"title", strings(title_of(key))}, {"kind", key.kind},
                 {"begin", std::move(begin)},       {"length", std::move(length)},
                 {"name", std::move(name)},         {"op", std::move(op)}};
    if (has_merged) lane["merged"] = std::move(merged);
    return lane;
}

/// Bytes held over time; of moments too near to distinguish the highest stays.
Json memory_json(const Profile& profile, std::int64_t start, std::int64_t end) {
    std::vector<const Span*> events;
    for (const Span& event : profile.memory) events.push_back(&event);
    std::ranges::stable_sort(events, {}, [](const Span* event) { return event->begin_ns; });
    const std::int64_t step =
        std::max<std::int64_t>((end - start) / static_cast<std::int64_t>(most_memory_points), 1);
    Json points = Json::array();
    std::int64_t held = 0, highest = 0, slot = 0;
    bool is_pending = false;
    const auto put = [&](std::int64_t at) { points.push_back({(at - start) / unit_ns, highest}); };
    for (const Span* event : events) {
        held += event->kind == EventKind::release ? -event->bytes : event->bytes;
        if (is_pending && event->begin_ns - slot >= step) {
            put(slot);
            is_pending = false;
        }
        if (!is_pending) {
            slot = event->begin_ns;
            highest = held;
            is_pending = true;
        }
        highest = std::max(highest, held);
    }
    if (is_pending) put(slot);
    return points;
}

}  // namespace

Json timeline_data(const Profile& profile, StringTable& strings) {
    const Lanes lanes = lanes_of(profile);
    std::size_t total = 0;
    std::int64_t start = 0, end = 0;
    for (const auto& [key, spans] : lanes)
        for (const Span* span : spans) {
            start = total == 0 ? span->begin_ns : std::min(start, span->begin_ns);
            end = total++ == 0 ? span->end_ns : std::max(end, span->end_ns);
        }
    if (total == 0) return nullptr;
    std::pair<std::int64_t, std::int64_t> detail{start, end + 1};
    if (total > kept_whole) detail = detail_range(profile, lanes);
    const std::int64_t shortest = std::max<std::int64_t>((end - start) / resolution, 1);
    Json json = {
        {"unit_ns", unit_ns},
        {"end", (end - start) / unit_ns},
        {"spans", total},
        {"detail",
         {(detail.first - start) / unit_ns, (std::min(detail.second, end) - start) / unit_ns}},
        {"lanes", Json::array()}};
    for (const auto& [key, spans] : lanes)
        json["lanes"].push_back(
            lane_json(profile, key, thinned(spans, detail, shortest), start, strings));
    json["memory"] = memory_json(profile, start, end);
    return json;
}

}  // namespace lapidary
