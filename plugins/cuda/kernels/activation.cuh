// SPDX-License-Identifier: Apache-2.0
// Functions of one element, as chains and epilogues apply them. C is float or double.
#pragma once

#include "gpu.h"
#include "kernels/elementwise.h"

namespace lapidary::cuda {

template <typename C>
GPU_DEVICE C logistic(C x) {  // exp of what is not positive only: it cannot overflow
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
    case Op::celu: return (x < 0 ? C(0) : x) + (x > 0 ? C(0) : alpha * std::expm1(x / alpha));
    case Op::selu: return x > 0 ? beta * x : beta * alpha * std::expm1(x);
    case Op::sigmoid: return logistic(x);
    case Op::hard_sigmoid: return clipped(alpha * x + beta, C(0), C(1));
    case Op::hard_swish: return x * clipped(x / C(6) + C(0.5), C(0), C(1));
    case Op::quick_gelu: return x * logistic(alpha * x);
    case Op::gelu: return C(0.5) * x * (1 + std::erf(x * C(0.70710678118654752440)));
    case Op::gelu_tanh: return C(0.5) * x * (1 + std::tanh(C(0.79788456080286535588) * (x + C(0.044715) * x * x * x)));
    case Op::silu: return x * logistic(x);
    case Op::mish: return x * std::tanh(log_one_plus_exp(x));
    case Op::softplus: return log_one_plus_exp(x);
    case Op::softsign: return x / (1 + std::fabs(x));
    case Op::tanh: return std::tanh(x);
    case Op::clip: return clipped(x, alpha, beta);
    default: return x;
    }
}

}  // namespace lapidary::cuda
