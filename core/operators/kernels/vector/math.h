// SPDX-License-Identifier: Apache-2.0
// Elementary functions on vectors of float; for files of kernels/vector only (see isa.h). Each
// function's error against the exact value is stated and held by tests. NaN gives NaN.
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

/// max(x, low); NaN where x is.
template <class V>
HWY_INLINE V at_least(V x, V low) {
#if HWY_TARGET <= HWY_SSSE3
    // x86 returns the second operand where either is NaN; other CPUs may return the number
    return hn::Max(low, x);
#else
    return hn::IfThenElse(hn::Lt(x, low), low, x);
#endif
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V at_least(D d, V x, float low) {
    return at_least(x, hn::Set(d, low));
}

/// min(x, high); NaN where x is.
template <class V>
HWY_INLINE V at_most(V x, V high) {
#if HWY_TARGET <= HWY_SSSE3
    return hn::Min(high, x);
#else
    return hn::IfThenElse(hn::Gt(x, high), high, x);
#endif
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V at_most(D d, V x, float high) {
    return at_most(x, hn::Set(d, high));
}

/// e^x within 2 ULP; 0 below -87.33 (no denormal results), infinity above 88.72. With
/// `is_nonpositive` x is at most 0 or NaN.
template <bool is_nonpositive = false, class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
    static constexpr float c[] = {1.0f,         1.0f,         0.49999994f,  0.16666521f,
                                  0.041668262f, 0.008368675f, 0.0013821055f};
    static constexpr float low = -87.3365402f;
    V inside = x;
    // the result is infinite already
    if constexpr (!is_nonpositive) inside = at_most(d, inside, 89.0f);
#if HWY_TARGET == HWY_AVX3
    // lanes that are too low are cleared at the end
    constexpr bool is_masked = hn::MaxLanes(D()) == 16;
#else
    constexpr bool is_masked = false;
#endif
    if constexpr (!is_masked) inside = at_least(d, inside, low);
    const V n = hn::Round(hn::Mul(inside, hn::Set(d, 1.44269504f)));
    V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), inside);
    r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
    const V p = polynomial(d, r, c);
#if HWY_TARGET == HWY_AVX3
    if constexpr (is_masked)
        return V{_mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x.raw, _mm512_set1_ps(low), _CMP_NLT_UQ),
                                        p.raw, n.raw)};
#endif
    // 2^n in two factors: n reaches 128. The conversion of NaN may be any number: p is NaN then.
    const hn::RebindToSigned<D> di;
    const auto whole = hn::ConvertTo(di, n);
    const auto half = hn::ShiftRight<1>(whole);
    const auto factor = [&](auto e) HWY_ATTR {
        return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127))));
    };
    const V y = hn::Mul(hn::Mul(p, factor(half)), factor(hn::Sub(whole, half)));
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, low)), y);
}

/// e^x = 2^n (1 + rest).
template <class V>
struct ExpParts {
    V n, rest;
};
/// For x from -110 to 88. The rest is at most 2^1/2 - 1 and has an error of less than 1 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE ExpParts<V> exp_parts(D d, V x) {
    static constexpr float c[] = {0.49999994f, 0.16666521f, 0.041668262f, 0.008368675f,
                                  0.0013821055f};
    const V n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
    V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
    r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
    return {n, hn::MulAdd(hn::Mul(r, r), polynomial(d, r, c), r)};
}
/// 2^n for whole n from -126 to 127; of NaN any number.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V power_of_two(D d, V n) {
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127))));
}

/// e^x - 1 within 1 ULP for x at most 0 or NaN; of other x any number.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V expm1_of_nonpositive(D d, V x) {
    const auto [n, rest] = exp_parts(d, at_least(d, x, -87.0f));
    const V power = power_of_two(d, n);
    return hn::MulAdd(power, rest, hn::Sub(power, hn::Set(d, 1.0f)));
}

