// SPDX-License-Identifier: Apache-2.0
#include "proof/changed_answers.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace lapidary {

AnswerCounts count_answers(const Tensor& actual, const Tensor& expected) {
    AnswerCounts counts;
    if (expected.rank() == 0 || expected.size() == 0) return counts;
    const auto width = static_cast<std::size_t>(expected.shape().back());
    if (width < 2 || actual.shape() != expected.shape()) return counts;
    const std::vector<double> found = to_doubles(actual), exact = to_doubles(expected);
    for (std::size_t begin = 0; begin < exact.size(); begin += width) {
        const std::span<const double> row(exact.data() + begin, width);
        if (std::ranges::any_of(row, [](double v) { return std::isnan(v); })) continue;
        const std::span<const double> other(found.data() + begin, width);
        const double chosen =
            other[static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())];
        ++counts.all;
        counts.changed += !std::ranges::all_of(other, [&](double v) { return v <= chosen; });
    }
    return counts;
}

}  // namespace lapidary
