// SPDX-License-Identifier: Apache-2.0
// Elementary functions on vectors of float; for files of kernels/vector only (see isa.h). Each function's error against
// the exact value is stated and held by tests. NaN gives NaN.
#pragma once

#include <math.h>

#include <hwy/highway.h>

#include "kernels/activation.h"

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;

/// c[0] + c[1] x + ... by Horner's rule.
template <class D, class V = hn::Vec<D>, std::size_t n>
HWY_INLINE V polynomial(D d, V x, const float (&c)[n]) {
    V sum = hn::Set(d, c[n - 1]);
    for (std::size_t i = n - 1; i-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, c[i]));
    return sum;
}

/// e^x within 2 ULP; 0 below -87.34 (no denormal results), infinity above 88.72.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
    static constexpr float c[] = {1.0f, 1.0f, 0.5f, 0.166666657f, 0.0416664667f, 0.00833337009f, 0.00139819994f, 0.000198756912f};
    const hn::RebindToSigned<D> di;
    const V low = hn::Set(d, -87.336540f), high = hn::Set(d, 88.7228390f);
    const V inside = hn::Min(hn::Max(x, low), high);
    const V n = hn::Round(hn::Mul(inside, hn::Set(d, 1.44269504f)));
    V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), inside);
    r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
    const V p = polynomial(d, r, c);
    // 2^n in two factors: n reaches 128
    const auto whole = hn::ConvertTo(di, n);
    const auto half = hn::ShiftRight<1>(whole);
    const auto factor = [&](auto e) { return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127)))); };
    V y = hn::Mul(hn::Mul(p, factor(half)), factor(hn::Sub(whole, half)));
    y = hn::IfThenElse(hn::Lt(x, low), hn::Zero(d), y);
    y = hn::IfThenElse(hn::Gt(x, high), hn::Set(d, HUGE_VALF), y);
    return hn::IfThenElse(hn::Ne(x, x), x, y);
}

/// Natural logarithm within 4 ULP of positive normal numbers; -infinity of 0 and denormals, NaN of negative numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x) {
    static constexpr float c[] = {3.3333331174e-1f, -2.4999993993e-1f, 2.0000714765e-1f, -1.6668057665e-1f, 1.4249322787e-1f,
                                  -1.2420140846e-1f, 1.1676998740e-1f, -1.1514610310e-1f, 7.0376836292e-2f};
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, x);
    // x = m 2^e with m in [sqrt 1/2, sqrt 2)
    const auto shifted = hn::Sub(bits, hn::Set(di, 0x3f3504f3));
    const auto exponent = hn::ShiftRight<23>(shifted);
    const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    const V e = hn::ConvertTo(d, exponent), r = hn::Sub(m, hn::Set(d, 1.0f)), square = hn::Mul(r, r);
    V y = hn::Mul(hn::Mul(r, square), polynomial(d, r, c));
    y = hn::MulAdd(e, hn::Set(d, -2.12194440e-4f), y);
    y = hn::NegMulAdd(hn::Set(d, 0.5f), square, y);
    y = hn::MulAdd(e, hn::Set(d, 0.693359375f), hn::Add(r, y));
    y = hn::IfThenElse(hn::Lt(x, hn::Set(d, 1.17549435e-38f)), hn::Set(d, -HUGE_VALF), y);
    y = hn::IfThenElse(hn::Eq(x, hn::Set(d, HUGE_VALF)), x, y);
    return hn::IfThenElse(hn::Or(hn::Lt(x, hn::Zero(d)), hn::Ne(x, x)), hn::Set(d, __builtin_nanf("")), y);
}

/// Error function within 4 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, V x) {
    static constexpr float numerator[] = {-1.60960333262415e-02f, -2.95459980854025e-03f, -7.34990630326855e-04f, -5.69250639462346e-05f,
                                          -2.10102402082508e-06f, 2.77068142495902e-08f,  -2.72614225801306e-10f};
    static constexpr float denominator[] = {-1.42647390514189e-02f, -7.37332916720468e-03f, -1.68282697438203e-03f, -2.13374055278905e-04f,
                                            -1.45660718464996e-05f};
    const V inside = hn::Min(hn::Max(x, hn::Set(d, -4.0f)), hn::Set(d, 4.0f));
    const V square = hn::Mul(inside, inside);
    const V y = hn::Div(hn::Mul(inside, polynomial(d, square, numerator)), polynomial(d, square, denominator));
    return hn::IfThenElse(hn::Ne(x, x), x, hn::Min(hn::Max(y, hn::Set(d, -1.0f)), hn::Set(d, 1.0f)));
}

