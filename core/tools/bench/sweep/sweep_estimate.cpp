// SPDX-License-Identifier: Apache-2.0
#include "bench/sweep/sweep_estimate.h"

#include <algorithm>

#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

constexpr double serial_share = 0.2;  // of a run, that threads do not shorten
constexpr double usual_share = 0.6;   // of the measuring time allowed, used until precise enough
constexpr double rounds_for_precision = 12;

double threads_of(const RunConfiguration& c) {
    const int intra = c.resources.threads > 0 ? c.resources.threads : default_thread_count();
    return std::min(intra, default_thread_count());
}

int unlikeness(const RunConfiguration& a, const RunConfiguration& b) {
    const RunResources &r = a.resources, &s = b.resources;
    return 8 * (a.level != b.level) + 4 * (r.mode != s.mode) + 2 * (a.batch != b.batch) +
           2 * (r.threads != s.threads) + (r.inter_threads != s.inter_threads) +
           (r.spinning != s.spinning);
}

const KnownTimes& nearest(const RunConfiguration& c, const std::vector<KnownTimes>& known) {
    return *std::ranges::min_element(
        known, {}, [&](const KnownTimes& k) { return unlikeness(k.configuration, c); });
}

}  // namespace

double estimated_run_ms(const RunConfiguration& c, const std::vector<KnownTimes>& known) {
    if (known.empty()) return 0;
    const KnownTimes& from = nearest(c, known);
    const auto batch = [](const RunConfiguration& r) {
        return static_cast<double>(std::max<std::int64_t>(r.batch, 1));
    };
    const auto share = [](const RunConfiguration& r) {
        return serial_share + (1 - serial_share) / threads_of(r);
    };
    return from.run_ms * batch(c) / batch(from.configuration) * share(c) /
           share(from.configuration);
}

double least_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                     const std::vector<KnownTimes>& known) {
    if (known.empty()) return 0;
    return (nearest(c, known).load_ms + (2 + measuring.warmups) * estimated_run_ms(c, known)) / 1e3;
}

double estimated_seconds(const RunConfiguration& c, const MeasureOptions& measuring,
                         const std::vector<KnownTimes>& known) {
    const double before = least_seconds(c, measuring, known),
                 run = estimated_run_ms(c, known) / 1e3;
    if (measuring.runs > 0) return before + measuring.runs * run;
    return before +
           std::max(run, std::min(measuring.seconds, std::max(usual_share * measuring.seconds,
                                                              rounds_for_precision * run)));
}

}  // namespace lapidary
