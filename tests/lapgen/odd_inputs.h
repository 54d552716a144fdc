// SPDX-License-Identifier: Apache-2.0
// Inputs that models meet but generators seldom make.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary::lapgen {

/// The inputs with `change(copy)` applied to a copy of each float32 tensor.
template <typename Change>
NamedValues with_changed_floats(const NamedValues& inputs, const Change& change) {
    NamedValues out;
    for (const auto& [name, value] : inputs) {
        if (!value.is_tensor() || value.tensor().dtype() != DType::f32) {
            out.emplace_back(name, value);
            continue;
        }
        Tensor copy = value.tensor().clone();
        change(copy);
        out.emplace_back(name, std::move(copy));
    }
    return out;
}

/// Conditions and 0/1 values as masks at their worst: whole rows of false or 0, integers other than
/// 0 and 1.
NamedValues with_odd_masks(const NamedValues& inputs, std::uint64_t seed);
/// NaN in some elements of every float tensor, a whole row of it in some.
NamedValues with_nan(const NamedValues& inputs, std::uint64_t seed);

/// Inf and -Inf in some elements of every float tensor.
NamedValues with_infinities(const NamedValues& inputs, std::uint64_t seed);

/// Where one of two float outputs has NaN and the other has none; empty: nowhere. Other values are
/// not compared.
std::string nan_difference(const RuntimeValue& found, const RuntimeValue& expected);
/// Where one of two float outputs is finite and the other is not. Whether a sum is Inf, -Inf or NaN
/// depends on the order of its terms: these are not distinguished.
std::string finite_difference(const RuntimeValue& found, const RuntimeValue& expected);

}  // namespace lapidary::lapgen
