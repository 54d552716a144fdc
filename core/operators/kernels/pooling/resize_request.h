// SPDX-License-Identifier: Apache-2.0
// What kernels that resize two axes of f32 images can find out before a run.
#pragma once

#include <optional>
#include <string>

#include "kernels/kernel.h"
#include "kernels/reference/image/resize_geometry.h"

namespace lapidary::pooling {

using ReadResize = reference::ResizeGeometry (*)(const Node&, const Shape&,
                                                 const reference::ResizeInputs&);

/// The shape of input 0 with 1 for unknown sizes. Empty, with the reason, unless it is f32 with at
/// least two axes.
std::optional<Shape> image_shape(const KernelRequest& request, std::string& reason);
/// The axis unchanged when its size is known; otherwise with input -1, which stands for any size.
reference::ResizeAxis of_any_size(const KernelRequest& request, const reference::ResizeAxis& axis,
                                  std::size_t index);
/// The two neighbouring axes that a node resizes.
struct ResizedPlane {
    reference::ResizeGeometry options;    // with all axes
    reference::ResizeAxis height, width;  // as of_any_size() has them
    bool has_channels_last = false;       // one axis follows them; else they are the last two
};
/// What the node requests. Empty, with the reason, when it resizes other axes or when scales or
/// sizes are not known.
std::optional<ResizedPlane> resized_plane(const KernelRequest& request, ReadResize read,
                                          std::string& reason);
/// An axis of the node for an input of that size. Throws invalid_input when it does not fit.
reference::ResizeAxis sized_axis(const KernelContext& context, reference::ResizeAxis axis,
                                 std::int64_t size);

}  // namespace lapidary::pooling
