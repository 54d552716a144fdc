// SPDX-License-Identifier: Apache-2.0
// Conversion between any two element types by way of three carriers: double, int64 and uint64, each
// of which holds every value of the source types that use it.
#include "kernels/reference/elementwise/cast_elements.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <lapidary/base/error.h>

#include "kernels/dispatch.h"
#include "kernels/reference/elementwise/elementwise_map.h"
#include "tensor/packed_elements.h"

namespace lapidary::reference {
namespace {

constexpr std::int64_t block = 512;

/// Rounds to odd: a later rounding to a type of 22 bits of precision or fewer is then the same as
/// one rounding from the double.
float narrowed(double value) {
    const float rounded = static_cast<float>(value);
    if (std::isnan(value) || std::isinf(rounded) || static_cast<double>(rounded) == value)
        return rounded;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
    if (std::fabs(static_cast<double>(rounded)) > std::fabs(value)) --bits;
    return std::bit_cast<float>(bits | 1u);
}

template <typename To>
To to_integer(double value) {
    if (std::isnan(value)) return 0;
    constexpr double lowest = static_cast<double>(std::numeric_limits<To>::min());
    // 2^63 and 2^64 for the 64-bit types
    constexpr double highest = static_cast<double>(std::numeric_limits<To>::max());
    if (value <= lowest) return std::numeric_limits<To>::min();
    if (value >= highest) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
}

template <typename To>
To to_integer(std::int64_t value) {
    return static_cast<To>(value);
}
template <typename To>
To to_integer(std::uint64_t value) {
    return static_cast<To>(value);
}

template <typename From, typename Carrier>
void load_as(const Tensor& x, std::int64_t begin, std::int64_t n, Carrier* out) {
    const From* in = x.data<From>().data() + begin;
    for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>)
            out[i] = static_cast<float>(in[i]);
        else out[i] = static_cast<Carrier>(in[i]);
    }
}

template <typename Decode, typename Carrier>
void load_bytes(const Tensor& x, std::int64_t begin, std::int64_t n, Carrier* out, Decode decode) {
    const auto* in = static_cast<const std::uint8_t*>(x.raw()) + begin;
    for (std::int64_t i = 0; i < n; ++i) out[i] = decode(in[i]);
}

void load(const Tensor& x, std::int64_t begin, std::int64_t n, double* out) {
    switch (x.dtype()) {
    case DType::f32: load_as<float>(x, begin, n, out); break;
    case DType::f64: load_as<double>(x, begin, n, out); break;
    case DType::f16: load_as<Half>(x, begin, n, out); break;
    case DType::bf16: load_as<BFloat16>(x, begin, n, out); break;
    case DType::f8e4m3fn: load_bytes(x, begin, n, out, f8e4m3fn_to_float); break;
    case DType::f8e4m3fnuz: load_bytes(x, begin, n, out, f8e4m3fnuz_to_float); break;
    case DType::f8e5m2: load_bytes(x, begin, n, out, f8e5m2_to_float); break;
    case DType::f8e5m2fnuz: load_bytes(x, begin, n, out, f8e5m2fnuz_to_float); break;
    case DType::f8e8m0: load_bytes(x, begin, n, out, f8e8m0_to_float); break;
    default:
        for (std::int64_t i = 0; i < n; ++i) out[i] = f4e2m1_to_float(packed_at(x, begin + i));
    }
}

void load(const Tensor& x, std::int64_t begin, std::int64_t n, std::int64_t* out) {
    switch (x.dtype()) {
    case DType::boolean:
        load_bytes(x, begin, n, out, [](std::uint8_t b) { return std::int64_t{b != 0}; });
        break;
    case DType::u2:
    case DType::u4:
        for (std::int64_t i = 0; i < n; ++i) out[i] = packed_at(x, begin + i);
        break;
    case DType::i2:
    case DType::i4:
        for (std::int64_t i = 0; i < n; ++i) out[i] = signed_packed_at(x, begin + i);
        break;
    default:
        dispatch<TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                          std::uint16_t, std::uint32_t>>(
            x.dtype(), [&]<typename T>() { load_as<T>(x, begin, n, out); });
    }
}

void load(const Tensor& x, std::int64_t begin, std::int64_t n, std::uint64_t* out) {
    load_as<std::uint64_t>(x, begin, n, out);
}

template <typename Carrier>
void store(const Carrier* in, Tensor& y, std::int64_t begin, std::int64_t n, CastRounding how) {
    const auto fill = [&](auto* out, auto convert) {
        for (std::int64_t i = 0; i < n; ++i) out[begin + i] = convert(in[i]);
    };
    const auto narrow = [](Carrier v) { return narrowed(static_cast<double>(v)); };
    auto* bytes = static_cast<std::uint8_t*>(y.mutable_raw());
    switch (y.dtype()) {
    case DType::f32:
        fill(y.mutable_data<float>().data(), [](Carrier v) { return static_cast<float>(v); });
        break;
    case DType::f64:
        fill(y.mutable_data<double>().data(), [](Carrier v) { return static_cast<double>(v); });
        break;
    case DType::f16:
        fill(y.mutable_data<Half>().data(), [&](Carrier v) { return Half(narrow(v)); });
        break;
    case DType::bf16:
        fill(y.mutable_data<BFloat16>().data(), [&](Carrier v) { return BFloat16(narrow(v)); });
        break;
    case DType::boolean:
        fill(y.mutable_data<bool>().data(), [](Carrier v) { return v != 0; });
        break;
    case DType::f8e4m3fn:
        fill(bytes, [&](Carrier v) { return float_to_f8e4m3fn(narrow(v), how.saturate); });
        break;
    case DType::f8e4m3fnuz:
        fill(bytes, [&](Carrier v) { return float_to_f8e4m3fnuz(narrow(v), how.saturate); });
        break;
    case DType::f8e5m2:
        fill(bytes, [&](Carrier v) { return float_to_f8e5m2(narrow(v), how.saturate); });
        break;
    case DType::f8e5m2fnuz:
        fill(bytes, [&](Carrier v) { return float_to_f8e5m2fnuz(narrow(v), how.saturate); });
        break;
    case DType::f8e8m0:
        fill(bytes,
             [&](Carrier v) { return float_to_f8e8m0(narrow(v), how.saturate, how.powers); });
        break;
    case DType::f4e2m1:
        for (std::int64_t i = 0; i < n; ++i)
            set_packed(y, begin + i, float_to_f4e2m1(narrow(in[i])));
        break;
    case DType::u2:
    case DType::i2:
    case DType::u4:
    case DType::i4:
        for (std::int64_t i = 0; i < n; ++i)
            set_packed(y, begin + i, static_cast<std::uint8_t>(to_integer<std::int64_t>(in[i])));
        break;
    default:
        dispatch<IntegerTypes>(y.dtype(), [&]<typename T>() {
            fill(y.mutable_data<T>().data(), [](Carrier v) { return to_integer<T>(v); });
        });
    }
}

