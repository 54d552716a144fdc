// SPDX-License-Identifier: Apache-2.0
#include "bench/sweep/operator_scaling.h"

#include <algorithm>

#include "bench/statistics/median.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

constexpr double worthwhile = 1.05;  // gain by the next number of threads

}  // namespace

void OperatorTimes::add(int threads, const Profile& profile) {
    std::map<std::string, double> sums;
    for (const Span& span : profile.kernels)
        if (span.depth == 0)
            sums[profile.op(span)] += static_cast<double>(span.duration_ns()) / 1e6;
    const int count = threads > 0 ? threads : default_thread_count();
    for (const auto& [op, ms] : sums) ms_[op][count].push_back(ms);
    ++runs_[count];
}

std::vector<OperatorScaling> OperatorTimes::scaling() const {
    std::vector<OperatorScaling> all;
    if (runs_.size() < 2) return all;
    for (const auto& [op, by_threads] : ms_) {
        OperatorScaling one;
        one.op = op;
        for (const auto& [threads, ms] : by_threads) one.ms.emplace_back(threads, median_of(ms));
        if (one.ms.size() < 2) continue;
        const auto& [fewest, slow] = one.ms.front();
        const auto& [most, fast] = one.ms.back();
        one.efficiency = fast > 0 ? slow / fast * fewest / most : 0;
        for (std::size_t i = 0; i + 1 < one.ms.size() && one.stops_at == 0; ++i) {
            const double best_beyond =
                std::ranges::min(
                    std::vector<std::pair<int, double>>(
                        one.ms.begin() + static_cast<std::ptrdiff_t>(i) + 1, one.ms.end()),
                    {}, &std::pair<int, double>::second)
                    .second;
            if (one.ms[i].second < worthwhile * best_beyond) one.stops_at = one.ms[i].first;
        }
        all.push_back(std::move(one));
    }
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const OperatorScaling& o) { return o.ms.front().second; });
    return all;
}

}  // namespace lapidary
