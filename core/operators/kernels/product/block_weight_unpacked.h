// SPDX-License-Identifier: Apache-2.0
// Products with packed weights of few bits, which are first converted to floats: for many rows, and
// for values that integers cannot represent.
#pragma once

#include <cstdint>

#include "kernels/product/block_weight_matrix.h"

namespace lapidary {

/// c [rows, columns] = a [rows, inner] times the matrix plus the bias, or without one where it is
/// null.
void multiply_unpacked(KernelContext& context, const BlockWeightMatrix& w, std::int64_t rows,
                       const float* a, const float* bias, float* c);

/// Computes the rows that hold Inf or NaN again, with float weights. The faster kernels would give
/// NaN for them where the product with the weights is Inf.
void multiply_rows_that_are_not_finite(KernelContext& context, const BlockWeightMatrix& w,
                                       std::int64_t rows, const float* a, const float* bias,
                                       float* c);

}  // namespace lapidary
