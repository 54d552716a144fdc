// SPDX-License-Identifier: Apache-2.0
// Computes a step of an elementwise program, in each domain of numbers.
#pragma once

#include "kernels/elementwise/activation.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {

template <typename C>
GPU_DEVICE C apply_function(const Step& s, C x) {
    const C alpha = static_cast<C>(s.alpha), beta = static_cast<C>(s.beta);
    switch (s.op) {
    case Op::erf: return std::erf(x);
    case Op::exp: return std::exp(x);
    case Op::log: return std::log(x);
    case Op::sqrt: return std::sqrt(x);
    case Op::reciprocal: return 1 / x;
    case Op::abs: return std::fabs(x);
    case Op::neg: return -x;
    case Op::sign: return x > 0 ? C(1) : x < 0 ? C(-1) : x;
    case Op::floor: return std::floor(x);
    case Op::ceil: return std::ceil(x);
    case Op::round: return std::rint(x);
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::logical_not: return x != 0 ? C(0) : C(1);
    case Op::is_nan: return x != x ? C(1) : C(0);
    case Op::is_inf:
        return (x == C(INFINITY) && alpha != 0) || (x == C(-INFINITY) && beta != 0) ? C(1) : C(0);
    case Op::affine: return alpha * x + beta;
    case Op::square: return x * x;
    case Op::cube: return x * x * x;
    case Op::power_half: return std::pow(x, C(0.5));
    case Op::shrink: return x < -alpha ? x + beta : x > alpha ? x - beta : C(0);
    case Op::keep_finite: return kept_finite(x, alpha);
    default: return apply_activation(s.op, x, alpha, beta);
    }
}

template <typename C>
GPU_DEVICE C floored_remainder(C a, C b) {
    const C r = std::fmod(a, b);
    if (r != r) return r;
    if (r == 0) return std::copysign(C(0), b);
    return (r < 0) == (b < 0) ? r : r + b;
}

template <typename C>
GPU_DEVICE C apply_pair(Op op, C x, C y) {
    switch (op) {
    case Op::add: return x + y;
    case Op::sub: return x - y;
    case Op::mul: return x * y;
    case Op::div: return x / y;
    case Op::min: return x != x || x < y ? x : y;
    case Op::max: return x != x || x > y ? x : y;
    case Op::prelu: return x < 0 ? x * y : x;
    case Op::pow: return std::pow(x, y);
    case Op::floored_mod: return floored_remainder(x, y);
    case Op::truncated_mod: return std::fmod(x, y);
    case Op::equal: return x == y ? C(1) : C(0);
    case Op::less: return x < y ? C(1) : C(0);
    case Op::less_equal: return x <= y ? C(1) : C(0);
    case Op::greater: return x > y ? C(1) : C(0);
    case Op::greater_equal: return x >= y ? C(1) : C(0);
    case Op::logical_and: return x != 0 && y != 0 ? C(1) : C(0);
    case Op::logical_or: return x != 0 || y != 0 ? C(1) : C(0);
    default: return (x != 0) != (y != 0) ? C(1) : C(0);  // logical_xor
    }
}

template <typename C>
GPU_DEVICE C apply_step(const Step& s, C x, C y, C z) {
    if (s.op == Op::where) return x != 0 ? y : z;
    if (s.op == Op::clip_between) return clipped(x, y, z);
    return s.op >= Op::add ? apply_pair(s.op, x, y) : apply_function(s, x);
}

/// Integer arithmetic wraps: it is done on unsigned numbers.
GPU_DEVICE long long wrapped(unsigned long long v) { return static_cast<long long>(v); }

GPU_DEVICE long long apply_step(const Step& s, long long x, long long y, long long z) {
    const auto ux = static_cast<unsigned long long>(x), uy = static_cast<unsigned long long>(y);
    switch (s.op) {
    case Op::relu: return x < 0 ? 0 : x;
    case Op::abs: return x < 0 ? wrapped(0 - ux) : x;
    case Op::neg: return wrapped(0 - ux);
    case Op::sign: return x > 0 ? 1 : x < 0 ? -1 : 0;
    case Op::logical_not: return x == 0;
    case Op::bit_not: return ~x;
    case Op::square: return wrapped(ux * ux);
    case Op::add: return wrapped(ux + uy);
    case Op::sub: return wrapped(ux - uy);
    case Op::mul: return wrapped(ux * uy);
    case Op::div: return y == 0 ? 0 : y == -1 ? wrapped(0 - ux) : x / y;
    case Op::min: return x < y ? x : y;
    case Op::max: return x > y ? x : y;
    case Op::prelu: return x < 0 ? wrapped(ux * uy) : x;
    case Op::truncated_mod: return y == 0 || y == -1 ? 0 : x % y;
    case Op::floored_mod: {
        const long long r = y == 0 || y == -1 ? 0 : x % y;
        return r != 0 && (r < 0) != (y < 0) ? r + y : r;
    }
    case Op::equal: return x == y;
    case Op::less: return x < y;
    case Op::less_equal: return x <= y;
    case Op::greater: return x > y;
    case Op::greater_equal: return x >= y;
    case Op::logical_and: return x != 0 && y != 0;
    case Op::logical_or: return x != 0 || y != 0;
    case Op::logical_xor: return (x != 0) != (y != 0);
    case Op::bit_and: return x & y;
    case Op::bit_or: return x | y;
    case Op::bit_xor: return x ^ y;
    case Op::where: return x != 0 ? y : z;
    case Op::clip_between: return x < y ? (y > z ? z : y) : x > z ? z : x;
    default: return x;
    }
}

}  // namespace lapidary::cuda
