// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/tensor/tensor.h>

#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

/// A tensor seen as [outer, length, inner] around one axis: element (o, i, k) lies at (o * length +
/// i) * inner + k.
struct AxisView {
    std::int64_t outer = 1, length = 1, inner = 1;

    AxisView(const Shape& shape, std::int64_t axis, std::string_view what = "axis") {
        const int at = normalize_axis(axis, static_cast<int>(shape.size()), what);
        for (int i = 0; i < static_cast<int>(shape.size()); ++i)
            (i < at ? outer : i == at ? length : inner) *= shape[static_cast<std::size_t>(i)];
    }
    std::int64_t lines() const { return outer * inner; }
    /// First element of line `line`; the following ones are `inner` apart.
    std::int64_t start(std::int64_t line) const {
        return line / inner * length * inner + line % inner;
    }
};

}  // namespace lapidary::reference
