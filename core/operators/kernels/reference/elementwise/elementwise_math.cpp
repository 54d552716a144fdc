// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of one element.
#include <limits>

#include "kernels/reference/elementwise/elementwise_map.h"

namespace lapidary::reference {

#define LAPIDARY_FLOAT_FUNCTION(kernel, expression)             \
    void kernel(KernelContext& context) {                       \
        map_floats(context, [](auto x) { return expression; }); \
    }

LAPIDARY_FLOAT_FUNCTION(acos, std::acos(x))
LAPIDARY_FLOAT_FUNCTION(acosh, std::acosh(x))
LAPIDARY_FLOAT_FUNCTION(asin, std::asin(x))
LAPIDARY_FLOAT_FUNCTION(asinh, std::asinh(x))
LAPIDARY_FLOAT_FUNCTION(atan, std::atan(x))
LAPIDARY_FLOAT_FUNCTION(atanh, std::atanh(x))
LAPIDARY_FLOAT_FUNCTION(ceil, std::ceil(x))
LAPIDARY_FLOAT_FUNCTION(cos, std::cos(x))
LAPIDARY_FLOAT_FUNCTION(cosh, std::cosh(x))
LAPIDARY_FLOAT_FUNCTION(exp, std::exp(x))
LAPIDARY_FLOAT_FUNCTION(floor, std::floor(x))
LAPIDARY_FLOAT_FUNCTION(log, std::log(x))
LAPIDARY_FLOAT_FUNCTION(reciprocal, 1 / x)
LAPIDARY_FLOAT_FUNCTION(round, std::nearbyint(x))  // ties to even: the default rounding mode
LAPIDARY_FLOAT_FUNCTION(sin, std::sin(x))
LAPIDARY_FLOAT_FUNCTION(sinh, std::sinh(x))
LAPIDARY_FLOAT_FUNCTION(sqrt, std::sqrt(x))
LAPIDARY_FLOAT_FUNCTION(tan, std::tan(x))
LAPIDARY_FLOAT_FUNCTION(tanh, std::tanh(x))

#undef LAPIDARY_FLOAT_FUNCTION

void erf(KernelContext& context) {
    map_types<NumericTypes>(context, [](auto x) {
        using T = decltype(x);
        if constexpr (std::is_floating_point_v<T>) return std::erf(x);
        else return static_cast<T>(std::erf(static_cast<double>(x)));
    });
}

void abs(KernelContext& context) {
    map_types<NumericTypes>(context, [](auto x) {
        using T = decltype(x);
        if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
        else if constexpr (std::is_signed_v<T>)
            return x < 0 ? static_cast<T>(0 - static_cast<wrapping_t<T>>(x)) : x;
        else return x;
    });
}

void neg(KernelContext& context) {
    map_types<NumericTypes>(context, [](auto x) {
        using T = decltype(x);
        if constexpr (std::is_floating_point_v<T>) return -x;
        else return static_cast<T>(0 - static_cast<wrapping_t<T>>(x));
    });
}

void sign(KernelContext& context) {
    map_types<NumericTypes>(context, [](auto x) {
        using T = decltype(x);
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(x)) return x;
        }
        return static_cast<T>((x > T(0)) - (x < T(0)));
    });
}

void bitwise_not(KernelContext& context) {
    map_types<IntegerTypes>(context, [](auto x) { return static_cast<decltype(x)>(~x); });
}

void logical_not(KernelContext& context) {
    const Tensor& x = context.input(0);
    if (x.dtype() != DType::boolean)
        context.fail("input 0: expected bool, found " + std::string(name_of(x.dtype())));
    Tensor& y = context.output(0, DType::boolean, x.shape());
    map_elements<bool, bool>(context, x, y, [](bool b) { return !b; });
}

namespace {

float widen_float8(DType dtype, std::uint8_t bits) {
    switch (dtype) {
    case DType::f8e4m3fn: return f8e4m3fn_to_float(bits);
    case DType::f8e4m3fnuz: return f8e4m3fnuz_to_float(bits);
    case DType::f8e5m2: return f8e5m2_to_float(bits);
    default: return f8e5m2fnuz_to_float(bits);
    }
}

bool is_float8(DType dtype) {
    return dtype == DType::f8e4m3fn || dtype == DType::f8e4m3fnuz || dtype == DType::f8e5m2 ||
           dtype == DType::f8e5m2fnuz;
}

template <typename F>
void test_floats(KernelContext& context, const F& f) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, DType::boolean, x.shape());
    if (is_float8(x.dtype())) {
        const auto* in = static_cast<const std::uint8_t*>(x.raw());
        const auto out = y.mutable_data<bool>();
        for (std::int64_t i = 0; i < x.size(); ++i) out[i] = f(widen_float8(x.dtype(), in[i]));
        return;
    }
    dispatch<FloatTypes>(x.dtype(), [&]<typename T>() { map_elements<T, bool>(context, x, y, f); });
}

}  // namespace

void is_nan(KernelContext& context) {
    test_floats(context, [](auto x) { return std::isnan(x); });
}

void is_inf(KernelContext& context) {
    const bool positive = context.node().int_attribute("detect_positive", 1) != 0;
    const bool negative = context.node().int_attribute("detect_negative", 1) != 0;
    test_floats(context, [positive, negative](auto x) {
        return std::isinf(x) && (x > 0 ? positive : negative);
    });
}

}  // namespace lapidary::reference
