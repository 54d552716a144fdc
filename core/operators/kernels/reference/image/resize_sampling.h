// SPDX-License-Identifier: Apache-2.0
// From output positions to input positions and weights along one axis of Resize.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/reference/image/resize_geometry.h"

namespace lapidary::reference {

/// For output position o: `taps` input positions index[o * taps + t] with weights, all inside the
/// input.
struct AxisSampling {
    std::int64_t taps = 1;
    std::vector<std::int64_t> index;
    std::vector<float> weight;  // empty for nearest
    // empty, or per output position: takes extrapolation_value instead
    std::vector<bool> is_extrapolated;
    bool is_identity = false;  // every output is the input at the same position
};

/// Input coordinate of an output position, in float arithmetic so that ties at pixel borders fall
/// as in other runtimes.
float source_coordinate(const ResizeGeometry& geometry, const ResizeAxis& axis,
                        std::int64_t position);
/// Input position of an output position in nearest mode.
std::int64_t nearest_input(const ResizeGeometry& geometry, const ResizeAxis& axis,
                           std::int64_t position);

/// Throws invalid_input for an output without any input, limit_exceeded for an unreasonable filter.
AxisSampling sample_axis(const ResizeGeometry& geometry, const ResizeAxis& axis);

}  // namespace lapidary::reference
