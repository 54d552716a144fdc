// SPDX-License-Identifier: Apache-2.0
// Exact products of quantized operands: integers minus their zero points, multiplied and summed in
// double.
#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// x - zero_point in f64; `zero_point` may be null and broadcasts to x under `zero_shape`. Throws
/// invalid_input when its element type or shape does not fit.
Tensor centered(KernelContext& context, const Tensor& x, const Tensor* zero_point,
                const Shape& zero_shape);
/// Parameters of a left operand go with its rows: [M] reads as [M, 1].
Shape row_parameter_shape(const Tensor& parameter);
/// (A - a_zero) * (B - b_zero) as f64; zero points per tensor, per row of A, per column of B. All
/// but A and B may be null.
Tensor integer_matmul(KernelContext& context, const Tensor& a, const Tensor* a_zero,
                      const Tensor& b, const Tensor* b_zero);
/// Throws unless the tensor holds integers.
void require_integers(const KernelContext& context, const Tensor& x, const char* name);

/// What an int32 accumulator holds after the addition: it wraps around.
inline double wrapped_sum(double a, double b) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(a + b));
}

}  // namespace lapidary::reference
