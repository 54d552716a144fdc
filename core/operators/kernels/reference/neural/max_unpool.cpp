// SPDX-License-Identifier: Apache-2.0
// MaxUnpool (9, 11, 22): puts each value at the index its MaxPool reported, zero elsewhere.
#include <algorithm>

#include "base/checked.h"
#include "kernels/dispatch.h"
#include "kernels/kernel.h"
#include "ops/geometry/window.h"

namespace lapidary::reference {
namespace {

/// The pooled input's shape as pads, strides and kernel_shape imply it: indices count in it.
Shape inferred_shape(const Node& node, const Shape& x) {
    const WindowAttributes w = read_window_attributes(node, x.size() - 2);
    if (w.kernel.empty()) fail_model("attribute kernel_shape is missing");
    Shape shape(x.begin(), x.begin() + 2);
    for (std::size_t axis = 0; axis + 2 < x.size(); ++axis) {
        const auto span =
            checked_multiply(std::max<std::int64_t>(x[axis + 2] - 1, 0), w.strides[axis]);
        const auto size = span ? checked_add(*span, w.kernel[axis]) : std::nullopt;
        if (!size) fail_limit("MaxUnpool: the output size overflows");
        shape.push_back(std::max<std::int64_t>(0, *size - w.pads_begin[axis] - w.pads_end[axis]));
    }
    return shape;
}

}  // namespace

void max_unpool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& indices = context.input(1);
    if (x.rank() < 3)
        fail_input("MaxUnpool: expected X [N, C, spatial...], found " + to_string(x.shape()));
    if (indices.shape() != x.shape())
        fail_input("MaxUnpool: indices " + to_string(indices.shape()) + " and X " +
                   to_string(x.shape()) + " differ in shape");
    const Shape counted = inferred_shape(context.node(), x.shape());
    Shape shape = counted;
    if (const Tensor* given = context.optional_input(2)) {
        shape = to_int64s(*given);
        if (shape.size() != counted.size())
            fail_input("MaxUnpool: output_shape has " + std::to_string(shape.size()) +
                       " entries, expected " + std::to_string(counted.size()));
    }
    const std::int64_t count = element_count(counted);
    const auto where = indices.data<std::int64_t>();
    dispatch<FloatTypes>(x.dtype(), [&]<typename T>() {
        if (std::any_of(shape.begin(), shape.end(), [](std::int64_t d) { return d < 0; }))
            fail_input("MaxUnpool: output_shape " + to_string(shape) + " has a negative dimension");
        auto y = context.output(0, x.dtype(), shape).mutable_data<T>();
        std::fill(y.begin(), y.end(), T(0.0f));
        const auto from = x.data<T>();
        for (std::size_t i = 0; i < from.size(); ++i) {
            std::int64_t index = where[i];
            if (index < 0 || index >= count)
                fail_input("MaxUnpool: index " + std::to_string(index) + " is outside [0, " +
                           std::to_string(count) + ")");
            std::int64_t offset = 0, stride = 1;
            for (std::size_t axis = counted.size(); axis-- > 0;) {
                const std::int64_t at = index % counted[axis];
                if (at >= shape[axis])
                    fail_input("MaxUnpool: index " + std::to_string(where[i]) +
                               " is outside the output " + to_string(shape));
                offset += at * stride;
                stride *= shape[axis];
                index /= counted[axis];
            }
            y[static_cast<std::size_t>(offset)] = from[i];
        }
    });
}

}  // namespace lapidary::reference