template <typename Carrier>
void convert_numbers(KernelContext& context, const Tensor& x, Tensor& y, CastRounding how) {
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        Carrier values[block];
        for (std::int64_t b = begin; b < end; b += block) {
            const std::int64_t n = std::min(block, end - b);
            load(x, b, n, values);
            store(values, y, b, n, how);
        }
    };
    // Several elements share a byte: one thread writes them all.
    if (is_packed(y.dtype())) for_ranges(context, x.size(), body, x.size());
    else for_ranges(context, x.size(), body);
}

void text_to_numbers(const Tensor& x, Tensor& y, CastRounding how) {
    const auto in = x.data<std::string>();
    for (std::int64_t i = 0; i < x.size(); ++i) {
        const std::string& text = in[i];
        if (is_integer(y.dtype())) {
            // Exact for all 64 bits where the text is a plain integer.
            std::int64_t whole = 0;
            std::uint64_t natural = 0;
            const char* first = text.data();
            const char* last = first + text.size();
            if (auto r = std::from_chars(first, last, whole);
                r.ec == std::errc() && r.ptr == last) {
                store(&whole, y, i, 1, how);
                continue;
            }
            if (auto r = std::from_chars(first, last, natural);
                r.ec == std::errc() && r.ptr == last) {
                store(&natural, y, i, 1, how);
                continue;
            }
        }
        const double value = parse_number(text);
        store(&value, y, i, 1, how);
    }
}

template <typename Carrier>
void numbers_to_text(const Tensor& x, std::span<std::string> out) {
    for (std::int64_t i = 0; i < x.size(); ++i) {
        Carrier value{};
        load(x, i, 1, &value);
        if constexpr (!std::is_same_v<Carrier, double>) out[i] = std::to_string(value);
        else
            out[i] = x.dtype() == DType::f64 ? number_text(value)
                                             : number_text(static_cast<float>(value));
    }
}

template <typename T>
std::string text_of(T value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

enum class Carrier { real, integer, natural, text };

Carrier carrier_of(DType dtype) {
    if (dtype == DType::string) return Carrier::text;
    if (dtype == DType::u64) return Carrier::natural;
    if (is_float(dtype)) return Carrier::real;
    if (is_integer(dtype) || dtype == DType::boolean) return Carrier::integer;
    fail_unsupported("element type " + std::string(name_of(dtype)) + " cannot be converted");
}

}  // namespace

double parse_number(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    const auto end = text.find_last_not_of(" \t\r\n");
    double value = 0;
    if (begin != std::string::npos) {
        const char* first = text.data() + begin;
        const char* last = text.data() + end + 1;
        if (*first == '+' && last - first > 1 && first[1] != '-') ++first;
        const auto result = std::from_chars(first, last, value);
        if (result.ptr == last && result.ec == std::errc()) return value;
        if (result.ptr == last && result.ec == std::errc::result_out_of_range) {
            const std::string_view number(first, last);
            const bool tiny = number.find("e-") != number.npos ||
                              number.find("E-") != number.npos || number.find("0.") <= 1;
            const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
            return *first == '-' ? -magnitude : magnitude;
        }
    }
    fail_input("the text " + quote(text) + " is not a number");
}

std::string number_text(float value) { return text_of(value); }
std::string number_text(double value) { return text_of(value); }

void cast_elements(KernelContext& context, const Tensor& x, Tensor& y, CastRounding how) {
    const Carrier from = carrier_of(x.dtype());
    carrier_of(y.dtype());
    if (x.dtype() == y.dtype() && from != Carrier::text) {
        if (x.byte_size() > 0) std::memcpy(y.mutable_raw(), x.raw(), x.byte_size());
        return;
    }
    if (y.dtype() == DType::string) {
        const auto out = y.mutable_data<std::string>();
        switch (from) {
        case Carrier::real: numbers_to_text<double>(x, out); break;
        case Carrier::integer: numbers_to_text<std::int64_t>(x, out); break;
        case Carrier::natural: numbers_to_text<std::uint64_t>(x, out); break;
        case Carrier::text: std::ranges::copy(x.data<std::string>(), out.begin()); break;
        }
        return;
    }
    switch (from) {
    case Carrier::real: convert_numbers<double>(context, x, y, how); break;
    case Carrier::integer: convert_numbers<std::int64_t>(context, x, y, how); break;
    case Carrier::natural: convert_numbers<std::uint64_t>(context, x, y, how); break;
    case Carrier::text: text_to_numbers(x, y, how); break;
    }
}

}  // namespace lapidary::reference
