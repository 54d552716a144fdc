// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/convolution/convolution.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// The window attributes of a convolution or pool. Lists have one entry per spatial axis, or none.
struct WindowAttributes {
    explicit WindowAttributes(const NodeView& node);

    /// Throws DeviceError where the window does not fit. `pad_end` gets the padding at the end of
    /// each axis.
    Window window(const Dims& input, const Dims& kernel, std::int32_t* pad_end = nullptr) const;
    /// input and output are those of the transposed convolution.
    Window transposed(const Dims& input, const Dims& kernel) const;

    Dims kernel;  // kernel_shape

private:
    std::string auto_pad_;
    bool rounds_up_;
    Dims strides_, dilations_, pads_, output_padding_, output_shape_;
};

/// The sizes of the axes from 2 on. Throws DeviceError for more than three.
Dims spatial_of(const Dims& dims);
/// The dimensions of a result: `first`, `second`, and the window's outputs along the spatial axes.
Dims with_spatial(std::int64_t first, std::int64_t second, const Window& window, std::size_t rank);
/// Throws Refusal where the rank of input 0 is not known to be 3 to 5.
void require_spatial(const NodeView& node);

}  // namespace lapidary::cuda
