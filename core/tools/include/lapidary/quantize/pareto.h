// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapidary {

/// One quantized model: bytes and time are to be small, SQNR high.
struct ParetoPoint {
    std::uint64_t bytes = 0;  // of the file
    double ms = 0;            // of a run; those of all points are to be taken the same way
    double sqnr_db = 0;       // against the float model
};

/// Indices of the points that no other beats: none is as good in all three and better in one. Of
/// equal points the first. Times within `alike` of each other, as a share, count as equal: noise is
/// no progress. By bytes, then by time.
std::vector<std::size_t> pareto_front(std::span<const ParetoPoint> points, double alike = 0.03);

}  // namespace lapidary
