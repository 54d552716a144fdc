// SPDX-License-Identifier: Apache-2.0
// Products of many rows whose left operand may be rounded to bfloat16, as the right one is stored.
#pragma once

#include <cstddef>

#include "kernels/product/packed_product.h"

namespace lapidary {

/// True where the product allows it and the CPU multiplies bfloat16 by tile registers.
bool prefers_rounding(const Product& product);
/// Bytes of workspace.
std::size_t rounded_workspace(const Product& product);
/// `pool` and `cancel` may be null.
void multiply_rounded(const Product& product, ThreadPool* pool, const CancelToken* cancel,
                      std::byte* workspace);

}  // namespace lapidary
