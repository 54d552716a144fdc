// SPDX-License-Identifier: Apache-2.0
// Resampling the last two axes of images whose sizes are known: tables made once, rows made by vector code.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/vector/resize.h"

namespace lapidary::reference {
struct ResizeGeometry;
struct ResizeAxis;
}

namespace lapidary::pooling {

/// One axis: output position o is input position low[o] times low_weight[o] plus high[o] times high_weight[o].
struct AxisTable {
    std::int64_t input = 0, output = 0;
    bool blends = false;                    // else it is low[o]
    std::vector<std::int32_t> low, high;
    std::vector<float> low_weight, high_weight;
};

class ResizePlane {
public:
    /// Nothing of it is usable, and `reason` says why, when a filter has more than two taps or leaves the input.
    bool prepare(const reference::ResizeGeometry& geometry, const reference::ResizeAxis& height, const reference::ResizeAxis& width, std::string& reason);

    std::int64_t input_height() const { return height_.input; }
    std::int64_t input_width() const { return width_.input; }
    std::int64_t output_height() const { return height_.output; }
    std::int64_t output_width() const { return width_.output; }
    /// `planes` images [input_height, input_width, lanes]; lanes is 1, 8 or 16.
    void run(KernelContext& context, const float* from, float* to, std::int64_t planes, std::int64_t lanes) const;

private:
    void make_row(const float* image, std::int64_t y, std::int64_t lanes, float* line, float* to) const;

    AxisTable height_, width_;
    const ResizeKernels* kernels_ = nullptr;
};

}  // namespace lapidary::pooling
