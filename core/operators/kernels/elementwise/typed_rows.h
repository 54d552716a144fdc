// SPDX-License-Identifier: Apache-2.0
// Row functions of two operands for element types that need no vectors: the small integer tensors
// that shapes and positions are computed with.
#pragma once

#include <lapidary/tensor/dtype.h>

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

struct RowForms {
    RowFunction forms[static_cast<int>(OperandForm::count)] = {};
    explicit operator bool() const { return forms[0] != nullptr; }
    RowFunction operator[](OperandForm form) const { return forms[static_cast<int>(form)]; }
};

/// F is a stateless function object of two T.
template <typename T, typename Out, typename F, OperandForm form>
void typed_row(const void* a, const void* b, void* y, std::int64_t count) {
    const T* p = static_cast<const T*>(a);
    const T* q = static_cast<const T*>(b);
    Out* out = static_cast<Out*>(y);
    constexpr std::int64_t p_step = form != OperandForm::first_repeats,
                           q_step = form != OperandForm::second_repeats;
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = static_cast<Out>(F{}(p[i * p_step], q[i * q_step]));
}

template <typename T, typename Out, typename F>
constexpr RowForms typed_forms() {
    return {{&typed_row<T, Out, F, OperandForm::both>,
             &typed_row<T, Out, F, OperandForm::second_repeats>,
             &typed_row<T, Out, F, OperandForm::first_repeats>}};
}

namespace element_functions {

template <typename T, typename F>
T wrapping(T a, T b, F f) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(
            f(static_cast<reference::wrapping_t<T>>(a), static_cast<reference::wrapping_t<T>>(b)));
    else return f(a, b);
}

template <typename T>
bool is_nan(T a) {
    if constexpr (std::is_floating_point_v<T>) return a != a;
    else return false;
}

struct Add {
    template <typename T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto p, auto q) { return p + q; });
    }
};
struct Sub {
    template <typename T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto p, auto q) { return p - q; });
    }
};
struct Mul {
    template <typename T>
    T operator()(T a, T b) const {
        return wrapping(a, b, [](auto p, auto q) { return p * q; });
    }
};
struct Div {
    template <typename T>
    T operator()(T a, T b) const {
        return reference::divide(a, b);
    }
};
struct Min {
    template <typename T>
    T operator()(T a, T b) const {
        return is_nan(a) || a < b ? a : b;
    }
};
struct Max {
    template <typename T>
    T operator()(T a, T b) const {
        return is_nan(a) || a > b ? a : b;
    }
};
struct PRelu {
    template <typename T>
    T operator()(T a, T b) const {
        return a < 0 ? Mul{}(a, b) : a;
    }
};
/// The result has the sign of the divisor, as Python's % does.
struct Mod {
    template <typename T>
    T operator()(T a, T b) const {
        if (b == 0) fail_input("integer division by zero");
        if (b == T(-1)) return 0;
        const T r = static_cast<T>(a % b);
        return r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
    }
};
struct Equal {
    template <typename T>
    bool operator()(T a, T b) const {
        return a == b;
    }
};
struct Less {
    template <typename T>
    bool operator()(T a, T b) const {
        return a < b;
    }
};
struct LessOrEqual {
    template <typename T>
    bool operator()(T a, T b) const {
        return a <= b;
    }
};
struct Greater {
    template <typename T>
    bool operator()(T a, T b) const {
        return a > b;
    }
};
struct GreaterOrEqual {
    template <typename T>
    bool operator()(T a, T b) const {
        return a >= b;
    }
};
struct And {
    template <typename T>
    bool operator()(T a, T b) const {
        return a && b;
    }
};
struct Or {
    template <typename T>
    bool operator()(T a, T b) const {
        return a || b;
    }
};
struct Xor {
    template <typename T>
    bool operator()(T a, T b) const {
        return a != b;
    }
};

}  // namespace element_functions
}  // namespace lapidary
