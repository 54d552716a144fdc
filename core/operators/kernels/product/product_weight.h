// SPDX-License-Identifier: Apache-2.0
// Constant right operands in panels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/kernel.h"
#include "kernels/product/packed_product.h"

namespace lapidary {

/// `matrices` matrices [inner, columns] one after the other in `source` (with `turned`: [columns,
/// inner]), each packed for multiply(), in 16 bits where the source has no more. A matrix of at
/// most 4 columns is stored transposed, as floats.
struct ProductWeight {
    std::shared_ptr<const PackedWeight> packed;
    std::int64_t inner = 0, columns = 0;
    std::optional<HalfFormat> half;  // nothing: the elements are floats
    bool rounds_inputs = false;      // Product::rounds_a

    /// Inputs may be rounded, too, where the elements are of the type `to`.
    void allow_rounding(DType to);

    /// Makes matrix `index` the right operand.
    void put(Product& product, std::int64_t index = 0) const;
    bool is_transposed() const { return columns <= 4; }
    std::int64_t element_bytes() const { return half ? 2 : 4; }
    /// Of one matrix, rounded up to whole cache lines.
    std::int64_t matrix_elements() const;
};

/// `source` is float32 or float16; widened() tensors are packed as the 16-bit floats they are made
/// of.
ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices,
                          std::int64_t inner, std::int64_t columns, bool turned);

}  // namespace lapidary
