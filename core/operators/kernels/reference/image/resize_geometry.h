// SPDX-License-Identifier: Apache-2.0
// What a Resize or Upsample node asks for: options, and per axis the sizes, scale and region.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

enum class ResizeMode : std::uint8_t { nearest, linear, cubic };
enum class ResizeCoordinates : std::uint8_t {
    half_pixel,
    half_pixel_symmetric,
    pytorch_half_pixel,
    align_corners,
    asymmetric,
    tf_half_pixel_for_nn,
    tf_crop_and_resize
};
/// `truncate_or_ceil` is what opset 10 and Upsample do: down to the lower pixel, or the upper one
/// when shrinking.
enum class ResizeNearest : std::uint8_t {
    round_prefer_floor,
    round_prefer_ceil,
    floor,
    ceil,
    truncate_or_ceil
};

struct ResizeAxis {
    std::int64_t input = 0, output = 0;
    float scale = 1, roi_start = 0, roi_end = 1;
};

struct ResizeGeometry {
    ResizeMode mode = ResizeMode::nearest;
    ResizeCoordinates coordinates = ResizeCoordinates::half_pixel;
    ResizeNearest nearest = ResizeNearest::round_prefer_floor;
    float cubic_a = -0.75f, extrapolation = 0;
    bool exclude_outside = false, antialias = false;
    std::vector<ResizeAxis> axes;  // one per axis of X

    Shape output_shape() const;
};

/// Input tensors by index; null where one is omitted.
using ResizeInputs = std::function<const Tensor*(std::size_t input)>;

/// Resize (10, 11, 13, 18, 19) of an X of that shape. Throws invalid_model or invalid_input with
/// expected and found.
ResizeGeometry read_resize(const Node& node, const Shape& x, const ResizeInputs& inputs);
/// Upsample (7, 9, 10).
ResizeGeometry read_upsample(const Node& node, const Shape& x, const ResizeInputs& inputs);

}  // namespace lapidary::reference
