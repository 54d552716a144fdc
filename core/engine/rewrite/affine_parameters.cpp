// SPDX-License-Identifier: Apache-2.0
#include "rewrite/affine_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

StoredRange half_range(DType dtype) {
    switch (dtype) {
    case DType::u8: return {0, 127};
    case DType::i8: return {-64, 64};
    case DType::u16: return {0, 32767};
    case DType::i16: return {-16384, 16384};
    case DType::u4: return {0, 7};
    default: return {-4, 3};  // i4: whole_range() refuses the others
    }
}

}  // namespace

StoredRange whole_range(DType dtype) {
    switch (dtype) {
    case DType::u8: return {0, 255};
    case DType::i8: return {-128, 127};
    case DType::u16: return {0, 65535};
    case DType::i16: return {-32768, 32767};
    case DType::u4: return {0, 15};
    case DType::i4: return {-8, 7};
    default:
        fail_input("tensors are quantized to i8, u8, i16, u16, i4 or u4, not to " +
                   std::string(name_of(dtype)));
    }
}

StoredRange stored_range(const AffineFormat& format) {
    const StoredRange whole = whole_range(format.dtype);
    if (format.reduced) return half_range(format.dtype);
    if (format.symmetric && (format.dtype == DType::i8 || format.dtype == DType::i16))
        return {whole.lowest + 1, whole.highest};
    return whole;
}

AffineParameters affine_parameters(float low, float high, const AffineFormat& format) {
    if (!std::isfinite(low) || !std::isfinite(high) || low > high)
        fail_input("a range to quantize is finite and in order, not [" + std::to_string(low) +
                   ", " + std::to_string(high) + "]");
    low = std::min(low, 0.0f);
    high = std::max(high, 0.0f);
    if (format.symmetric) {
        high = std::max(-low, high);
        low = -high;
    }
    const StoredRange stored = stored_range(format);
    const double scale =
        (static_cast<double>(high) - static_cast<double>(low)) / (stored.highest - stored.lowest);
    if (scale < static_cast<double>(std::numeric_limits<float>::min())) return {1, 0};
    const double zero_point =
        format.symmetric ? std::nearbyint((stored.lowest + stored.highest) / 2.0)
                         : std::nearbyint(stored.lowest - static_cast<double>(low) / scale);
    return {static_cast<float>(scale), static_cast<std::int32_t>(zero_point)};
}

std::int32_t stored_value(float value, const AffineParameters& parameters,
                          const StoredRange& range) {
    const float level =
        std::nearbyint(value / parameters.scale) + static_cast<float>(parameters.zero_point);
    if (!(level > static_cast<float>(range.lowest))) return range.lowest;
    return level >= static_cast<float>(range.highest) ? range.highest
                                                      : static_cast<std::int32_t>(level);
}

}  // namespace lapidary
