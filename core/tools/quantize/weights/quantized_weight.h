// SPDX-License-Identifier: Apache-2.0
// Constants as integers with their scales: per tensor, per channel or per block of a channel.
#pragma once

#include <cstdint>
#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "quantize/weights/affine_parameters.h"

namespace lapidary {

struct WeightFormat {
    AffineFormat values{DType::i8, true, false};
    // of the channels, or of the blocks; nothing: one scale for the tensor
    std::optional<std::int64_t> axis;
    // elements of a block along `axis`; 0: one scale per index of `axis`
    std::int64_t block = 0;
};

/// `values` has the weight's shape; `scale` (f32) and `zero_point` (of the format's type) are
/// scalars, [channels], or the weight's shape with ceil(size / block) at `axis`, as
/// DequantizeLinear of ONNX wants them (blocks: opset 21).
struct QuantizedWeight {
    Tensor values, scale, zero_point;
    WeightFormat format;
};

/// Scales from the smallest and largest element, as ONNX Runtime's quantize_data,
/// quantize_weight_per_channel and compute_scale_zp_blocked take them. `weight`: f32 of any rank;
/// blocks need rank 2. Throws invalid_input for another type, an axis that the shape lacks, or
/// elements that are not finite; cancelled.
QuantizedWeight quantize_weight(const Tensor& weight, const WeightFormat& format,
                                const CancelToken& cancel = {});

/// The same weight with given scales and zero points, in the shapes of QuantizedWeight.
QuantizedWeight quantize_weight_with(const Tensor& weight, const Tensor& scale,
                                     const Tensor& zero_point, const WeightFormat& format,
                                     const CancelToken& cancel = {});

/// f32: what the integers stand for, (value - zero_point) * scale in float32.
Tensor dequantized(const QuantizedWeight& weight, const CancelToken& cancel = {});

/// f32 with its last two axes exchanged.
Tensor swapped_axes(const Tensor& from);

/// A tensor of the format's type, packed where it is of 4 bits.
Tensor stored_tensor(DType dtype, const Shape& shape, const std::vector<std::int32_t>& values);
/// The integers of such a tensor.
std::vector<std::int32_t> stored_values(const Tensor& tensor);

}  // namespace lapidary
