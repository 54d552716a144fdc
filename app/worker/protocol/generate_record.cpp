// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/generate_record.h"

#include <algorithm>

namespace lapidary::app {

std::int64_t GenerateRecord::changed_tokens() const {
    if (sides.size() < 2) return 0;
    const std::vector<std::int64_t>&a = sides[0].tokens, &b = sides[1].tokens;
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) changed += a[i] != b[i];
    return changed;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace lapidary::app
