// SPDX-License-Identifier: Apache-2.0
// Storage types of the small floating-point formats. Arithmetic is done in float: each converts to
// and from float with round to nearest, ties to even.
#pragma once

#include <cstdint>
#include <cstring>

namespace lapidary {

float half_bits_to_float(std::uint16_t bits);  // IEEE 754 binary16
/// Rounds to nearest, ties to even; beyond 65504 to infinity.
std::uint16_t float_to_half_bits(float value);
/// float8 and float4 formats of ONNX (opset 19, 23). `saturate` is Cast's attribute: finite
/// overflow and infinity become the largest finite value instead of NaN or infinity.
float f8e4m3fn_to_float(std::uint8_t bits);
float f8e4m3fnuz_to_float(std::uint8_t bits);
float f8e5m2_to_float(std::uint8_t bits);
float f8e5m2fnuz_to_float(std::uint8_t bits);
float f4e2m1_to_float(std::uint8_t nibble);
float f8e8m0_to_float(std::uint8_t bits);
std::uint8_t float_to_f8e4m3fn(float value, bool saturate = true);
std::uint8_t float_to_f8e4m3fnuz(float value, bool saturate = true);
std::uint8_t float_to_f8e5m2(float value, bool saturate = true);
std::uint8_t float_to_f8e5m2fnuz(float value, bool saturate = true);
std::uint8_t float_to_f4e2m1(float value);
/// Cast's round_mode, for types without a mantissa.
enum class PowerRounding { up, down, nearest };
/// The power of two next to the magnitude; the sign is lost, NaN and infinities become NaN. What
/// would round beyond 2^127 stays there with `saturate`, else becomes NaN.
std::uint8_t float_to_f8e8m0(float value, bool saturate = true,
                             PowerRounding rounding = PowerRounding::up);

/// IEEE 754 binary16 as stored.
struct Half {
    std::uint16_t bits = 0;  // sign, 5 bits of exponent, 10 of mantissa
    Half() = default;
    Half(float value) : bits(float_to_half_bits(value)) {}       // rounds to nearest, ties to even
    operator float() const { return half_bits_to_float(bits); }  // exact
};

/// Bfloat16 as stored: the upper half of a float.
struct BFloat16 {
    std::uint16_t bits = 0;  // sign, 8 bits of exponent, 7 of mantissa
    BFloat16() = default;
    /// Rounds to nearest, ties to even; NaN stays NaN.
    BFloat16(float value) {
        std::uint32_t u;
        std::memcpy(&u, &value, 4);
        if ((u & 0x7fffffffu) > 0x7f800000u) bits = static_cast<std::uint16_t>((u >> 16) | 0x40u);
        else bits = static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
    }
    /// Exact.
    operator float() const {
        const std::uint32_t u = static_cast<std::uint32_t>(bits) << 16;
        float value;
        std::memcpy(&value, &u, 4);
        return value;
    }
};

}  // namespace lapidary
