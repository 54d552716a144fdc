// SPDX-License-Identifier: Apache-2.0
// Scales and zero points: what every quantized operator shares.
#pragma once

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// How scales and zero points spread over a tensor: per tensor, along one axis, or in blocks along
/// one axis.
struct Granularity {
    /// Throws invalid_input naming both shapes when `scale` fits none of the three.
    Granularity(const Shape& x, const Shape& scale, std::int64_t axis, std::int64_t block_size);

    std::int64_t rows = 1, inner = 1;  // x as [rows, inner]; a row has consecutive (or one) scales
    std::int64_t step = 0;             // 1: each element of a row has its own scale
    /// Index of the first scale of a row.
    std::int64_t first_scale(std::int64_t row) const {
        return row / axis_length * outer_step + row % axis_length / block * inner_step;
    }

    std::int64_t axis_length = 1, block = 1, outer_step = 0, inner_step = 0;
};

/// saturate(round(x / scale) + zero_point) as `dtype`. `zero_point` may be null. The quotient is
/// rounded to `precision` first when that is a 16-bit float.
void quantize(KernelContext& context, const Tensor& x, const Tensor& scale,
              const Tensor* zero_point, const Granularity& granularity, DType precision,
              bool saturate, Tensor& y);
/// (x - zero_point) * scale in y's floating-point type.
void dequantize(KernelContext& context, const Tensor& x, const Tensor& scale,
                const Tensor* zero_point, const Granularity& granularity, Tensor& y);

/// Per tensor, or along `axis` when the scale has several elements: a new f32 tensor, for operators
/// that compute in float.
Tensor dequantized(KernelContext& context, const Tensor& x, const Tensor& scale,
                   const Tensor* zero_point, std::int64_t axis = 0);
/// Quantizes a float tensor per tensor into output `index` of type `dtype`.
void set_quantized(KernelContext& context, std::size_t index, const Tensor& x, const Tensor& scale,
                   const Tensor* zero_point, DType dtype);

/// The one element of a scalar or one-element tensor; throws invalid_input naming `what`.
double scalar_of(const Tensor& tensor, const char* what);

/// uint8 parameters that cover [min(x, 0), max(x, 0)], as DynamicQuantizeLinear chooses them.
struct DynamicRange {
    float scale;
    std::uint8_t zero_point;
};
DynamicRange dynamic_range(const float* x, std::int64_t count);

}  // namespace lapidary::reference
