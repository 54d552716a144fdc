// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/broadcast.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary {

Shape broadcast_shapes(const Shape& a, const Shape& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    Shape out(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t da = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
        const std::int64_t db = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
        if (da != db && da != 1 && db != 1)
            fail_input("shapes " + to_string(a) + " and " + to_string(b) + " do not broadcast: " +
                       std::to_string(da) + " against " + std::to_string(db));
        out[i] = da == 1 ? db : da;
    }
    return out;
}

Shape strides_of(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
}

Shape broadcast_strides(const Shape& shape, const Shape& target) {
    const Shape own = strides_of(shape);
    Shape out(target.size(), 0);
    const std::size_t lead = target.size() - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) out[lead + i] = shape[i] == 1 ? 0 : own[i];
    return out;
}

int normalize_axis(std::int64_t axis, int rank, std::string_view what) {
    if (axis < -rank || axis >= rank)
        fail_input(std::string(what) + " " + std::to_string(axis) + " is out of range [" +
                   std::to_string(-rank) + ", " + std::to_string(rank - 1) + "] for rank " +
                   std::to_string(rank));
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int> normalize_axes(std::span<const std::int64_t> axes, int rank) {
    std::vector<int> out;
    for (std::int64_t axis : axes) {
        const int a = normalize_axis(axis, rank, "axis");
        if (std::ranges::find(out, a) != out.end())
            fail_input("axis " + std::to_string(axis) + " is listed twice");
        out.push_back(a);
    }
    return out;
}

}  // namespace lapidary
