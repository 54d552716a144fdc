// SPDX-License-Identifier: Apache-2.0
// Scale and zero point of an affine quantization, real = scale * (stored - zero_point), computed as
// ONNX Runtime's quantizer does.
#pragma once

#include <cstdint>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// How a tensor is stored: i8, u8, i16, u16, i4 or u4. `symmetric`: the range is widened to [-m,
/// m], and the zero point is the middle of the stored values. `reduced`: about half of the stored
/// values are used, for processors whose 8-bit products saturate.
struct AffineFormat {
    DType dtype = DType::u8;
    bool symmetric = false;
    bool reduced = false;
};

/// The stored values that a format may use, both ends included.
struct StoredRange {
    std::int32_t lowest = 0, highest = 0;
};

struct AffineParameters {
    float scale = 1;
    std::int32_t zero_point = 0;
    friend bool operator==(const AffineParameters&, const AffineParameters&) = default;
};

/// The range of the format. Symmetric signed types of 8 and 16 bits leave the lowest value out.
/// Throws invalid_input for other types.
StoredRange stored_range(const AffineFormat& format);

/// All values of the type. Stored values are clamped to them, also in a symmetric or reduced
/// format.
StoredRange whole_range(DType dtype);

/// ONNX Runtime's compute_scale_zp: [low, high] widened to hold 0, scale = (high - low) / (highest
/// - lowest) in float64 and stored as float32, zero point rounded half to even from the unrounded
/// scale. A range too small for a normal float32 scale gives {1, 0}. Throws invalid_input for
/// bounds that are not finite or out of order.
AffineParameters affine_parameters(float low, float high, const AffineFormat& format);

/// QuantizeLinear: clamp(rint(value / scale) + zero_point), the division in float32, half to even.
/// NaN: the lowest value.
std::int32_t stored_value(float value, const AffineParameters& parameters,
                          const StoredRange& range);

}  // namespace lapidary
