// SPDX-License-Identifier: Apache-2.0
#include "inputs/input_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <lapidary/base/error.h>

#include "base/at.h"
#include "kernels/dispatch.h"
#include "tensor/packed_elements.h"

namespace lapidary {

SeededNumbers::SeededNumbers(std::uint64_t seed, std::string_view name, const CancelToken& cancel)
    : state_(seed * 0x9e3779b97f4a7c15u), cancel_(cancel) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    state_ ^= hash;
}

std::uint64_t SeededNumbers::next() {  // SplitMix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double SeededNumbers::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double SeededNumbers::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::int64_t SeededNumbers::below(std::int64_t bound) {
    return bound < 1 ? 0 : static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
}

namespace {

bool has_any(const std::string& name, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

/// [N, C, H, W] or [N, H, W, C] of one or three channels and at least 16 pixels either way.
bool is_image_shape(const Shape& shape) {
    if (shape.size() != 4) return false;
    const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
    return (is_colour(shape[1]) && std::min(shape[2], shape[3]) >= 16) ||
           (is_colour(shape[3]) && std::min(shape[1], shape[2]) >= 16);
}

}  // namespace

InputRole role_of_name(const std::string& original, const Type& type, const Shape& shape) {
    const std::string name = lower(original);
    if (has_any(name, {"training", "is_train"})) return InputRole::setting_off;
    if (has_any(name, {"mask"})) return InputRole::mask;
    if (type.dtype == DType::i64 || type.dtype == DType::i32) {
        if (has_any(name, {"position", "pos_id"})) return InputRole::positions;
        if (has_any(name, {"length", "_len"}) || name.ends_with("lens")) return InputRole::lengths;
    }
    if (!is_float(type.dtype)) return InputRole::none;
    if (has_any(name, {"threshold", "score_thr", "iou"})) return InputRole::threshold;
    if (has_any(name, {"penalty", "temperature", "ratio"})) return InputRole::factor;
    return is_image_shape(shape) ? InputRole::image : InputRole::none;
}

namespace {

/// The bits of an 8-bit float, or of an element that shares a byte.
std::uint8_t small_element(DType dtype, double value) {
    const auto number = static_cast<float>(value);
    switch (dtype) {
    case DType::f8e4m3fn: return float_to_f8e4m3fn(number);
    case DType::f8e4m3fnuz: return float_to_f8e4m3fnuz(number);
    case DType::f8e5m2: return float_to_f8e5m2(number);
    case DType::f8e5m2fnuz: return float_to_f8e5m2fnuz(number);
    case DType::f4e2m1: return float_to_f4e2m1(number);
    case DType::f8e8m0: return float_to_f8e8m0(number);
    case DType::i4:
        return static_cast<std::uint8_t>(static_cast<int>(std::clamp(value, -8.0, 7.0)));
    case DType::i2:
        return static_cast<std::uint8_t>(static_cast<int>(std::clamp(value, -2.0, 1.0)));
    default:
        return static_cast<std::uint8_t>(std::clamp(value, 0.0, dtype == DType::u2 ? 3.0 : 15.0));
    }
}

/// Stores doubles into any numeric type: rounded and clamped to the range of an integer type.
template <typename F>
Tensor fill(const SeededNumbers& numbers, DType dtype, const Shape& shape, F&& value_at) {
    Tensor tensor(dtype, shape);
    const auto count = static_cast<std::size_t>(tensor.size());
    if (is_packed(dtype) || (is_float(dtype) && bit_width(dtype) == 8)) {
        auto* bytes = static_cast<std::uint8_t*>(tensor.mutable_raw());
        std::fill(bytes, bytes + tensor.byte_size(), std::uint8_t{0});
        for (std::size_t i = 0; i < count; ++i) {
            numbers.allow_cancel(i);
            const std::uint8_t bits = small_element(dtype, value_at(i));
            if (is_packed(dtype)) set_packed(tensor, static_cast<std::int64_t>(i), bits);
            else bytes[i] = bits;
        }
        return tensor;
    }
    dispatch<NumericOrBoolTypes>(dtype, [&]<typename T>() {
        auto out = tensor.mutable_data<T>();
        for (std::size_t i = 0; i < count; ++i) {
            numbers.allow_cancel(i);
            const double value = value_at(i);
            if constexpr (std::is_same_v<T, bool>) {
                out[i] = value != 0;
            } else if constexpr (std::is_integral_v<T>) {
                // the doubles next to the ends of 64-bit types lie outside them
                const double low = static_cast<double>(std::numeric_limits<T>::min()),
                             high = static_cast<double>(std::numeric_limits<T>::max());
                out[i] = value >= high  ? std::numeric_limits<T>::max()
                         : value <= low ? std::numeric_limits<T>::min()
                                        : static_cast<T>(value);
            } else {
                out[i] = T(static_cast<float>(value));
            }
        }
    });
    return tensor;
}

Tensor fill_strings(const Shape& shape, const InputUsage& usage, SeededNumbers& numbers) {
    static const std::vector<std::string> words = {"amber",   "basalt", "coral",  "diamond",
                                                   "emerald", "flint",  "garnet", "jade"};
    const auto& choices = usage.known_strings.empty() ? words : usage.known_strings;
    Tensor tensor(DType::string, shape);
    std::size_t filled = 0;
    for (std::string& text : tensor.mutable_data<std::string>()) {
        numbers.allow_cancel(filled++);
        text = at(choices, numbers.below(static_cast<std::int64_t>(choices.size())));
    }
    return tensor;
}

Tensor fill_complex(DType dtype, const Shape& shape, SeededNumbers& numbers) {
    Tensor tensor(dtype, shape);
    if (dtype == DType::complex64)
        for (auto& value : tensor.mutable_data<std::complex<float>>())
            value = {static_cast<float>(numbers.normal()), static_cast<float>(numbers.normal())};
    else
        for (auto& value : tensor.mutable_data<std::complex<double>>())
            value = {numbers.normal(), numbers.normal()};
    return tensor;
}

Tensor fill_integers(DType dtype, const Shape& shape, InputRole role, const InputUsage& usage,
                     const InputSizes& sizes, SeededNumbers& numbers) {
    if (role == InputRole::positions) {
        const std::int64_t row = shape.empty() ? 1 : std::max<std::int64_t>(1, shape.back());
        const std::int64_t last =
            usage.below ? *usage.below - 1 : std::numeric_limits<std::int64_t>::max();
        return fill(numbers, dtype, shape, [&](std::size_t i) {
            return static_cast<double>(
                std::min(last, sizes.past_length() + static_cast<std::int64_t>(i) % row));
        });
    }
    if (usage.below)
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return static_cast<double>(numbers.below(*usage.below)); });
    if (role == InputRole::lengths)
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return static_cast<double>(sizes.new_length()); });
    if (bit_width(dtype) == 8) {
        const int low = dtype == DType::i8 ? -128 : 0;
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return static_cast<double>(low + numbers.below(256)); });
    }
    if (usage.is_positive)
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return static_cast<double>(1 + numbers.below(9)); });
    return fill(numbers, dtype, shape,
                [&](std::size_t) { return static_cast<double>(numbers.below(10)); });
}

