// SPDX-License-Identifier: Apache-2.0
// Products of many rows with both sides and short sums in float16 (vector/product/half_tiles.h).
#pragma once

#include <cstddef>

#include "kernels/product/packed_product.h"

namespace lapidary {

/// True where the product allows it and the CPU has arithmetic of float16.
bool prefers_halves(const Product& product);
/// Bytes of workspace for this many workers.
std::size_t halves_workspace(const Product& product, int workers);
/// `pool` and `cancel` may be null. Results do not depend on the number of workers.
void multiply_halves(const Product& product, ThreadPool* pool, const CancelToken* cancel,
                     std::byte* workspace);

}  // namespace lapidary
