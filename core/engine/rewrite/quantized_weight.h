// SPDX-License-Identifier: Apache-2.0
// Constants as integers with scales: per tensor, per channel or per block of a channel.
#pragma once

#include <cstdint>
#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "rewrite/affine_parameters.h"

namespace lapidary {

struct WeightFormat {
    AffineFormat values{DType::i8, true, false};
    // axis of the channels or of the blocks; empty: one scale for the tensor
    std::optional<std::int64_t> axis;
    // elements of a block along `axis`; 0: one scale per index of `axis`
    std::int64_t block = 0;
};

/// `values` has the weight's shape. `scale` (f32) and `zero_point` (of the format's type) are
/// scalars, [channels], or the weight's shape with ceil(size / block) at `axis`, as ONNX
/// DequantizeLinear takes them (blocks: opset 21).
struct QuantizedWeight {
    Tensor values, scale, zero_point;
    WeightFormat format;
};

/// Takes scales from the smallest and largest element, like ONNX Runtime's quantize_data,
/// quantize_weight_per_channel and compute_scale_zp_blocked. `weight`: f32 of any rank; blocks need
/// rank 2. Throws invalid_input for another type, an axis that the shape does not have, or elements
/// that are not finite; cancelled.
QuantizedWeight quantize_weight(const Tensor& weight, const WeightFormat& format,
                                const CancelToken& cancel = {});

/// The same weight with given scales and zero points, in the shapes of QuantizedWeight.
QuantizedWeight quantize_weight_with(const Tensor& weight, const Tensor& scale,
                                     const Tensor& zero_point, const WeightFormat& format,
                                     const CancelToken& cancel = {});

/// The f32 weight that the integers represent: (value - zero_point) * scale in float32.
Tensor dequantized(const QuantizedWeight& weight, const CancelToken& cancel = {});

/// An f32 tensor with its last two axes exchanged.
Tensor swapped_axes(const Tensor& from);

/// A tensor of the format's type; 4-bit types are packed.
Tensor stored_tensor(DType dtype, const Shape& shape, const std::vector<std::int32_t>& values);
/// The integers of a tensor that stored_tensor() made.
std::vector<std::int32_t> stored_values(const Tensor& tensor);

}  // namespace lapidary
