// SPDX-License-Identifier: Apache-2.0
#include "quantize/inspect/sensitivity_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {

double noise_of(double db) {
    const double infinite = std::numeric_limits<double>::infinity();
    return std::isinf(db) ? (db > 0 ? 0 : infinite) : std::pow(10.0, -db / 10);
}

double decibels_of(double noise) {
    return noise > 0 ? -10 * std::log10(noise) : std::numeric_limits<double>::infinity();
}

SensitivityCurve::SensitivityCurve(const std::vector<NodeSensitivity>& groups,
                                   const std::vector<SharedNoise>& shared,
                                   std::optional<double> all_db) {
    double rest = 0;
    for (std::size_t kept = groups.size(); kept-- > 0;) {
        const double alone = noise_of(groups[kept].alone_db);
        double twice = 0;
        for (const SharedNoise& both : shared)
            if (std::min(both.first, both.second) == kept) twice += both.noise;
        rest += std::max(0.0, alone - twice);
        added_.push_back(decibels_of(rest));
    }
    std::ranges::reverse(added_);
    if (!all_db || groups.empty()) return;
    measured_[0] = *all_db;
    measured_[groups.size() - 1] = groups.size() > 1 ? groups.back().alone_db : *all_db;
}

std::optional<std::size_t> SensitivityCurve::next_point() const {
    std::optional<std::size_t> best;
    double widest = -1;
    for (auto low = measured_.begin(); low != measured_.end(); ++low) {
        const auto high = std::next(low);
        if (high == measured_.end() || high->first - low->first < 2) continue;
        const double from = added_[low->first], to = added_[high->first];
        const double gap = std::isfinite(from) && std::isfinite(to) ? to - from : 0;
        if (gap <= widest) continue;
        widest = gap;
        best = low->first + 1;
        for (std::size_t kept = *best; kept < high->first; ++kept)
            if (std::abs(added_[kept] - (from + to) / 2) <
                std::abs(added_[*best] - (from + to) / 2))
                best = kept;
    }
    return best;
}

std::optional<std::size_t> SensitivityCurve::doubtful_point() const {
    constexpr double doubtful = 1.5;  // dB
    std::optional<std::size_t> found;
    double most = doubtful;
    for (auto at = measured_.begin(); at != measured_.end(); ++at) {
        if (at == measured_.begin() || std::next(at) == measured_.end()) continue;
        const double off = std::abs(predicted(at->first) - at->second);
        const std::size_t before = std::prev(at)->first, after = std::next(at)->first;
        const std::size_t gap_before = at->first - before, gap_after = after - at->first;
        if (!(off > most) || std::max(gap_before, gap_after) < 2) continue;
        most = off;
        found = gap_before >= gap_after ? before + gap_before / 2 : at->first + gap_after / 2;
    }
    return found;
}

void SensitivityCurve::set_measured(std::size_t kept, double db) { measured_[kept] = db; }

double SensitivityCurve::predicted(std::size_t kept) const {
    const auto after = measured_.upper_bound(kept);
    auto before = measured_.lower_bound(kept);
    if (before == measured_.begin()) return added_[kept];
    --before;
    const double at = added_[kept], from = added_[before->first];
    const double low_shift = before->second - from;
    if (after == measured_.end()) return at + low_shift;
    const double to = added_[after->first], high_shift = after->second - to;
    const double share = to > from ? (at - from) / (to - from) : 0.5;
    const double shifted = at + low_shift + share * (high_shift - low_shift);
    return std::isnan(shifted) ? at : shifted;
}

std::vector<SensitivityPoint> SensitivityCurve::points() const {
    std::vector<SensitivityPoint> points;
    for (std::size_t kept = 0; kept < added_.size(); ++kept) {
        SensitivityPoint point{kept, predicted(kept), std::nullopt};
        if (const auto known = measured_.find(kept); known != measured_.end()) {
            point.measured_db = known->second;
            // Both ends are measured first: there are no other points to predict them from.
            if (kept == 0 || kept + 1 == added_.size()) point.predicted_db = known->second;
        }
        points.push_back(point);
    }
    return points;
}

}  // namespace lapidary
