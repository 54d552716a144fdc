// SPDX-License-Identifier: Apache-2.0
// Products of halves for compute capability 9.0: a variant of product.h's, which gives the same but for the order of
// sums.
#pragma once

#include "kernels/product.h"

namespace lapidary::cuda {

/// One matrix of halves each, a along k and b along n, in pieces of 16 bytes.
bool is_for_hopper(const ProductArgs& args);
void launch_hopper_product(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