/// log(1 + x) within 2 ULP for x from 0 to 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log1p_of_share(D d, V x) {
    static constexpr float c[] = {3.3333331174e-1f,  -2.4999993993e-1f, 2.0000714765e-1f,
                                  -1.6668057665e-1f, 1.4249322787e-1f,  -1.2420140846e-1f,
                                  1.1676998740e-1f,  -1.1514610310e-1f, 7.0376836292e-2f};
    // 1 + x = m 2^e with m in [sqrt 1/2, sqrt 2); m - 1 is exact either way.
    const V half = hn::Set(d, 0.5f);
    const auto is_large = hn::Gt(x, hn::Set(d, 0.414213562f));
    const V r = hn::IfThenElse(is_large, hn::Mul(half, hn::Sub(x, hn::Set(d, 1.0f))), x),
            square = hn::Mul(r, r);
    V y = hn::Mul(hn::Mul(r, square), polynomial(d, r, c));
    y = hn::Add(y, hn::IfThenElseZero(is_large, hn::Set(d, -2.12194440e-4f)));
    y = hn::NegMulAdd(half, square, y);
    return hn::Add(hn::IfThenElseZero(is_large, hn::Set(d, 0.693359375f)), hn::Add(r, y));
}

/// log(1 + e^x) within 2 ULP, a relative error below 1.5e-7; 0 below -87.33.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V softplus(D d, V x) {
    return hn::Add(hn::Max(x, hn::Zero(d)), log1p_of_share(d, exp<true>(d, hn::Neg(hn::Abs(x)))));
}

/// x tanh(softplus(x)) within 3 ULP, a relative error below 2e-7 where that is a normal number; NaN
/// of minus infinity.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V mish(D d, V x) {
    // With e = e^x and w = e^2 + 2 e: x w / (w + 2). What e, w and w + 2 lose by rounding is given
    // back at the end, to first order.
    const V one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
    const V inside = at_least(d, x, -87.0f);
    const auto [n, rest] = exp_parts(d, at_most(d, inside, 20.0f));
    const V p = hn::Add(one, rest), e = hn::Mul(p, power_of_two(d, n)), twice = hn::Add(e, e);
    const V w = hn::MulAdd(e, e, twice), divisor = hn::Add(w, two);
    const V lost_e = hn::Sub(rest, hn::Sub(p, one));  // of p, whose size is about 1
    const V lost_w = hn::MulAdd(e, e, hn::Sub(twice, w)),
            lost_divisor = hn::Sub(w, hn::Sub(divisor, two));
    const V share =
        hn::MulAdd(lost_w, hn::ApproximateReciprocal(hn::Max(w, hn::Set(d, 1e-30f))), lost_e);
    const V y = hn::Div(hn::Mul(inside, w), divisor);
    const V off = hn::Mul(hn::MulSub(two, share, lost_divisor), hn::ApproximateReciprocal(divisor));
    const V result = hn::IfThenElse(hn::Gt(x, hn::Set(d, 10.0f)), x, hn::MulAdd(y, off, y));
    const auto is_low = hn::Lt(x, hn::Set(d, -80.0f));
    if (HWY_LIKELY(hn::AllFalse(d, is_low))) return result;
    // x e^x, whose second factor is no normal number where the product still is one
    const V low = at_least(d, x, -110.0f);
    const auto [m, tail] = exp_parts(d, low);
    const V product =
        hn::Mul(hn::MulAdd(low, tail, low), power_of_two(d, hn::Add(m, hn::Set(d, 64.0f))));
    // x 0 makes NaN of minus infinity, as the formula does
    return hn::IfThenElse(
        is_low, hn::MulAdd(product, hn::Set(d, 0x1p-64f), hn::Mul(x, hn::Zero(d))), result);
}

/// Natural logarithm within 4 ULP of positive normal numbers; -infinity of 0 and denormals, NaN of
/// negative numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x) {
    static constexpr float c[] = {3.3333331174e-1f,  -2.4999993993e-1f, 2.0000714765e-1f,
                                  -1.6668057665e-1f, 1.4249322787e-1f,  -1.2420140846e-1f,
                                  1.1676998740e-1f,  -1.1514610310e-1f, 7.0376836292e-2f};
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, x);
    // x = m 2^e with m in [sqrt 1/2, sqrt 2)
    const auto shifted = hn::Sub(bits, hn::Set(di, 0x3f3504f3));
    const auto exponent = hn::ShiftRight<23>(shifted);
    const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    const V e = hn::ConvertTo(d, exponent), r = hn::Sub(m, hn::Set(d, 1.0f)),
            square = hn::Mul(r, r);
    V y = hn::Mul(hn::Mul(r, square), polynomial(d, r, c));
    y = hn::MulAdd(e, hn::Set(d, -2.12194440e-4f), y);
    y = hn::NegMulAdd(hn::Set(d, 0.5f), square, y);
    y = hn::MulAdd(e, hn::Set(d, 0.693359375f), hn::Add(r, y));
    y = hn::IfThenElse(hn::Lt(x, hn::Set(d, 1.17549435e-38f)), hn::Set(d, -HUGE_VALF), y);
    y = hn::IfThenElse(hn::Eq(x, hn::Set(d, HUGE_VALF)), x, y);
    return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), y, hn::Set(d, __builtin_nanf("")));
}

