// SPDX-License-Identifier: Apache-2.0
// The innermost loop of matrix_product.h, for the widest vectors that this CPU offers. All variants
// do the same multiplications and additions in the same order per element (no fused multiply-add),
// so they agree to the last bit.
#pragma once

#include <cstdint>

namespace lapidary::reference {

inline constexpr int tile_rows = 6;

/// c[r * c_stride + j] += sum over k of a[r * a_stride + k] * panel[k * panel_columns + j], for all
/// columns of a panel and tile_rows rows (`rows`) or one row (`row`).
template <typename T>
struct ProductTile {
    using Function = void (*)(std::int64_t k_count, const T* a, std::int64_t a_stride,
                              const T* panel, T* c, std::int64_t c_stride);
    Function rows;
    Function row;
};

/// Chosen once per process.
template <typename T>
const ProductTile<T>& product_tile();

}  // namespace lapidary::reference
