// SPDX-License-Identifier: Apache-2.0
#include "lapgen/odd_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace lapidary::lapgen {
namespace {

template <typename T>
void set_masks(Tensor& tensor, std::mt19937_64& random) {
    constexpr int others[] = {0, 1, 1, 2, -1};
    const auto elements = tensor.mutable_data<T>();
    const std::size_t row =
        static_cast<std::size_t>(std::max<std::int64_t>(1, tensor.shape().back()));
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const bool hidden_row = i / row % 2 == 0;
        const int value = others[random() % std::size(others)];
        if constexpr (std::is_same_v<T, bool>) elements[i] = !hidden_row && value != 0;
        else elements[i] = hidden_row ? T(0) : static_cast<T>(value);
    }
}

}  // namespace

NamedValues with_odd_masks(const NamedValues& inputs, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    NamedValues out;
    for (const auto& [name, value] : inputs) {
        if (!value.is_tensor() || value.tensor().rank() < 2) {
            out.emplace_back(name, value);
            continue;
        }
        Tensor copy = value.tensor().clone();
        if (copy.dtype() == DType::boolean) set_masks<bool>(copy, random);
        else if (copy.dtype() == DType::i32) set_masks<std::int32_t>(copy, random);
        else if (copy.dtype() == DType::i64) set_masks<std::int64_t>(copy, random);
        out.emplace_back(name, std::move(copy));
    }
    return out;
}

NamedValues with_nan(const NamedValues& inputs, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    return with_changed_floats(inputs, [&](Tensor& tensor) {
        const auto elements = tensor.mutable_data<float>();
        const auto row =
            tensor.rank() > 0
                ? static_cast<std::size_t>(std::max<std::int64_t>(1, tensor.shape().back()))
                : 1;
        const bool whole_row = random() % 2 == 0;
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (whole_row ? i / row == 1 : random() % 16 == 0)
                elements[i] = std::numeric_limits<float>::quiet_NaN();
    });
}

NamedValues with_infinities(const NamedValues& inputs, std::uint64_t seed) {
    std::mt19937_64 random(seed + 1);
    return with_changed_floats(inputs, [&](Tensor& tensor) {
        for (float& v : tensor.mutable_data<float>())
            if (random() % 16 == 0)
                v = random() % 2 == 0 ? std::numeric_limits<float>::infinity()
                                      : -std::numeric_limits<float>::infinity();
    });
}

namespace {

template <typename IsOdd>
std::string difference_where(const RuntimeValue& found, const RuntimeValue& expected,
                             const IsOdd& is_odd) {
    if (!found.is_tensor() || !expected.is_tensor() || found.tensor().dtype() != DType::f32 ||
        expected.tensor().dtype() != DType::f32)
        return {};
    const auto a = found.tensor().data<float>(), b = expected.tensor().data<float>();
    if (a.size() != b.size()) return "another size";
    for (std::size_t i = 0; i < a.size(); ++i)
        if (is_odd(a[i]) != is_odd(b[i]))
            return "element " + std::to_string(i) + " is " + std::to_string(a[i]) + ", expected " +
                   std::to_string(b[i]);
    return {};
}

}  // namespace

std::string nan_difference(const RuntimeValue& found, const RuntimeValue& expected) {
    return difference_where(found, expected, [](float v) { return std::isnan(v); });
}

std::string finite_difference(const RuntimeValue& found, const RuntimeValue& expected) {
    return difference_where(found, expected, [](float v) { return !std::isfinite(v); });
}

}  // namespace lapidary::lapgen
