// SPDX-License-Identifier: Apache-2.0
// Products with packed weights of few bits that become floats first: for many rows, and for what
// integers cannot say.
#pragma once

#include <cstdint>

#include "kernels/product/block_weight_matrix.h"

namespace lapidary {

/// c [rows, columns] = a [rows, inner] times the matrix plus the bias, or without one where it is
/// null.
void multiply_unpacked(KernelContext& context, const BlockWeightMatrix& w, std::int64_t rows,
                       const float* a, const float* bias, float* c);

/// The same again for those rows that hold Inf or NaN: these are to be multiplied by weights. Their
/// bits less a zero point, or what is left of them in 8 bits, would give NaN where weights give
/// Inf.
void multiply_rows_that_are_not_finite(KernelContext& context, const BlockWeightMatrix& w,
                                       std::int64_t rows, const float* a, const float* bias,
                                       float* c);

}  // namespace lapidary
