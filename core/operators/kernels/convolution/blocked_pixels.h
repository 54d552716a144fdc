// SPDX-License-Identifier: Apache-2.0
// A convolution of one tap over blocks of channels as a product of an image's pixels with the
// filters, by tile registers (product/split_product.h). All operands stay where they are.
#pragma once

#include "kernels/convolution/blocked_geometry.h"

namespace lapidary::blocked {

/// Whether each output is one pixel's, with all channels in one group of blocks of 16, and the CPU
/// multiplies such matrices faster by tiles. `weight`: the shape of W.
bool is_pixel_product(const Attributes& attributes, const Operands& operands, const Shape& weight);
/// `w` is OIHWBiBo. Throws cancelled.
void multiply_pixels(KernelContext& context, const Attributes& attributes, const Operands& operands,
                     const Shape& weight, const float* w);

}  // namespace lapidary::blocked