Tensor fill_floats(DType dtype, const Shape& shape, InputRole role, const InputUsage& usage,
                   SeededNumbers& numbers) {
    if (usage.below)
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return static_cast<double>(numbers.below(*usage.below)); });
    if (usage.within)
        return fill(numbers, dtype, shape, [&](std::size_t) {
            return usage.within->first +
                   (usage.within->second - usage.within->first) * numbers.uniform();
        });
    if (role == InputRole::threshold)
        return fill(numbers, dtype, shape, [](std::size_t) { return 0.5; });
    if (role == InputRole::factor)
        return fill(numbers, dtype, shape, [](std::size_t) { return 1.0; });
    if (usage.is_positive)
        return fill(numbers, dtype, shape,
                    [&](std::size_t) { return 0.01 + 0.09 * numbers.uniform(); });
    if (role == InputRole::image)
        return fill(numbers, dtype, shape, [&](std::size_t) { return numbers.uniform(); });
    return fill(numbers, dtype, shape, [&](std::size_t) { return numbers.normal(); });
}

}  // namespace

bool is_mask_input(const std::string& name, const Type& type, const Shape& shape,
                   const InputUsage& usage) {
    const InputRole role = role_of_name(name, type, shape);
    if (role == InputRole::setting_off || usage.total != InputUsage::Total::none ||
        usage.length_of || usage.exactly || !usage.list.empty() || usage.within)
        return false;
    return usage.is_mask || role == InputRole::mask || type.dtype == DType::boolean;
}

Tensor fill_input(const std::string& name, const Type& type, const Shape& shape,
                  const InputUsage& usage, const InputSizes& sizes, SeededNumbers& numbers) {
    const DType dtype = type.dtype;
    if (dtype == DType::undefined)
        fail_input("input " + quote(name) +
                   " is declared without an element type: give it from a file");
    if (dtype == DType::string) return fill_strings(shape, usage, numbers);
    if (dtype == DType::complex64 || dtype == DType::complex128)
        return fill_complex(dtype, shape, numbers);
    const auto all = [&](double value) {
        return fill(numbers, dtype, shape, [value](std::size_t) { return value; });
    };
    const InputRole role = role_of_name(name, type, shape);
    const std::int64_t keys = sizes.past_length() + sizes.new_length();
    if (role == InputRole::setting_off) return all(0);
    if (usage.total != InputUsage::Total::none)
        return all(
            static_cast<double>(usage.total == InputUsage::Total::last_key ? keys - 1 : keys));
    if (usage.length_of) return all(static_cast<double>(*usage.length_of));
    if (usage.exactly) return all(*usage.exactly);
    if (!usage.list.empty())
        return fill(numbers, dtype, shape, [&](std::size_t i) {
            return static_cast<double>(usage.list[std::min(i, usage.list.size() - 1)]);
        });
    if (is_mask_input(name, type, shape, usage)) return all(1);
    if (is_integer(dtype)) {
        // One number compared with constants is a mode; in a longer input the constants are special
        // tokens.
        if (!usage.known_integers.empty() && !usage.below && element_count(shape) == 1)
            return all(static_cast<double>(
                at(usage.known_integers,
                   numbers.below(static_cast<std::int64_t>(usage.known_integers.size())))));
        return fill_integers(dtype, shape, role, usage, sizes, numbers);
    }
    return fill_floats(dtype, shape, role, usage, numbers);
}

}  // namespace lapidary
