// SPDX-License-Identifier: Apache-2.0
// Constant right operands in panels.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/kernel.h"

namespace lapidary {

/// `matrices` matrices [inner, columns] one after the other in `source` (each turned: [columns, inner]), each packed for
/// multiply(): matrix i starts at matrix_floats() * i.
struct ProductWeight {
    std::shared_ptr<const PackedWeight> packed;
    std::int64_t inner = 0, columns = 0;

    std::int64_t matrix_floats() const;
    const float* matrix(std::int64_t index) const { return packed->as<float>() + index * matrix_floats(); }
};

/// `source` is float32.
ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices, std::int64_t inner, std::int64_t columns, bool turned);

}  // namespace lapidary
