// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/slice.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary {

SliceRange resolve_slice(std::int64_t dim, std::int64_t start, std::int64_t end,
                         std::int64_t step) {
    if (step == 0) fail_input("a slice step must not be 0");
    if (dim <= 0) return {0, step, 0};
    if (start < 0) start += dim;
    if (end < 0) end += dim;
    // Positions are in [-dim, INT64_MAX] or far below zero from here on: no sum above can overflow.
    std::int64_t distance = 0;
    if (step > 0) {
        start = std::clamp<std::int64_t>(start, 0, dim);
        end = std::clamp<std::int64_t>(end, 0, dim);
        distance = end - start;
    } else {
        start = std::clamp<std::int64_t>(start, 0, dim - 1);
        end = std::clamp<std::int64_t>(end, -1, dim - 1);
        distance = start - end;
    }
    if (distance <= 0) return {0, step, 0};
    const std::uint64_t stride =
        step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    return {start, step,
            static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1};
}

}  // namespace lapidary
