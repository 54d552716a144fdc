// SPDX-License-Identifier: Apache-2.0
// How the columns of a right operand are cut into panels.
#pragma once

#include <cstdint>

#include "kernels/vector/product/product.h"

namespace lapidary {

inline std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Columns in panels of full width; the last two share what is left evenly: a panel of one vector
/// would keep the multipliers waiting for loads.
struct Panels {
    explicit Panels(std::int64_t all, const ProductKernels& kernels = product_kernels())
        : columns(all), width(kernels.panel_columns), count((all + width - 1) / width) {
        const std::int64_t vector = kernels.vector,
                           left = (all - (count - 2) * width + vector - 1) / vector;
        last = count > 1 ? (count - 2) * width + (left + 1) / 2 * vector : 0;
    }
    std::int64_t begin(std::int64_t panel) const {
        return panel >= count ? columns : panel + 1 == count ? last : panel * width;
    }

    std::int64_t columns, width, count;
    std::int64_t last;  // where the last one begins
};

}  // namespace lapidary