/// Error function within 7 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, V x) {
    static constexpr float numerator[] = {1.128379094e+00f, 2.071261029e-01f, 5.152499654e-02f,
                                          3.990613760e-03f, 1.472879394e-04f, -1.942328854e-06f,
                                          1.911105593e-08f};
    static constexpr float denominator[] = {1.000000000e+00f, 5.168919768e-01f, 1.179711012e-01f,
                                            1.495814641e-02f, 1.021124312e-03f};
    const V inside = at_most(d, at_least(d, x, -4.0f), 4.0f);
    const V square = hn::Mul(inside, inside);
    const V y = hn::Div(hn::Mul(inside, polynomial(d, square, numerator)),
                        polynomial(d, square, denominator));
    return at_most(d, at_least(d, y, -1.0f), 1.0f);
}

/// Hyperbolic tangent within 7 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
    static constexpr float numerator[] = {9.999998719e-01f, 1.302255337e-01f,  3.036098315e-03f,
                                          1.046749919e-05f, -1.758378918e-08f, 4.087417207e-11f,
                                          -5.641676241e-14f};
    static constexpr float denominator[] = {1.000000000e+00f, 4.635583851e-01f, 2.422276400e-02f,
                                            2.448660933e-04f};
    const V inside = at_most(d, at_least(d, x, -8.95f), 8.95f);
    const V square = hn::Mul(inside, inside);
    const V y = hn::Div(hn::Mul(inside, polynomial(d, square, numerator)),
                        polynomial(d, square, denominator));
    return at_most(d, at_least(d, y, -1.0f), 1.0f);
}

/// 1 / (1 + e^-x) within 4 ULP where that is a normal number; else 0 or within a denormal of it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
    const V one = hn::Set(d, 1.0f);
    return hn::Div(one, hn::Add(one, exp(d, hn::Neg(x))));
}

/// The sine of x, or its cosine, for |x| <= 8192.
template <bool is_cosine, class D, class V = hn::Vec<D>>
HWY_INLINE V circular(D d, V x) {
    static constexpr float of_sine[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f},
                           of_cosine[] = {4.166664568298827e-2f, -1.388731625493765e-3f,
                                          2.443315711809948e-5f};
    const hn::RebindToSigned<D> di;
    // x = n pi / 2 + r; the parts of pi / 2 are so short that their products with n are exact.
    const V n = hn::Round(hn::Mul(x, hn::Set(d, 0.636619772f)));
    V r = hn::NegMulAdd(n, hn::Set(d, 1.5703125f), x);
    r = hn::NegMulAdd(n, hn::Set(d, 4.837512969970703125e-4f), r);
    r = hn::NegMulAdd(n, hn::Set(d, 7.549789948768648e-8f), r);
    const V square = hn::Mul(r, r);
    const V sine = hn::MulAdd(hn::Mul(r, square), polynomial(d, square, of_sine), r);
    const V cosine = hn::MulAdd(hn::Mul(square, square), polynomial(d, square, of_cosine),
                                hn::NegMulAdd(hn::Set(d, 0.5f), square, hn::Set(d, 1.0f)));
    auto quarter = hn::ConvertTo(di, n);
    if constexpr (is_cosine) quarter = hn::Add(quarter, hn::Set(di, 1));
    const auto is_odd = hn::RebindMask(d, hn::Eq(hn::And(quarter, hn::Set(di, 1)), hn::Set(di, 1)));
    const auto sign = hn::ShiftLeft<30>(hn::And(quarter, hn::Set(di, 2)));
    return hn::Xor(hn::IfThenElse(is_odd, cosine, sine), hn::BitCast(d, sign));
}

