// SPDX-License-Identifier: Apache-2.0
// Reads scales and zero points for 8-bit kernels.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/kernel.h"
#include "kernels/vector/integer/byte_elements.h"

namespace lapidary {

// elements that one core converts in a few microseconds
inline constexpr std::int64_t converted_grain = 1 << 15;

inline bool is_byte(DType t) { return t == DType::u8 || t == DType::i8; }

/// Number of elements of an input if its static type or initializer gives it, else -1. An omitted
/// input has 0.
std::int64_t known_size(const KernelRequest& request, std::size_t input);
/// Why an 8-bit kernel does not take the input; "" when it is omitted or holds one value. `name`
/// names the input in the reason.
std::string why_not_one(const KernelRequest& request, std::size_t input, const char* name);
/// Why the input does not have this type; "" when it does or is omitted.
std::string why_not_type(const KernelRequest& request, std::size_t input, DType wanted,
                         const char* name);

/// The one value of a scale; throws invalid_input naming the input for more than one or another
/// type than f32.
float scale_of(const KernelContext& context, std::size_t input);
/// The one value of a zero point of 8 bits, 0 when it is omitted.
std::int32_t zero_point_of(const KernelContext& context, std::size_t input);
/// Element `index` of an 8-bit tensor.
inline std::int32_t byte_at(const Tensor& t, std::int64_t index) {
    return t.dtype() == DType::i8 ? std::int32_t{static_cast<const std::int8_t*>(t.raw())[index]}
                                  : std::int32_t{static_cast<const std::uint8_t*>(t.raw())[index]};
}
/// Inputs `first` (scale) and `first + 1` (zero point).
inline ByteScale byte_scale_of(const KernelContext& context, std::size_t first) {
    return {scale_of(context, first), zero_point_of(context, first + 1)};
}

/// What DynamicQuantizeLinear chooses for values in [low, high], which holds 0.
ByteScale dynamic_byte_scale(float low, float high);
/// The same for the range of x extended to include 0, computed on all workers.
ByteScale dynamic_byte_scale(const float* x, std::int64_t count, ThreadPool& pool);

}  // namespace lapidary
