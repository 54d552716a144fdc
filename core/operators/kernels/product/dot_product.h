// SPDX-License-Identifier: Apache-2.0
// Products with few rows or few columns whose operands both have the inner dimension contiguous.
#pragma once

#include <cstddef>

#include "kernels/product/packed_product.h"

namespace lapidary {

/// True when multiply_dots() serves the product better than register tiles on panels.
bool prefers_dots(const Product& product);
/// Bytes of workspace.
std::size_t dots_workspace(const Product& product);
/// `pool` and `cancel` may be null.
void multiply_dots(const Product& product, ThreadPool* pool, const CancelToken* cancel,
                   std::byte* workspace);

}  // namespace lapidary