/// Hyperbolic tangent within 4 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
    static constexpr float numerator[] = {4.89352455891786e-03f, 6.37261928875436e-04f,  1.48572235717979e-05f, 5.12229709037114e-08f,
                                          -8.60467152213735e-11f, 2.00018790482477e-13f, -2.76076847742355e-16f};
    static constexpr float denominator[] = {4.89352518554385e-03f, 2.26843463243900e-03f, 1.18534705686654e-04f, 1.19825839466702e-06f};
    const V inside = hn::Min(hn::Max(x, hn::Set(d, -7.99881172f)), hn::Set(d, 7.99881172f));
    const V square = hn::Mul(inside, inside);
    const V y = hn::Div(hn::Mul(inside, polynomial(d, square, numerator)), polynomial(d, square, denominator));
    const V small = hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 4e-4f)), x, y);
    return hn::IfThenElse(hn::Ne(x, x), x, hn::Min(hn::Max(small, hn::Set(d, -1.0f)), hn::Set(d, 1.0f)));
}

/// 1 / (1 + e^-x) within 4 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
    const V one = hn::Set(d, 1.0f);
    return hn::Div(one, hn::Add(one, exp(d, hn::Neg(x))));
}

/// x / 2 (1 + erf(x / sqrt 2)); absolute error below 3e-7 of max(1, |x|).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu(D d, V x) {
    const V half = hn::Mul(x, hn::Set(d, 0.5f));
    return hn::MulAdd(half, erf(d, hn::Mul(x, hn::Set(d, 0.707106781f))), half);
}

/// The tanh form; absolute error as gelu.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gelu_tanh(D d, V x) {
    const V inner = hn::Mul(hn::Mul(x, hn::Set(d, 0.797884561f)), hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.044715f), hn::Set(d, 1.0f)));
    const V half = hn::Mul(x, hn::Set(d, 0.5f));
    return hn::MulAdd(half, tanh(d, inner), half);
}

/// The activation of one vector. `kind` is best a constant or the same for a whole loop.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V activate(D d, V x, const Activation& a) {
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    switch (a.kind) {
        case ActivationKind::none: return x;
        case ActivationKind::relu: return hn::IfThenElse(hn::Lt(x, zero), zero, x);
        case ActivationKind::leaky_relu: return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(x, hn::Set(d, a.alpha)), x);
        case ActivationKind::clip: {
            const V low = hn::IfThenElse(hn::Lt(x, hn::Set(d, a.alpha)), hn::Set(d, a.alpha), x);
            return hn::IfThenElse(hn::Gt(low, hn::Set(d, a.beta)), hn::Set(d, a.beta), low);
        }
        case ActivationKind::sigmoid: return sigmoid(d, x);
        case ActivationKind::hard_sigmoid: return hn::Max(zero, hn::Min(one, hn::MulAdd(x, hn::Set(d, a.alpha), hn::Set(d, a.beta))));
        case ActivationKind::tanh: return tanh(d, x);
        case ActivationKind::gelu: return gelu(d, x);
        case ActivationKind::gelu_tanh: return gelu_tanh(d, x);
        case ActivationKind::quick_gelu: return hn::Mul(x, sigmoid(d, hn::Mul(x, hn::Set(d, a.alpha))));
        case ActivationKind::silu: return hn::Mul(x, sigmoid(d, x));
        case ActivationKind::hard_swish:
            return hn::Mul(x, hn::Max(zero, hn::Min(one, hn::MulAdd(x, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f)))));
        case ActivationKind::elu: return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(hn::Set(d, a.alpha), hn::Sub(exp(d, x), one)), x);
        case ActivationKind::softplus: return hn::Add(hn::Max(x, zero), log(d, hn::Add(one, exp(d, hn::Neg(hn::Abs(x))))));
    }
    return x;
}

}  // namespace lapidary::LAPIDARY_ISA
