// SPDX-License-Identifier: Apache-2.0
// The roles of a quantized product's inputs, and whether the packed kernel takes a node.
#pragma once

#include <string>

#include "kernels/kernel.h"

namespace lapidary {

/// Indexes of inputs; `none`: the operator has no such input.
struct QuantizedProductRoles {
    static constexpr int none = -1;

    int a = 0, a_scale = none, a_zero = none, b = 1, b_scale = none, b_zero = none;
    int bias = none;      // f32, per column
    int sum_bias = none;  // i32, per column, added to the sums
    int y_scale = none, y_zero = none;
    bool quantizes_a = false;   // A is f32
    bool divides_last = false;  // y = round(real / y_scale), not round(sum * (scales / y_scale))
    int residual = none;        // f32, as the result
};

/// Why the packed kernel does not take the node; "" if it does. `is_certain` becomes false where
/// sizes of scales, zero points and biases are not known before a run and have to be checked in
/// each run.
std::string why_not_packed(const KernelRequest& request, const QuantizedProductRoles& roles,
                           bool& is_certain);

}  // namespace lapidary
