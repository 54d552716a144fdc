// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary::reference {

struct RowStatistics {
    double mean = 0, variance = 0;
};

/// Mean and population variance of `count` contiguous elements, in two passes and in double.
template <typename T>
RowStatistics row_statistics(const T* row, std::int64_t count) {
    RowStatistics s;
    if (count == 0) return s;
    for (std::int64_t i = 0; i < count; ++i) s.mean += row[i];
    s.mean /= static_cast<double>(count);
    for (std::int64_t i = 0; i < count; ++i) s.variance += (row[i] - s.mean) * (row[i] - s.mean);
    s.variance /= static_cast<double>(count);
    return s;
}

/// Mean of squares.
template <typename T>
double row_mean_square(const T* row, std::int64_t count) {
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(row[i]) * row[i];
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace lapidary::reference
