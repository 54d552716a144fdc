// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_counters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/cost/memory_report.h>

namespace lapidary::views {
namespace {

// questions to lanes in a picture, some hundred ns each
constexpr int most_questions = 6000;
constexpr std::size_t most_lanes = 1000;
constexpr double usual_share = 0.99;  // of the time: what is under the top of a lane

/// Bytes that the kernels had moved by then.
double movedUntil(const std::vector<MovingKernel>& moving, double time) {
    const auto next =
        std::ranges::upper_bound(moving, time, {}, [](const MovingKernel& k) { return k.begin; });
    if (next == moving.begin()) return 0;
    const MovingKernel& kernel = *(next - 1);
    const double part = (time - double(kernel.begin)) / double(kernel.end - kernel.begin);
    return kernel.before + kernel.bytes * std::min(1.0, part);
}

/// The rate that kernels stay at or under for that share of their time.
double usualRate(const std::vector<MovingKernel>& moving, double share) {
    std::vector<std::pair<double, double>> rates;  // bytes per ns, ns
    double all = 0, until = 0;
    for (const MovingKernel& kernel : moving) {
        const double lasts = double(kernel.end - kernel.begin);
        rates.emplace_back(kernel.bytes / lasts, lasts);
        all += lasts;
    }
    std::ranges::sort(rates);
    for (const auto& [rate, lasts] : rates)
        if ((until += lasts) >= share * all) return rate;
    return 0;
}

using Held = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// What is alive while kernels run; nothing after the end of a run.
Held heldByPlan(const Profile& profile, const std::function<KernelBytes(const Span&)>& bytesOf) {
    Held held;
    auto run = profile.run_spans.begin();
    const auto endRuns = [&](std::int64_t until) {
        for (; run != profile.run_spans.end() && run->end_ns <= until; ++run)
            if (!held.empty()) held.emplace_back(run->end_ns, 0);
    };
    for (const Span& kernel : profile.kernels) {
        if (kernel.depth > 0 || kernel.thread != 0) continue;
        const std::int64_t alive = bytesOf(kernel).alive;
        if (alive < 0) continue;
        endRuns(kernel.begin_ns);
        held.emplace_back(kernel.begin_ns, alive);
    }
    endRuns(std::numeric_limits<std::int64_t>::max());
    return held;
}

}  // namespace

TimelineCounters makeCounters(const Profile& profile,
                              const std::function<KernelBytes(const Span&)>& bytesOf) {
    TimelineCounters counters;
    counters.held = heldByPlan(profile, bytesOf);
    for (const auto& [ns, bytes] : counters.held)
        counters.mostHeld = std::max(counters.mostHeld, bytes);
    if (counters.held.empty() && !profile.memory.empty()) {
        MeasuredMemory measured = measured_memory(profile);
        counters.held = std::move(measured.curve);
        counters.mostHeld = measured.peak_bytes;
    }
    double before = 0;
    std::int64_t end = 0;
    for (const Span& kernel : profile.kernels) {
        if (kernel.depth > 0 || kernel.thread != 0 || kernel.duration_ns() <= 0) continue;
        if (profile.provider(kernel) != "CPU" || kernel.begin_ns < end) continue;
        const double bytes = bytesOf(kernel).moved;
        if (bytes <= 0) continue;
        counters.moving.push_back({kernel.begin_ns, kernel.end_ns, bytes, before});
        before += bytes;
        end = kernel.end_ns;
    }
    counters.usualMoved = usualRate(counters.moving, usual_share);
    return counters;
}

std::vector<double> threadsBusy(const Timeline& timeline, const TimelineWindow& window) {
    std::vector<const TimelineLane*> lanes;  // that have work in the window
    const auto begin = std::int64_t(window.begin), end = std::int64_t(window.timeAt(window.width));
    std::size_t all = 0;
    for (const TimelineTrack& track : timeline.tracks) {
        if (!track.provider.empty()) continue;
        all += track.lanes.size();
        if (all > most_lanes) return {};
        for (const TimelineLane& lane : track.lanes)
            if (lane.workBetween(begin, end) > 0) lanes.push_back(&lane);
    }
    std::vector<double> busy(std::size_t(std::max(0, window.width)), 0);
    const int step = 1 + int(lanes.size()) * window.width / most_questions;  // pixels
    for (int x = 0; x < window.width; x += step) {
        const int next = std::min(window.width, x + step);
        const auto from = std::int64_t(std::floor(window.timeAt(x))),
                   to = std::max(from + 1, std::int64_t(std::floor(window.timeAt(next))));
        std::int64_t work = 0;
        for (const TimelineLane* lane : lanes) work += lane->workBetween(from, to);
        std::fill(busy.begin() + x, busy.begin() + next, double(work) / double(to - from));
    }
    return busy;
}

std::vector<double> bytesHeld(const TimelineCounters& counters, const TimelineWindow& window) {
    std::vector<double> held;
    held.reserve(std::size_t(std::max(0, window.width)));
    const auto timeOf = [](const auto& point) { return double(point.first); };
    auto at = std::ranges::upper_bound(counters.held, window.begin, {}, timeOf);
    double now = at == counters.held.begin() ? -1 : double((at - 1)->second);
    for (int x = 0; x < window.width; ++x) {
        double most = now;
        const double end = window.timeAt(x + 1);
        for (; at != counters.held.end() && timeOf(*at) < end; ++at) {
            now = double(at->second);
            most = std::max(most, now);
        }
        held.push_back(most);
    }
    return held;
}

std::vector<double> bytesMoved(const TimelineCounters& counters, const TimelineWindow& window) {
    std::vector<double> moved;
    moved.reserve(std::size_t(std::max(0, window.width)));
    double before = movedUntil(counters.moving, window.begin);
    for (int x = 0; x < window.width; ++x) {
        const double now = movedUntil(counters.moving, window.timeAt(x + 1));
        moved.push_back((now - before) / window.nsPerPixel);
        before = now;
    }
    return moved;
}

}  // namespace lapidary::views
