// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/pooling/resize_request.h"

#include <algorithm>
#include <cmath>

namespace lapidary::pooling {

using reference::ResizeAxis;

std::optional<Shape> image_shape(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(0);
    if (!type.is_tensor() || type.dtype != DType::f32 || !type.shape || type.shape->size() < 2) {
        reason = "its input is " + to_string(type) + ", this kernel takes f32 images";
        return std::nullopt;
    }
    Shape shape;
    for (const Dim& dim : *type.shape) shape.push_back(dim.is_known() ? dim.value() : 1);
    return shape;
}

ResizeAxis of_any_size(const KernelRequest& request, const ResizeAxis& axis, std::size_t index) {
    ResizeAxis result = axis;
    if (!(*request.input_type(0).shape)[index].is_known()) result.input = -1;
    return result;
}

std::optional<ResizedPlane> resized_plane(const KernelRequest& request, ReadResize read,
                                          std::string& reason) {
    const auto shape = image_shape(request, reason);
    if (!shape) return std::nullopt;
    for (std::size_t i = 1; i < request.node.inputs.size(); ++i)
        if (request.has_input(i) && !request.constant(i)) {
            reason = "its scales or sizes are computed at run time";
            return std::nullopt;
        }
    const SymbolicShape& dims = *request.input_type(0).shape;
    const bool is_known = std::ranges::all_of(dims, [](const Dim& d) { return d.is_known(); });
    if (const Tensor* sizes = request.constant(resize_input::sizes);
        sizes && sizes->size() > 0 && !is_known) {
        reason = "its output sizes are given, and those of its input are known only when it runs";
        return std::nullopt;
    }
    auto geometry =
        read(request.node, *shape, [&](std::size_t input) { return request.constant(input); });
    const std::size_t rank = shape->size();
    const auto is_kept = [&](std::size_t i) {
        return geometry.axes[i].input == geometry.axes[i].output && geometry.axes[i].scale == 1;
    };
    const bool is_last = rank < 3 || !is_kept(rank - 1) || is_kept(rank - 3);
    const std::size_t first = is_last ? rank - 2 : rank - 3;
    for (std::size_t i = 0; i < first; ++i)
        if (!is_kept(i)) {
            reason = "it resizes axis " + std::to_string(i) + ", this kernel does the last two" +
                     (is_last ? "" : ", or those in front of the last");
            return std::nullopt;
        }
    ResizedPlane plane;
    plane.height = of_any_size(request, geometry.axes[first], first);
    plane.width = of_any_size(request, geometry.axes[first + 1], first + 1);
    plane.has_channels_last = !is_last;
    plane.options = std::move(geometry);
    return plane;
}

ResizeAxis sized_axis(const KernelContext& context, ResizeAxis axis, std::int64_t size) {
    if (axis.input == size) return axis;
    if (axis.input >= 0)
        context.fail("input 0: expected an axis of " + std::to_string(axis.input) + ", found " +
                     std::to_string(size));
    const double scaled = std::floor(static_cast<double>(static_cast<float>(size) * axis.scale));
    if (!(scaled >= 0 && scaled < 9e15))
        context.fail("input 0: an axis of " + std::to_string(size) + " cannot be scaled by " +
                     std::to_string(axis.scale));
    axis.input = size;
    axis.output = axis.scale == 1 ? size : static_cast<std::int64_t>(scaled);
    return axis;
}

}  // namespace lapidary::pooling
