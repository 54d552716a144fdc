// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "ops/geometry/slice.h"

#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void slice(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto rank = static_cast<std::size_t>(data.rank());
    std::vector<std::int64_t> starts, ends, axes, steps;
    bool has_axes = false;
    if (context.version() < 10) {
        starts = context.node().ints_attribute("starts");
        ends = context.node().ints_attribute("ends");
        has_axes = context.node().has_attribute("axes");
        axes = context.node().ints_attribute("axes");
    } else {
        starts = int_list(context.input(1), "starts", rank);
        ends = int_list(context.input(2), "ends", rank);
        has_axes = context.has_input(slice_input::axes);
        if (has_axes) axes = int_list(context.input(slice_input::axes), "axes", rank);
        if (context.has_input(slice_input::steps))
            steps = int_list(context.input(slice_input::steps), "steps", rank);
    }
    if (!has_axes) {
        for (std::size_t i = 0; i < starts.size(); ++i)
            axes.push_back(static_cast<std::int64_t>(i));
    }
    if (steps.empty()) steps.assign(starts.size(), 1);
    if (ends.size() != starts.size() || axes.size() != starts.size() ||
        steps.size() != starts.size()) {
        context.fail("starts, ends, axes and steps have " + std::to_string(starts.size()) + ", " +
                     std::to_string(ends.size()) + ", " + std::to_string(axes.size()) + " and " +
                     std::to_string(steps.size()) + " values");
    }
    Shape shape = data.shape(), strides = strides_of(data.shape());
    std::int64_t offset = 0;
    const std::vector<int> normal = normalize_axes(axes, data.rank());
    for (std::size_t i = 0; i < normal.size(); ++i) {
        const auto axis = static_cast<std::size_t>(normal[i]);
        const SliceRange range = resolve_slice(data.dim(axis), starts[i], ends[i], steps[i]);
        shape[axis] = range.count;
        offset += range.start * strides[axis];
        // A step past the axis reads one element; its stride is never taken.
        strides[axis] *= range.count > 1 ? range.step : 1;
    }
    ByteWideOutput out(context, 0, data.dtype(), std::move(shape));
    copy_strided(context, byte_wide(context, data), offset, strides, out.tensor());
    out.finish();
}

}  // namespace lapidary::reference
