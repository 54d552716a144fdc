// SPDX-License-Identifier: Apache-2.0
// How the sums of a quantized product become its result: offsets for zero points, scales, bias and
// activation.
#pragma once

#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantized_product_roles.h"
#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/integer/byte_elements.h"

namespace lapidary {

/// Arrays per column that the vector code may read 64 elements beyond.
struct ProductColumns {
    std::int32_t *offsets, *zeros;
    float *scales, *bias;
};

struct QuantizedProductFinish {
    QuantizedProductRoles roles;
    Activation activation;
    float alpha = 1;  // factor of the product

    /// Everything of ByteFinish except its output; fills the arrays of `columns`. `packed` is B in
    /// `layout`, `a_quantization` the scale and zero point of A. Throws invalid_input for a zero
    /// point of B of another type than B, and for parameters that hold neither one value nor one
    /// for each column.
    ByteFinish of(KernelContext& context, const ByteLayout& layout, const std::byte* packed,
                  DType a_dtype, DType b_dtype, ByteScale a_quantization,
                  const ProductColumns& columns) const;
    /// The input with this role. Null: the operator has no such input, or the node omits it.
    const Tensor* optional(KernelContext& context, int role) const;
};

}  // namespace lapidary
