// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/pareto.h>

#include <algorithm>
#include <tuple>

namespace lapidary {
namespace {

/// `a` is as good as `b` in all three and better in one; of equals the earlier one.
bool beats(const ParetoPoint& a, const ParetoPoint& b, bool is_earlier, double alike) {
    const bool a_is_faster = a.ms < b.ms * (1 - alike), b_is_faster = b.ms < a.ms * (1 - alike);
    if (a.bytes > b.bytes || b_is_faster || a.sqnr_db < b.sqnr_db) return false;
    return a.bytes < b.bytes || a_is_faster || a.sqnr_db > b.sqnr_db || is_earlier;
}

}  // namespace

std::vector<std::size_t> pareto_front(std::span<const ParetoPoint> points, double alike) {
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool is_beaten = false;
        for (std::size_t k = 0; k < points.size() && !is_beaten; ++k)
            is_beaten = k != i && beats(points[k], points[i], k < i, alike);
        if (!is_beaten) front.push_back(i);
    }
    std::ranges::stable_sort(
        front, {}, [&](std::size_t i) { return std::tuple(points[i].bytes, points[i].ms); });
    return front;
}

}  // namespace lapidary
