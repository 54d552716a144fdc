// SPDX-License-Identifier: Apache-2.0
// Products of many rows with both sides and short sums in float16 (vector/product/half_tiles.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/product/packed_product.h"

namespace lapidary {

/// True where the product allows it and the CPU has arithmetic of float16.
bool prefers_halves(const Product& product);
/// Bytes of workspace for this many workers.
std::size_t halves_workspace(const Product& product, int workers);
/// Elements from 16 columns of a matrix to the next, where these stand apart, as blocks of channels
/// do. 0: rows are contiguous.
struct ColumnBlocks {
    std::int64_t a = 0;  // of A, which is not transposed and has a multiple of 16 columns
    std::int64_t c = 0;  // of C and the residual, likewise
};
/// `pool` and `cancel` may be null. Results do not depend on the number of workers, nor on blocks.
void multiply_halves(const Product& product, ThreadPool* pool, const CancelToken* cancel,
                     std::byte* workspace, const ColumnBlocks& blocks = {});

}  // namespace lapidary
