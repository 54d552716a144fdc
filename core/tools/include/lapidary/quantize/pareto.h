// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapidary {

/// One quantized model. Few bytes, little time and a high SQNR are good.
struct ParetoPoint {
    std::uint64_t bytes = 0;  // of the file
    double ms = 0;            // of a run; must be measured in the same way for all points
    double sqnr_db = 0;       // against the float model
};

/// Indices of the points that no other dominates, that is, is as good in all three figures and
/// better in one. Of equal points the first. Times within `alike` of each other, as a share, count
/// as equal: differences below that are noise. Sorted by bytes, then by time.
std::vector<std::size_t> pareto_front(std::span<const ParetoPoint> points, double alike = 0.03);

}  // namespace lapidary
