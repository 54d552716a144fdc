// SPDX-License-Identifier: Apache-2.0
// Shape arithmetic shared by inference rules and kernels: multidirectional broadcasting and axes.
#pragma once

#include <span>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// The shape that both broadcast to (ONNX Broadcasting, opset >= 7). Throws invalid_input naming
/// both.
Shape broadcast_shapes(const Shape& a, const Shape& b);
/// Strides in elements of `shape` read as `target` (0 where it is repeated); `shape` must broadcast
/// to it.
Shape broadcast_strides(const Shape& shape, const Shape& target);
/// Row-major strides in elements.
Shape strides_of(const Shape& shape);
/// `axis` in [-rank, rank-1] made non-negative; throws invalid_input naming `what`, the axis and
/// the range.
int normalize_axis(std::int64_t axis, int rank, std::string_view what = "axis");
/// Each axis normalized; repeated axes throw.
std::vector<int> normalize_axes(std::span<const std::int64_t> axes, int rank);

}  // namespace lapidary
