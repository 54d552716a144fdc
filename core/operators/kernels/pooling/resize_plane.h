// SPDX-License-Identifier: Apache-2.0
// Resampling two neighbouring axes of images: a table per axis, rows made by vector code.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/kernel.h"
#include "kernels/reference/image/resize_geometry.h"

namespace lapidary::pooling {

/// What stays the same in all runs: nearest or linear, and the coordinate transformation.
class ResizePlane {
public:
    /// False, with the reason, when a filter has more than two taps or leaves the input.
    bool prepare(const reference::ResizeGeometry& geometry, std::string& reason);
    /// `planes` images [height.input, width.input, lanes] to [height.output, width.output, lanes].
    void run(KernelContext& context, const reference::ResizeAxis& height,
             const reference::ResizeAxis& width, const float* from, float* to, std::int64_t planes,
             std::int64_t lanes) const;

private:
    reference::ResizeGeometry options_;  // without axes
};

}  // namespace lapidary::pooling
