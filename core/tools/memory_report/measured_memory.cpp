// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/cost/memory_report.h>

namespace lapidary {

MeasuredMemory measured_memory(const Profile& profile) {
    MeasuredMemory measured;
    measured.peak_bytes = profile.peak_bytes;
    std::vector<const Span*> events;
    for (const Span& e : profile.memory)
        if (e.kind == EventKind::allocation || e.kind == EventKind::release) events.push_back(&e);
    std::ranges::stable_sort(events, {}, [](const Span* e) { return e->begin_ns; });
    std::int64_t held = 0, most = 0;
    for (const Span* e : events) {
        held += e->kind == EventKind::allocation ? e->bytes : -e->bytes;
        most = std::max(most, held);
        measured.curve.emplace_back(e->begin_ns, held);
    }
    // What was held when recording began is not among the events: the highest point is the known
    // peak.
    const std::int64_t base = profile.peak_bytes > 0 ? profile.peak_bytes - most : 0;
    for (auto& [ns, bytes] : measured.curve) bytes += base;
    if (!profile.run_spans.empty())
        measured.curve.insert(measured.curve.begin(), {profile.run_spans[0].begin_ns, base});
    if (measured.peak_bytes == 0) measured.peak_bytes = most;
    if (profile.dropped_events != 0) return measured;

    std::vector<const Span*> steps;
    for (const Span& k : profile.kernels)
        if (k.depth == 0 && k.run == 0) steps.push_back(&k);
    std::ranges::stable_sort(steps, {}, [](const Span* k) { return k->begin_ns; });
    std::size_t at = 0;
    std::int64_t now = base;
    for (const Span* step : steps) {
        for (; at < measured.curve.size() && measured.curve[at].first < step->begin_ns; ++at)
            now = measured.curve[at].second;
        std::int64_t highest = now;
        for (; at < measured.curve.size() && measured.curve[at].first <= step->end_ns; ++at) {
            now = measured.curve[at].second;
            highest = std::max(highest, now);
        }
        measured.at_steps.push_back(highest);
    }
    return measured;
}

}  // namespace lapidary
