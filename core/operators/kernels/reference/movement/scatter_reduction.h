// SPDX-License-Identifier: Apache-2.0
// What ScatterElements and ScatterND do where an update meets the element already there.
#pragma once

#include <string_view>
#include <type_traits>

#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {

enum class ScatterReduction { none, add, mul, max, min };

/// Throws invalid_input naming the text when it is no reduction.
ScatterReduction parse_scatter_reduction(std::string_view text);

/// The combined element: integers wrap around, NaN wins in max and min, bool add is "or" and mul
/// "and".
template <typename T>
T scatter_combine(ScatterReduction reduction, T current, T update) {
    using C = compute_t<T>;
    const C a = static_cast<C>(current), b = static_cast<C>(update);
    const auto keeps_nan = [](C v) {
        if constexpr (std::is_floating_point_v<C>) return v != v;
        else return false;
    };
    switch (reduction) {
    case ScatterReduction::none: return update;
    case ScatterReduction::max: return keeps_nan(a) || a > b ? current : update;
    case ScatterReduction::min: return keeps_nan(a) || a < b ? current : update;
    case ScatterReduction::add:
    case ScatterReduction::mul: break;
    }
    const bool add = reduction == ScatterReduction::add;
    if constexpr (std::is_same_v<T, bool>) return add ? current || update : current && update;
    else if constexpr (std::is_integral_v<T>) {
        // Unsigned 64-bit arithmetic wraps; its low bits are those of the narrow type's.
        const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
        return static_cast<T>(add ? x + y : x * y);
    } else return static_cast<T>(add ? a + b : a * b);
}

/// Calls body(combine) with combine(T* target, const T* update) for the tensor's storage type: a
/// plain assignment for ScatterReduction::none (any byte-wide type), arithmetic otherwise (numbers
/// and bool).
template <typename F>
void dispatch_scatter(DType dtype, ScatterReduction reduction, F&& body) {
    if (reduction == ScatterReduction::none) {
        dispatch_by_width(dtype, [&]<typename T>() {
            body([](T* target, const T* update) { *target = *update; }, static_cast<T*>(nullptr));
        });
    } else {
        dispatch<NumericOrBoolTypes>(dtype, [&]<typename T>() {
            body(
                [reduction](T* target, const T* update) {
                    *target = scatter_combine<T>(reduction, *target, *update);
                },
                static_cast<T*>(nullptr));
        });
    }
}

}  // namespace lapidary::reference
