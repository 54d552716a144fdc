// SPDX-License-Identifier: Apache-2.0
// Functions of one element that chains and epilogues apply. C is float or double.
#pragma once

#include "gpu.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/epilogue.h"

namespace lapidary::cuda {

template <typename C>
GPU_DEVICE C logistic(C x) {  // exp() is only called with x <= 0, so it cannot overflow
    if (x >= 0) return 1 / (1 + std::exp(-x));
    const C e = std::exp(x);
    return e / (1 + e);
}
template <typename C>
GPU_DEVICE C log_one_plus_exp(C x) {
    return (x > 0 ? x : C(0)) + std::log1p(std::exp(-std::fabs(x)));
}
template <typename C>
GPU_DEVICE C clipped(C x, C low, C high) {
    const C y = x < low ? low : x;
    return y > high ? high : y;
}

template <typename C>
GPU_CALLED C apply_activation(Op op, C x, C alpha, C beta) {
    switch (op) {
    case Op::relu: return x < 0 ? C(0) : x;
    case Op::leaky_relu: return x < 0 ? alpha * x : x;
    case Op::thresholded_relu: return x > alpha ? x : C(0);
    case Op::elu: return x < 0 ? alpha * std::expm1(x) : x;
    // 0 for x = 0, whatever alpha is
    case Op::celu: return x >= 0 ? x : alpha * std::expm1(x / alpha);
    case Op::selu: return x > 0 ? beta * x : beta * alpha * std::expm1(x);
    case Op::sigmoid: return logistic(x);
    case Op::hard_sigmoid: return clipped(alpha * x + beta, C(0), C(1));
    case Op::hard_swish: return x * clipped(x / C(6) + C(0.5), C(0), C(1));
    case Op::quick_gelu: return x * logistic(alpha * x);
    case Op::gelu: return C(0.5) * x * (1 + std::erf(x * C(0.70710678118654752440)));
    case Op::gelu_tanh:
        return C(0.5) * x *
               (1 + std::tanh(C(0.79788456080286535588) * (x + C(0.044715) * x * x * x)));
    case Op::silu: return x * logistic(x);
    case Op::mish: return x * std::tanh(log_one_plus_exp(x));
    case Op::softplus: return log_one_plus_exp(x);
    case Op::softsign: return x / (1 + std::fabs(x));
    case Op::tanh: return std::tanh(x);
    case Op::clip: return clipped(x, alpha, beta);
    default: return x;
    }
}

/// logistic(x) for results of type T; within 1e-6 where T has 16 bits.
template <typename T>
GPU_DEVICE float logistic_for(float x) {
    if constexpr (sizeof(T) == 2) return about_reciprocal(1 + power_of_two(x * -1.44269504f));
    else return logistic(x);
}

/// gelu(x) for results of type T. Where T has 16 bits: 1 - erf(z) = t * p(t) * exp(-z * z) with t =
/// 1 / (1 + 0.3275911 * z), within 2e-7 for z >= 0 (Abramowitz and Stegun, 7.1.26).
template <typename T>
GPU_DEVICE float gelu_for(float x) {
    if constexpr (sizeof(T) == 2) {
        // beyond 16 the result is 0
        const float size = std::fmin(std::fabs(x), 16.0f), z = size * 0.70710678f;
        const float t = about_reciprocal(multiply_add(0.3275911f, z, 1.0f));
        float p = multiply_add(1.061405429f, t, -1.453152027f);
        p = multiply_add(p, t, 1.421413741f);
        p = multiply_add(p, t, -0.284496736f);
        p = multiply_add(p, t, 0.254829592f);
        const float tail = p * t * power_of_two(z * z * -1.44269504f);
        return multiply_add(size * -0.5f, tail, x < 0 ? 0.0f : x);
    } else {
        return 0.5f * x * (1 + std::erf(x * 0.70710678f));
    }
}

/// x * logistic(2 * u) is 0.5 * x * (1 + tanh(u)).
template <typename T>
GPU_DEVICE float gelu_tanh_for(float x) {
    return x * logistic_for<T>(1.5957691216f * multiply_add(0.044715f * x * x, x, x));
}

/// The epilogue's activation for results of type T: common ones are inlined, others are one call
/// per element.
template <typename T, int count>
GPU_DEVICE void activate(const Epilogue& e, float (&v)[count]) {
    switch (e.activation) {
    case Op::identity: return;
    case Op::relu: GPU_UNROLL for (int i = 0; i < count; ++i) v[i] = v[i] < 0 ? 0.0f : v[i]; return;
    case Op::clip:
        GPU_UNROLL for (int i = 0; i < count; ++i) v[i] =
            clipped(v[i], e.activation_alpha, e.activation_beta);
        return;
    case Op::gelu: GPU_UNROLL for (int i = 0; i < count; ++i) v[i] = gelu_for<T>(v[i]); return;
    case Op::gelu_tanh:
        GPU_UNROLL for (int i = 0; i < count; ++i) v[i] = gelu_tanh_for<T>(v[i]);
        return;
    case Op::silu: GPU_UNROLL for (int i = 0; i < count; ++i) v[i] *= logistic_for<T>(v[i]); return;
    case Op::sigmoid:
        GPU_UNROLL for (int i = 0; i < count; ++i) v[i] = logistic_for<T>(v[i]);
        return;
    case Op::hard_swish:
        GPU_UNROLL for (int i = 0; i < count; ++i) v[i] *=
            clipped(v[i] * (1.0f / 6) + 0.5f, 0.0f, 1.0f);
        return;
    default:
        GPU_UNROLL for (int i = 0; i < count; ++i) v[i] =
            apply_activation(e.activation, v[i], e.activation_alpha, e.activation_beta);
    }
}

}  // namespace lapidary::cuda
