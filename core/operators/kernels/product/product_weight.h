// SPDX-License-Identifier: Apache-2.0
// Constant right operands in panels.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/kernel.h"
#include "kernels/product/packed_product.h"

namespace lapidary {

/// `matrices` matrices [inner, columns] one after the other in `source` (with `turned`: [columns,
/// inner]), each packed for multiply(). A matrix of at most 4 columns is stored transposed.
struct ProductWeight {
    std::shared_ptr<const PackedWeight> packed;
    std::int64_t inner = 0, columns = 0;

    /// Makes matrix `index` the right operand.
    void put(Product& product, std::int64_t index = 0) const;
    bool is_transposed() const { return columns <= 4; }
    std::int64_t matrix_floats() const;
};

/// `source` is float32 or float16 (widened while it is packed).
ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices,
                          std::int64_t inner, std::int64_t columns, bool turned);

}  // namespace lapidary
