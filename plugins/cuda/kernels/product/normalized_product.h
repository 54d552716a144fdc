// SPDX-License-Identifier: Apache-2.0
// Normalizes a row and multiplies it in one launch, as for a new token.
#pragma once

#include "kernels/normalization/normalization.h"
#include "kernels/product/product.h"

namespace lapidary::cuda {

/// True where `norm` has one row with constant scale and bias, and the product reads only that row
/// and a matrix in pieces along its columns.
bool is_for_normalized_product(const NormalizeArgs& norm, const ProductArgs& product);
/// Neither reads product.a nor writes norm.output.
void launch_normalized_product(Queue& queue, const NormalizeArgs& norm, const ProductArgs& product);

}  // namespace lapidary::cuda
