// SPDX-License-Identifier: Apache-2.0
// Inputs that occur in practice but that generators rarely make.
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

/// The inputs with unusual masks in conditions and 0/1 values: whole rows of false or 0, integers
/// other than 0 and 1.
NamedValues with_odd_masks(const NamedValues& inputs, std::uint64_t seed);
/// The inputs with NaN in some elements of every float tensor, in some a whole row.
NamedValues with_nan(const NamedValues& inputs, std::uint64_t seed);

/// The inputs with Inf and -Inf in some elements of every float tensor.
NamedValues with_infinities(const NamedValues& inputs, std::uint64_t seed);

/// The first place where only one of two float outputs has NaN; empty: there is none. Other values
/// are not compared.
std::string nan_difference(const RuntimeValue& found, const RuntimeValue& expected);
/// The first place where only one of two float outputs is finite; empty: there is none. Whether a
/// sum is Inf, -Inf or NaN depends on the order of its terms: these are not distinguished.
std::string finite_difference(const RuntimeValue& found, const RuntimeValue& expected);

}  // namespace lapidary::lapgen
