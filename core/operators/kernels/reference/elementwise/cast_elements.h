// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Attributes of Cast for the narrow floating-point formats.
struct CastRounding {
    // float8: to the largest number instead of infinity or NaN
    bool saturate = true;
    PowerRounding powers = PowerRounding::up;  // round_mode, of float8e8m0
};

/// Converts every element of x into y (same shape) as ONNX Cast does. Where Cast leaves the result
/// open this is deterministic: a floating-point value out of an integer type's range becomes the
/// nearest end of the range, NaN becomes 0. Throws invalid_input for text that is no number,
/// not_supported for complex types.
void cast_elements(KernelContext& context, const Tensor& x, Tensor& y, CastRounding how = {});

/// The number written in `text` ("3.14", "1e-5", "+INF", "nan", surrounded by spaces at most);
/// throws invalid_input.
double parse_number(const std::string& text);
/// Shortest decimal text that reads back as the same value: "1.0", "0.25", "1e-05", "INF", "NaN".
std::string number_text(float value);
std::string number_text(double value);

}  // namespace lapidary::reference
