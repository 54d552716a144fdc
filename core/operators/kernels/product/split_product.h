// SPDX-License-Identifier: Apache-2.0
// Products of float32 with many rows and columns by tile registers, as exact as by multiply-adds of
// float32 (vector/product/split_tiles.h).
#pragma once

#include <cstddef>

#include "kernels/product/packed_product.h"
#include "kernels/vector/product/split_tiles.h"

namespace lapidary {

/// Elements from 16 columns of a matrix to the next, where these stand apart, as blocks of channels
/// do. 0: rows are contiguous.
struct SplitBlocks {
    std::int64_t a = 0;  // of A, which has a multiple of 16 columns
    std::int64_t b = 0;  // of Product::b, likewise, which is not transposed
    std::int64_t c = 0;  // of C and the residual, likewise
};

/// True where the product is large enough and the CPU, as measured, multiplies split numbers by
/// tiles faster than float32.
bool prefers_splitting(const Product& product);
/// Bytes of workspace for this many workers.
std::size_t split_workspace(const Product& product, int workers);
/// For a product that is not transposed on the left. Blocks with numbers that tiles do not take are
/// multiplied as floats. `pool` and `cancel` may be null. Results do not depend on the number of
/// workers, nor on blocks. `kernels`: split_tile_kernels(), but for tests.
void multiply_split(const Product& product, ThreadPool* pool, const CancelToken* cancel,
                    std::byte* workspace, const SplitTileKernels& kernels,
                    const SplitBlocks& blocks = {});

}  // namespace lapidary
