// SPDX-License-Identifier: Apache-2.0
// Add, Sub, Mul, Div, Mod, Pow, PRelu: two operands with broadcasting. Integer results wrap.
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

template <typename T, typename F>
T wrapping(T a, T b, const F& f) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(f(static_cast<wrapping_t<T>>(a), static_cast<wrapping_t<T>>(b)));
    else return f(a, b);
}

template <typename T>
T floored_whole_remainder(T a, T b) {
    if (b == 0) fail_input("integer division by zero");
    if constexpr (std::is_signed_v<T>) {
        if (b == T(-1)) return 0;
        const T r = static_cast<T>(a % b);
        return r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
    } else {
        return static_cast<T>(a % b);
    }
}

/// The remainder has the sign of b; a zero too. Infinite b leaves an a of its sign as it is.
template <typename T>
T floored_remainder(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        const T r = std::fmod(a, b);
        if (std::isnan(r)) return r;
        if (r == 0) return std::copysign(T(0), b);
        return std::signbit(r) == std::signbit(b) ? r : r + b;
    } else {
        return floored_whole_remainder(a, b);
    }
}

template <typename T>
T truncated_remainder(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return std::fmod(a, b);
    else {
        if (b == 0) fail_input("integer division by zero");
        if constexpr (std::is_signed_v<T>) {
            if (b == T(-1)) return 0;
        }
        return static_cast<T>(a % b);
    }
}

/// Integer power, wrapping; a negative exponent gives the truncated reciprocal.
std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) fail_input("integer division by zero: 0 raised to a negative power");
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    }
    std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
    for (std::uint64_t e = static_cast<std::uint64_t>(exponent); e; e >>= 1) {
        if (e & 1) result *= square;
        square *= square;
    }
    return static_cast<std::int64_t>(result);
}

}  // namespace

void add(KernelContext& context) {
    combine_types<WideTypes>(context, [](auto a, auto b) {
        return wrapping(a, b, [](auto p, auto q) { return p + q; });
    });
}

void sub(KernelContext& context) {
    combine_types<WideTypes>(context, [](auto a, auto b) {
        return wrapping(a, b, [](auto p, auto q) { return p - q; });
    });
}

void mul(KernelContext& context) {
    combine_types<WideTypes>(context, [](auto a, auto b) {
        return wrapping(a, b, [](auto p, auto q) { return p * q; });
    });
}

void div(KernelContext& context) {
    combine_types<WideTypes>(context, [](auto a, auto b) { return divide(a, b); });
}

void mod(KernelContext& context) {
    if (context.node().int_attribute("fmod", 0) != 0) {
        combine_types<WideTypes>(context, [](auto a, auto b) { return truncated_remainder(a, b); });
        return;
    }
    const DType dtype = context.input(0).dtype();
    if (!is_integer(dtype) && context.version() < 28)
        context.fail("attribute fmod is 0, which takes integers only before opset 28: found " +
                     std::string(name_of(dtype)));
    combine_types<WideTypes>(context, [](auto a, auto b) { return floored_remainder(a, b); });
}

void prelu(KernelContext& context) {
    // Before opset 7 a 1-D slope belonged to the channels, axis 1.
    const Tensor& x = context.input(0);
    const Tensor& slope = context.input(1);
    if (context.version() < 7 && slope.rank() == 1 && slope.size() > 1 && x.rank() > 2) {
        Shape shape(static_cast<std::size_t>(x.rank()) - 1, 1);
        shape[0] = slope.size();
        Tensor& y = context.output(0, x.dtype(), x.shape());
        Tensor wide = context.scratch(DType::f32, x.shape());
        combine<float, float>(context, converted(context, x, DType::f32), shape,
                              converted(context, slope, DType::f32), wide,
                              [](float a, float b) { return a < 0 ? a * b : a; });
        convert_into(context, wide, y);
        return;
    }
    if (broadcast_shapes(x.shape(), slope.shape()) != x.shape())
        context.fail("input 1: slope " + to_string(slope.shape()) + " does not broadcast to " +
                     to_string(x.shape()));
    combine_types<WideTypes>(context, [](auto a, auto b) {
        return a < 0 ? wrapping(a, b, [](auto p, auto q) { return p * q; }) : a;
    });
}

void pow(KernelContext& context) {
    const Tensor& base = context.input(0);
    const Tensor& exponent = context.input(1);
    const Shape exponent_shape = second_operand_shape(context, base.shape(), exponent.shape());
    Tensor& y = context.output(0, base.dtype(), broadcast_shapes(base.shape(), exponent_shape));
    const auto run = [&]<typename T>(const auto& f) {
        if (y.dtype() == dtype_of<T>) {
            combine<T, T>(context, base, exponent_shape, converted(context, exponent, dtype_of<T>),
                          y, f);
            return;
        }
        Tensor wide = context.scratch(dtype_of<T>, y.shape());
        combine<T, T>(context, converted(context, base, dtype_of<T>), exponent_shape,
                      converted(context, exponent, dtype_of<T>), wide, f);
        convert_into(context, wide, y);
    };
    const auto power = [](auto a, auto b) { return b == 2 ? a * a : std::pow(a, b); };
    if (is_integer(base.dtype()) && is_integer(exponent.dtype()))
        run.operator()<std::int64_t>(integer_power);
    else if (is_integer(base.dtype()) || base.dtype() == DType::f64) run.operator()<double>(power);
    else run.operator()<float>(power);
}

}  // namespace lapidary::reference
