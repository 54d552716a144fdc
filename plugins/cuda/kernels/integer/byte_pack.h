// SPDX-License-Identifier: Apache-2.0
// Copies of byte matrices whose rows are aligned to 16 bytes and padded with zeros.
#pragma once

#include <cstdint>

#include "kernels/product/product.h"

namespace lapidary::cuda {

/// Copies a strided matrix to to[batch, rows, pitch]. `pitch` is a multiple of 16.
struct BytePack {
    const std::uint8_t* from = nullptr;
    std::uint8_t* to = nullptr;
    std::int32_t rows = 0, columns = 0, row = 0, column = 1, pitch = 0;
    std::int32_t batch = 1, batch_rank = 0;
    std::int32_t batch_dims[batch_axes] = {}, batch_strides[batch_axes] = {};

    std::int64_t bytes() const { return std::int64_t{batch} * rows * pitch; }
};
/// Packs both in one launch. A matrix without rows is skipped.
void launch_byte_packs(Queue& queue, const BytePack& first, const BytePack& second);

}  // namespace lapidary::cuda