/// The same for every x: lanes beyond 8192, which are rare, one by one.
template <bool is_cosine, class D, class V = hn::Vec<D>>
HWY_INLINE V circular_of_all(D d, V x) {
    const auto is_near = hn::Le(hn::Abs(x), hn::Set(d, 8192.0f));
    const V y = circular<is_cosine>(d, hn::IfThenElseZero(is_near, x));
    if (hn::AllTrue(d, is_near)) return y;
    HWY_ALIGN float from[hn::MaxLanes(D())];
    hn::Store(x, d, from);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        from[i] = is_cosine ? cosf(from[i]) : sinf(from[i]);
    return hn::IfThenElse(is_near, y, hn::Load(d, from));
}

/// Sine and cosine; absolute error below 1e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin(D d, V x) {
    return circular_of_all<false>(d, x);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cos(D d, V x) {
    return circular_of_all<true>(d, x);
}

/// Arc tangent within 3 ULP.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V atan(D d, V x) {
    static constexpr float c[] = {-3.33329491539e-1f, 1.99777106478e-1f, -1.38776856032e-1f,
                                  8.05374449538e-2f};
    const V one = hn::Set(d, 1.0f), size = hn::Abs(x);
    // atan(size) = angle + atan(r) with |r| <= tan(pi / 8); the rest of the angle is what float
    // leaves of it.
    const auto is_large = hn::Gt(size, hn::Set(d, 2.41421356f)),
               is_middling = hn::AndNot(is_large, hn::Gt(size, hn::Set(d, 0.414213562f)));
    const V numerator = hn::IfThenElse(is_large, hn::Set(d, -1.0f),
                                       hn::IfThenElse(is_middling, hn::Sub(size, one), size));
    const V r = hn::Div(
        numerator,
        hn::IfThenElse(is_large, size, hn::IfThenElse(is_middling, hn::Add(size, one), one)));
    const V angle = hn::IfThenElse(is_large, hn::Set(d, 1.57079637f),
                                   hn::IfThenElseZero(is_middling, hn::Set(d, 0.785398185f)));
    const V rest = hn::IfThenElse(is_large, hn::Set(d, -4.37113883e-8f),
                                  hn::IfThenElseZero(is_middling, hn::Set(d, -2.18556941e-8f)));
    const V square = hn::Mul(r, r);
    const V y =
        hn::Add(angle, hn::Add(hn::MulAdd(hn::Mul(r, square), polynomial(d, square, c), rest), r));
    return hn::CopySignToAbs(y, x);
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
    const V inner = hn::Mul(hn::Mul(x, hn::Set(d, 0.797884561f)),
                            hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.044715f), hn::Set(d, 1.0f)));
    const V half = hn::Mul(x, hn::Set(d, 0.5f));
    return hn::MulAdd(half, tanh(d, inner), half);
}

/// The activation of one vector. `kind` is best a constant or the same for a whole loop.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V activate(D d, V x, const Activation& a) {
    const V zero = hn::Zero(d);
    switch (a.kind) {
    case ActivationKind::none: return x;
    case ActivationKind::relu: return at_least(d, x, 0.0f);
    case ActivationKind::leaky_relu:
        return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(x, hn::Set(d, a.alpha)), x);
    case ActivationKind::clip: return at_most(d, at_least(d, x, a.alpha), a.beta);
    case ActivationKind::sigmoid: return sigmoid(d, x);
    case ActivationKind::hard_sigmoid:
        return at_most(d, at_least(d, hn::MulAdd(x, hn::Set(d, a.alpha), hn::Set(d, a.beta)), 0.0f),
                       1.0f);
    case ActivationKind::tanh: return tanh(d, x);
    case ActivationKind::gelu: return gelu(d, x);
    case ActivationKind::gelu_tanh: return gelu_tanh(d, x);
    case ActivationKind::quick_gelu: return hn::Mul(x, sigmoid(d, hn::Mul(x, hn::Set(d, a.alpha))));
    case ActivationKind::silu: return hn::Mul(x, sigmoid(d, x));
    case ActivationKind::hard_swish:
        return hn::Mul(
            x, at_most(d, at_least(d, hn::MulAdd(x, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f)), 0.0f),
                       1.0f));
    case ActivationKind::elu:
        return hn::IfThenElse(hn::Lt(x, zero),
                              hn::Mul(hn::Set(d, a.alpha), expm1_of_nonpositive(d, x)), x);
    case ActivationKind::softplus: return softplus(d, x);
    }
    return x;
}

}  // namespace lapidary::LAPIDARY_ISA
