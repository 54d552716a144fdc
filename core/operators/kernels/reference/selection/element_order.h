// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace lapidary::reference {

/// -1, 0 or 1. A total order for every element type: NaN comes after all numbers and equals itself.
template <typename T>
int compare_elements(const T& a, const T& b) {
    if (a < b) return -1;
    if (b < a) return 1;
    if constexpr (!std::is_integral_v<T>) {
        const bool a_nan = !(a == a), b_nan = !(b == b);
        if (a_nan != b_nan) return a_nan ? 1 : -1;
    }
    return 0;
}

}  // namespace lapidary::reference
