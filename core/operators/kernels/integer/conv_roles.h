// SPDX-License-Identifier: Apache-2.0
// The roles of an integer convolution's inputs, and whether the packed kernel takes a node.
#pragma once

#include <string>

#include "kernels/kernel.h"

namespace lapidary {

/// Indexes of inputs; `none`: the operator has no such input.
struct ConvRoles {
    static constexpr int none = -1;

    int x = 0, x_scale = none, x_zero = none, w = 1, w_scale = none, w_zero = none, y_scale = none,
        y_zero = none, bias = none;
    int addend = none;  // followed by its scale and zero point, and those of the sum
    // f32 factor of the sums and, right after it, an f32 bias per channel: the result is float
    int real_scale = none;
};

/// Why the packed kernel does not take the node; "" if it does.
std::string why_not_conv(const KernelRequest& request, const ConvRoles& roles);

}  // namespace lapidary
