// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/float16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

// A small float format with implicit leading one. `max_code` is the largest finite magnitude code;
// `infinity` and `nan` are codes (infinity 0: the format has none); fnuz formats have no negative
// zero.
struct Format {
    int exponent_bits, mantissa_bits, bias;
    std::uint8_t max_code, infinity, nan;
    bool fnuz;
};

constexpr Format e4m3fn{4, 3, 7, 0x7e, 0, 0x7f, false};
constexpr Format e4m3fnuz{4, 3, 8, 0x7f, 0, 0x80, true};
constexpr Format e5m2{5, 2, 15, 0x7b, 0x7c, 0x7f, false};
constexpr Format e5m2fnuz{5, 2, 16, 0x7f, 0, 0x80, true};

float decode(const Format& f, std::uint8_t bits) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    if (f.fnuz) {
        if (bits == f.nan) return nan;
    } else if ((bits & 0x7f) > f.max_code) {
        if (f.infinity && (bits & 0x7f) == f.infinity)
            return bits & 0x80 ? -std::numeric_limits<float>::infinity()
                               : std::numeric_limits<float>::infinity();
        return nan;
    }
    const int exponent = (bits & 0x7f) >> f.mantissa_bits;
    const int mantissa = bits & ((1 << f.mantissa_bits) - 1);
    const int last_place = std::max(exponent, 1) - f.bias - f.mantissa_bits;
    const int significand = exponent == 0 ? mantissa : (1 << f.mantissa_bits) | mantissa;
    const float magnitude = std::ldexp(static_cast<float>(significand), last_place);
    return bits & 0x80 ? -magnitude : magnitude;
}

std::uint8_t encode(const Format& f, float value, bool saturate) {
    const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
    const auto signed_nan = [&] {
        return f.fnuz ? f.nan : static_cast<std::uint8_t>(sign | f.nan);
    };
    if (std::isnan(value)) return signed_nan();
    const auto overflow = [&]() -> std::uint8_t {
        if (saturate) return sign | f.max_code;
        return f.infinity ? sign | f.infinity : signed_nan();
    };
    const float magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return overflow();
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude in [0.5, 1) * 2^exponent
    int last_place = std::max(exponent - 1, 1 - f.bias) - f.mantissa_bits;
    // ties to even
    double units = std::nearbyint(std::ldexp(static_cast<double>(magnitude), -last_place));
    if (units == 0) return f.fnuz ? 0 : sign;
    if (units >= std::ldexp(1.0, f.mantissa_bits + 1)) {  // rounding carried into the exponent
        units /= 2;
        ++last_place;
    }
    const int significand = static_cast<int>(units);
    const bool subnormal = significand < (1 << f.mantissa_bits);
    const int code = subnormal ? significand
                               : ((last_place + f.mantissa_bits + f.bias) << f.mantissa_bits) |
                                     (significand & ((1 << f.mantissa_bits) - 1));
    return code > f.max_code ? overflow() : static_cast<std::uint8_t>(sign | code);
}

}  // namespace

float half_bits_to_float(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t float_to_half_bits(float value) {
    const std::uint32_t u = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((u >> 16) & 0x8000u);
    const std::uint32_t magnitude = u & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to at least 65520: infinity
    // below 2^-14: subnormal, by the adder's own rounding
    if (magnitude < 0x38800000u) {
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign |
                                          (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

float f8e4m3fn_to_float(std::uint8_t bits) { return decode(e4m3fn, bits); }
float f8e4m3fnuz_to_float(std::uint8_t bits) { return decode(e4m3fnuz, bits); }
float f8e5m2_to_float(std::uint8_t bits) { return decode(e5m2, bits); }
float f8e5m2fnuz_to_float(std::uint8_t bits) { return decode(e5m2fnuz, bits); }
std::uint8_t float_to_f8e4m3fn(float value, bool saturate) {
    return encode(e4m3fn, value, saturate);
}
std::uint8_t float_to_f8e4m3fnuz(float value, bool saturate) {
    return encode(e4m3fnuz, value, saturate);
}
std::uint8_t float_to_f8e5m2(float value, bool saturate) { return encode(e5m2, value, saturate); }
std::uint8_t float_to_f8e5m2fnuz(float value, bool saturate) {
    return encode(e5m2fnuz, value, saturate);
}

float f4e2m1_to_float(std::uint8_t nibble) {
    static constexpr float magnitudes[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    return nibble & 8 ? -magnitudes[nibble & 7] : magnitudes[nibble & 7];
}

std::uint8_t float_to_f4e2m1(float value) {
    // The format has no NaN; ONNX Cast maps NaN to the largest positive value and saturates
    // infinities.
    if (std::isnan(value)) return 7;
    const std::uint8_t sign = std::signbit(value) ? 8 : 0;
    const float m = std::fabs(value);
    // Midpoints go to the even code.
    const int code = m <= 0.25f   ? 0
                     : m < 0.75f  ? 1
                     : m <= 1.25f ? 2
                     : m < 1.75f  ? 3
                     : m <= 2.5f  ? 4
                     : m < 3.5f   ? 5
                     : m <= 5     ? 6
                                  : 7;
    return static_cast<std::uint8_t>(sign | code);
}

float f8e8m0_to_float(std::uint8_t bits) {
    return bits == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, bits - 127);
}

std::uint8_t float_to_f8e8m0(float value, bool saturate, PowerRounding rounding) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t exponent = (bits >> 23) & 255, fraction = bits & 0x7fffff;
    if (exponent == 255) return 255;
    bool grows = false;
    if (rounding == PowerRounding::up) grows = fraction > 0;
    // Halfway goes up, but from 2^-127, which is even.
    if (rounding == PowerRounding::nearest)
        grows = fraction > 0x400000 || (fraction == 0x400000 && exponent > 0);
    if (grows && exponent == 254 && saturate) grows = false;
    return static_cast<std::uint8_t>(exponent + grows);
}

}  // namespace lapidary
