// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace lapidary::reference {

/// Softmax in place over n elements `step` apart; with `log` its logarithm. A line of only
/// -infinity gives NaN, as the formula does.
template <typename T>
void softmax_line(T* values, std::int64_t n, std::int64_t step = 1, bool log = false) {
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < n; ++i)
        largest = values[i * step] > largest ? values[i * step] : largest;
    double sum = 0;
    if (log) {
        for (std::int64_t i = 0; i < n; ++i) sum += std::exp(values[i * step] - largest);
        // Subtracting the largest first keeps the small differences of large inputs.
        const T log_sum = static_cast<T>(std::log(sum));
        for (std::int64_t i = 0; i < n; ++i)
            values[i * step] = (values[i * step] - largest) - log_sum;
        return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
        const T e = std::exp(values[i * step] - largest);
        values[i * step] = e;
        sum += e;
    }
    const T scale = static_cast<T>(1 / sum);
    for (std::int64_t i = 0; i < n; ++i) values[i * step] *= scale;
}

}  // namespace lapidary::reference
