// SPDX-License-Identifier: Apache-2.0
// Activation functions of one element. Formulas: the ONNX operator specification, opset 7 and
// later.
#include <limits>

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/elementwise/elementwise_map.h"

namespace lapidary::reference {
namespace {

/// max(x, low) and min(x, high); NaN where x is.
template <typename T>
T at_least(T x, T low) {
    return x < low ? low : x;
}
template <typename T>
T at_most(T x, T high) {
    return x > high ? high : x;
}

template <typename T>
T logistic(T x) {
    // exp of a non-positive number only, so that it cannot overflow.
    if (x >= 0) return 1 / (1 + std::exp(-x));
    const T e = std::exp(x);
    return e / (1 + e);
}

template <typename T>
T log_one_plus_exp(T x) {
    return std::max(x, T(0)) + std::log1p(std::exp(-std::fabs(x)));
}

/// x tanh(log(1 + e^x)), which is x w / (w + 2) with w = e^x (e^x + 2); in double, for each step
/// would round. NaN of minus infinity, as the formula and ONNX Runtime have it.
template <typename T>
T mish_of(T x) {
    const double e = std::exp(std::min(static_cast<double>(x), 20.0)), w = e * (e + 2);
    return static_cast<T>(static_cast<double>(x) * (w / (w + 2)));
}

template <typename T>
T gelu_exact(T x) {
    return T(0.5) * x * (1 + std::erf(x * T(0.70710678118654752440)));
}

template <typename T>
T gelu_tanh(T x) {
    return T(0.5) * x * (1 + std::tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
}

}  // namespace

void relu(KernelContext& context) {
    map_types<TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t,
                       std::int64_t>>(context, [](auto x) { return x < 0 ? decltype(x)(0) : x; });
}

void leaky_relu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 0.01f);
    map_floats(context, [alpha](auto x) { return x < 0 ? decltype(x)(alpha) * x : x; });
}

void thresholded_relu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    map_floats(context, [alpha](auto x) { return x > alpha ? x : decltype(x)(0); });
}

void elu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    map_floats(context, [alpha](auto x) { return x < 0 ? decltype(x)(alpha) * std::expm1(x) : x; });
}

void celu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    map_floats(context, [alpha](auto x) {
        using T = decltype(x);
        if (x >= T(0)) return x;  // the other term is 0
        return at_most(T(alpha) * std::expm1(x / T(alpha)), T(0));
    });
}

void selu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.67326319217681884765625f);
    const float gamma = context.node().float_attribute("gamma", 1.05070102214813232421875f);
    map_floats(context, [alpha, gamma](auto x) {
        using T = decltype(x);
        return x > 0 ? T(gamma) * x : T(gamma) * T(alpha) * std::expm1(x);
    });
}

void sigmoid(KernelContext& context) {
    map_floats(context, [](auto x) { return logistic(x); });
}

void hard_sigmoid(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 0.2f);
    const float beta = context.node().float_attribute("beta", 0.5f);
    map_floats(context, [alpha, beta](auto x) {
        using T = decltype(x);
        return at_least(at_most(T(alpha) * x + T(beta), T(1)), T(0));
    });
}

void hard_swish(KernelContext& context) {
    map_floats(context, [](auto x) {
        using T = decltype(x);
        return x * std::max(T(0), std::min(T(1), x / T(6) + T(0.5)));
    });
}

void swish(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    map_floats(context, [alpha](auto x) { return x * logistic(decltype(x)(alpha) * x); });
}

/// a * sigmoid(alpha * a) * b, without broadcasting.
void swiglu(KernelContext& context) {
    const Tensor &a = context.input(0), &b = context.input(1);
    if (a.shape() != b.shape())
        context.fail("A and B must have one shape, found " + to_string(a.shape()) + " and " +
                     to_string(b.shape()));
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    combine_types<TypeList<float, double>>(
        context, [alpha](auto x, auto y) { return x * logistic(decltype(x)(alpha) * x) * y; });
}

void gelu(KernelContext& context) {
    const std::string approximate = context.node().string_attribute("approximate", "none");
    if (approximate == "tanh") map_floats(context, [](auto x) { return gelu_tanh(x); });
    else if (approximate == "none") map_floats(context, [](auto x) { return gelu_exact(x); });
    else
        context.fail("attribute approximate: expected \"none\" or \"tanh\", found " +
                     quote(approximate));
}

void mish(KernelContext& context) {
    map_floats(context, [](auto x) { return mish_of(x); });
}

void softplus(KernelContext& context) {
    map_floats(context, [](auto x) { return log_one_plus_exp(x); });
}

void softsign(KernelContext& context) {
    map_floats(context, [](auto x) { return x / (1 + std::fabs(x)); });
}

void shrink(KernelContext& context) {
    const float bias = context.node().float_attribute("bias", 0.0f);
    const float lambda = context.node().float_attribute("lambd", 0.5f);
    map_types<NumericTypes>(context, [bias, lambda](auto x) {
        using T = decltype(x);
        using C = std::conditional_t<std::is_integral_v<T>, double, T>;
        const C value = static_cast<C>(x);
        // Integer results that leave the type are clamped: a conversion out of range is undefined.
        const C moved = value < -C(lambda)  ? value + C(bias)
                        : value > C(lambda) ? value - C(bias)
                                            : C(0);
        if constexpr (std::is_integral_v<T>) {
            if (moved <= static_cast<C>(std::numeric_limits<T>::min()))
                return std::numeric_limits<T>::min();
            if (moved >= static_cast<C>(std::numeric_limits<T>::max()))
                return std::numeric_limits<T>::max();
            return static_cast<T>(moved);
        } else {
            return moved;
        }
    });
}

// ---- com.microsoft

void quick_gelu(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.702f);
    map_floats(context, [alpha](auto x) { return x * logistic(decltype(x)(alpha) * x); });
}

// ---- early ai.onnx operators, withdrawn from the standard, that old exporters write

void parametric_softplus(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    const float beta = context.node().float_attribute("beta", 1.0f);
    map_floats(context, [alpha, beta](auto x) {
        using T = decltype(x);
        return T(alpha) * log_one_plus_exp(T(beta) * x);
    });
}

void scaled_tanh(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    const float beta = context.node().float_attribute("beta", 1.0f);
    map_floats(context, [alpha, beta](auto x) {
        using T = decltype(x);
        return T(alpha) * std::tanh(T(beta) * x);
    });
}

void affine(KernelContext& context) {
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    const float beta = context.node().float_attribute("beta", 0.0f);
    map_floats(context, [alpha, beta](auto x) {
        using T = decltype(x);
        return T(alpha) * x + T(beta);
    });
}

void scale(KernelContext& context) {
    const float factor = context.node().float_attribute("scale", 1.0f);
    map_floats(context, [factor](auto x) { return x * decltype(x)(factor); });
}

}  // namespace lapidary::reference
