// SPDX-License-Identifier: Apache-2.0
// Products of one row of floats with packed weights of few bits by sums of integers. Where the CPU
// multiplies bytes fast, three such products take less time than to make floats of the weights.
#pragma once

#include "kernels/product/block_weight_matrix.h"

namespace lapidary {

/// Whether multiply_by_digits() is faster than a product in float here, and its sums are exact.
bool digits_pay(const BlockWeightMatrix& matrix);

/// c [columns] = a [inner] times the matrix plus the bias, or without one where it is null, as
/// precise as a product in float: in each block of `a`, values are rounded to 24 bits. False: c
/// holds nothing of use, since `a` or a result is not finite or `a` too small or large.
bool multiply_by_digits(KernelContext& context, const BlockWeightMatrix& matrix, const float* a,
                        const float* bias, float* c);

}  // namespace lapidary
