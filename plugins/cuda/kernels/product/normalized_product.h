// SPDX-License-Identifier: Apache-2.0
// A row is normalized and multiplied by one launch, as new tokens have it.
#pragma once

#include "kernels/normalization/normalization.h"
#include "kernels/product/product.h"

namespace lapidary::cuda {

/// `norm` has one row, with constants to scale it by and add to it, and the product reads that row
/// alone, whose matrix lies along its columns in pieces.
bool is_for_normalized_product(const NormalizeArgs& norm, const ProductArgs& product);
/// product.a and norm.output are not read and not written.
void launch_normalized_product(Queue& queue, const NormalizeArgs& norm, const ProductArgs& product);

}  // namespace lapidary::cuda
