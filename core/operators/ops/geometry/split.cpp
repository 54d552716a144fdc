// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/split.h"

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>

#include "base/checked.h"

namespace lapidary {

std::vector<std::int64_t> split_evenly(std::int64_t dim, std::int64_t parts, bool uneven) {
    if (parts <= 0) fail_input("cannot split into " + std::to_string(parts) + " parts");
    if (dim % parts != 0 && !uneven) {
        fail_input("an axis of " + std::to_string(dim) + " elements does not split into " +
                   std::to_string(parts) + " equal parts");
    }
    const std::int64_t piece = dim / parts + (dim % parts != 0 ? 1 : 0);
    std::vector<std::int64_t> sizes;
    std::int64_t left = dim;
    for (std::int64_t i = 0; i < parts; ++i) {
        sizes.push_back(std::min(piece, left));
        left -= sizes.back();
    }
    return sizes;
}

void check_split(const std::vector<std::int64_t>& sizes, std::int64_t dim) {
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes) {
        const auto next = size < 0 ? std::nullopt : checked_add(sum, size);
        if (!next) fail_input("split size " + std::to_string(size) + " is not usable");
        sum = *next;
    }
    if (sum != dim) {
        fail_input("split sizes add up to " + std::to_string(sum) + " where the axis has " +
                   std::to_string(dim) + " elements");
    }
}

}  // namespace lapidary
