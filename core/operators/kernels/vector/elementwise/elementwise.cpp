// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/elementwise/elementwise.h"

#include <lapidary/tensor/float16.h>

#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;

V value(float x) { return hn::Set(d, x); }

template <UnaryKind kind>
HWY_INLINE V elementary(V x) {
    using K = UnaryKind;
    if constexpr (kind == K::sqrt) return hn::Sqrt(x);
    else if constexpr (kind == K::reciprocal) return hn::Div(value(1.0f), x);
    else if constexpr (kind == K::square) return hn::Mul(x, x);
    else if constexpr (kind == K::cube) return hn::Mul(hn::Mul(x, x), x);
    else if constexpr (kind == K::exp) return exp(d, x);
    else if constexpr (kind == K::log) return log(d, x);
    else if constexpr (kind == K::erf) return erf(d, x);
    else if constexpr (kind == K::sin) return sin(d, x);
    else if constexpr (kind == K::cos) return cos(d, x);
    else if constexpr (kind == K::atan) return atan(d, x);
    else if constexpr (kind == K::floor) return hn::Floor(x);
    else if constexpr (kind == K::ceil) return hn::Ceil(x);
    else return hn::Round(x);
}

template <UnaryKind kind>
HWY_INLINE V apply(V x, float alpha, float beta) {
    const V zero = hn::Zero(d), one = value(1.0f);
    using K = UnaryKind;
    if constexpr (kind == K::identity) return x;
    else if constexpr (kind <= K::softplus) {
        static_assert(static_cast<int>(K::relu) == static_cast<int>(ActivationKind::relu) &&
                      static_cast<int>(K::softplus) == static_cast<int>(ActivationKind::softplus));
        return activate(d, x, Activation{static_cast<ActivationKind>(kind), alpha, beta});
    } else if constexpr (kind == K::thresholded_relu)
        return hn::IfThenElse(hn::Gt(x, value(alpha)), x, zero);
    else if constexpr (kind == K::celu) {
        // of the other sign than x where alpha is negative
        const V scaled = hn::Div(x, value(alpha));
        const V below = hn::Mul(value(alpha), alpha > 0 ? expm1_of_nonpositive(d, scaled)
                                                        : hn::Sub(exp(d, scaled), one));
        return hn::IfThenElse(hn::Lt(x, zero), hn::Min(zero, below), x);
    } else if constexpr (kind == K::selu) {
        const V below = hn::Mul(value(alpha * beta), expm1_of_nonpositive(d, x));
        return hn::IfThenElse(hn::Gt(x, zero), hn::Mul(value(beta), x), below);
    } else if constexpr (kind == K::mish) return mish(d, x);
    else if constexpr (kind == K::softsign) return hn::Div(x, hn::Add(one, hn::Abs(x)));
    else if constexpr (kind == K::affine) return hn::Add(hn::Mul(x, value(alpha)), value(beta));
    else if constexpr (kind == K::abs) return hn::Abs(x);
    else if constexpr (kind == K::neg) return hn::Neg(x);
    else if constexpr (kind == K::sign) {
        const V sign = hn::IfThenElse(hn::Lt(x, zero), value(-1.0f),
                                      hn::IfThenElse(hn::Gt(x, zero), one, zero));
        return hn::IfThenElse(hn::IsNaN(x), x, sign);
    } else if constexpr (kind == K::power_half) {
        const V root = hn::Sqrt(hn::Add(x, zero));
        return hn::IfThenElse(hn::Eq(x, value(-HUGE_VALF)), value(HUGE_VALF), root);
    } else if constexpr (kind == K::keep_finite) {
        const V magnitude = hn::Abs(x), most = value(alpha);
        const auto is_beyond =
            hn::And(hn::Gt(magnitude, most), hn::Lt(magnitude, value(HUGE_VALF)));
        return hn::IfThenElse(is_beyond, hn::CopySign(most, x), x);
    } else return elementary<kind>(x);
}

template <UnaryKind kind>
void unary(const float* x, float* y, std::int64_t count, float alpha, float beta) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        const V first = apply<kind>(hn::LoadU(d, x + i), alpha, beta),
                second = apply<kind>(hn::LoadU(d, x + i + lanes), alpha, beta);
        hn::StoreU(first, d, y + i);
        hn::StoreU(second, d, y + i + lanes);
    }
    for (; i < count; i += lanes) {
        const std::int64_t left = count - i;
        if (left >= lanes) hn::StoreU(apply<kind>(hn::LoadU(d, x + i), alpha, beta), d, y + i);
        else store_first(d, apply<kind>(load_first(d, x + i, left), alpha, beta), y + i, left);
    }
}

template <BinaryKind kind>
HWY_INLINE V combine(V a, V b) {
    using K = BinaryKind;
    if constexpr (kind == K::add) return hn::Add(a, b);
    else if constexpr (kind == K::sub) return hn::Sub(a, b);
    else if constexpr (kind == K::mul) return hn::Mul(a, b);
    else if constexpr (kind == K::div) return hn::Div(a, b);
    // NaN of either operand wins.
    else if constexpr (kind == K::min)
        return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
    else if constexpr (kind == K::max)
        return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
    else return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Mul(a, b), a);
}

/// body(i, a, b, left): vectors of both operands from element i on, `left` of them wanted (at least
/// 1).
template <OperandForm form, class Body>
HWY_INLINE void walk(const float* a, const float* b, std::int64_t count, const Body& body) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const V all_a =
        form == OperandForm::first_repeats && count > 0 ? hn::Set(d, a[0]) : hn::Zero(d);
    const V all_b =
        form == OperandForm::second_repeats && count > 0 ? hn::Set(d, b[0]) : hn::Zero(d);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        body(i, form == OperandForm::first_repeats ? all_a : hn::LoadU(d, a + i),
             form == OperandForm::second_repeats ? all_b : hn::LoadU(d, b + i), lanes);
    const std::int64_t left = count - i;
    if (left > 0)
        body(i, form == OperandForm::first_repeats ? all_a : load_first(d, a + i, left),
             form == OperandForm::second_repeats ? all_b : load_first(d, b + i, left), left);
}

template <BinaryKind kind, OperandForm form>
void binary(const void* a, const void* b, void* y, std::int64_t count) {
    auto* out = static_cast<float*>(y);
    walk<form>(static_cast<const float*>(a), static_cast<const float*>(b), count,
               [&](std::int64_t i, V p, V q, std::int64_t left) HWY_ATTR {
                   if (left == static_cast<std::int64_t>(hn::Lanes(d)))
                       hn::StoreU(combine<kind>(p, q), d, out + i);
                   else store_first(d, combine<kind>(p, q), out + i, left);
               });
}

template <OperandForm form>
void power(const void* a, const void* b, void* y, std::int64_t count) {
    const auto* base = static_cast<const float*>(a);
    const auto* exponent = static_cast<const float*>(b);
    auto* out = static_cast<float*>(y);
    const std::int64_t base_step = form != OperandForm::first_repeats,
                       exponent_step = form != OperandForm::second_repeats;
    for (std::int64_t i = 0; i < count; ++i) {
        const float p = base[i * base_step], q = exponent[i * exponent_step];
        out[i] = q == 2 ? p * p : ::powf(p, q);
    }
}

/// fmodf, exact as that.
template <OperandForm form>
void remainder(const void* a, const void* b, void* y, std::int64_t count) {
    const auto* dividend = static_cast<const float*>(a);
    const auto* divisor = static_cast<const float*>(b);
    auto* out = static_cast<float*>(y);
    constexpr std::int64_t a_step = form != OperandForm::first_repeats,
                           b_step = form != OperandForm::second_repeats;
    std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<double> wide;
    const hn::Rebind<float, decltype(wide)> narrow;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
    const auto load = [&](const float* from, std::int64_t step) HWY_ATTR {
        return hn::PromoteTo(wide, step ? hn::LoadU(narrow, from) : hn::Set(narrow, *from));
    };
    for (; i + lanes <= count; i += lanes) {
        const auto p = load(dividend + i * a_step, a_step), q = load(divisor + i * b_step, b_step);
        // Up to 2^28 times, the rounded quotient of two floats has the true one's whole part, and
        // all that follows is exact.
        const auto times = hn::Trunc(hn::Div(p, q));
        const auto is_near = hn::And(hn::Le(hn::Abs(times), hn::Set(wide, 0x1p28)),
                                     hn::Lt(hn::Abs(q), hn::Set(wide, HUGE_VAL)));
        if (HWY_UNLIKELY(!hn::AllTrue(wide, is_near))) {
            for (std::int64_t j = i; j < i + lanes; ++j)
                out[j] = ::fmodf(dividend[j * a_step], divisor[j * b_step]);
            continue;
        }
        hn::StoreU(hn::DemoteTo(narrow, hn::CopySign(hn::NegMulAdd(times, q, p), p)), narrow,
                   out + i);
    }
#endif
    for (; i < count; ++i) out[i] = ::fmodf(dividend[i * a_step], divisor[i * b_step]);
}

template <CompareKind kind>
HWY_INLINE auto test(V a, V b) {
    using K = CompareKind;
    if constexpr (kind == K::equal) return hn::Eq(a, b);
    else if constexpr (kind == K::less) return hn::Lt(a, b);
    else if constexpr (kind == K::less_equal) return hn::Le(a, b);
    else if constexpr (kind == K::greater) return hn::Gt(a, b);
    else return hn::Ge(a, b);
}

/// The first `left` (at least 1, at most all) lanes of the mask as bytes 0 and 1.
HWY_INLINE void store_bools(hn::Mask<decltype(d)> mask, std::uint8_t* to, std::int64_t left) {
    const hn::RebindToSigned<decltype(d)> words;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const auto narrow = hn::DemoteTo(
        bytes, hn::And(hn::BitCast(words, hn::VecFromMask(d, mask)), hn::Set(words, 1)));
    if (left == static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(narrow, bytes, to);
    std::uint8_t tail[HWY_MAX_BYTES / sizeof(float)];
    hn::StoreU(narrow, bytes, tail);
    for (std::int64_t j = 0; j < left; ++j) to[j] = tail[j];
}

template <CompareKind kind, OperandForm form>
void compare(const void* a, const void* b, void* y, std::int64_t count) {
    auto* out = static_cast<std::uint8_t*>(y);
    walk<form>(static_cast<const float*>(a), static_cast<const float*>(b), count,
               [&](std::int64_t i, V p, V q, std::int64_t left)
                   HWY_ATTR { store_bools(test<kind>(p, q), out + i, left); });
}

/// y[i] = f(x[i]), a mask.
template <class F>
HWY_INLINE void examine(const float* x, std::uint8_t* y, std::int64_t count, const F& f) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) store_bools(f(hn::LoadU(d, x + i)), y + i, lanes);
    if (i < count) store_bools(f(load_first(d, x + i, count - i)), y + i, count - i);
}

void is_nan(const float* x, std::uint8_t* y, std::int64_t count) {
    examine(x, y, count, [](V v) HWY_ATTR { return hn::IsNaN(v); });
}

void is_inf(const float* x, std::uint8_t* y, std::int64_t count, bool positive, bool negative) {
    // Nothing equals NaN.
    const V high = value(positive ? HUGE_VALF : __builtin_nanf("")),
            low = value(negative ? -HUGE_VALF : __builtin_nanf(""));
    examine(x, y, count,
            [high, low](V v) HWY_ATTR { return hn::Or(hn::Eq(v, high), hn::Eq(v, low)); });
}

#if HWY_TARGET == HWY_SCALAR
// Highway's own scalar conversion knows no overflow.
void widen_half(const std::uint16_t* x, float* y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = half_bits_to_float(x[i]);
}

void narrow_half(const float* x, std::uint16_t* y, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = float_to_half_bits(x[i]);
}
#else
const hn::Rebind<hwy::float16_t, decltype(d)> halves;

void widen_half(const std::uint16_t* x, float* y, std::int64_t count) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto* from = reinterpret_cast<const hwy::float16_t*>(x);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::PromoteTo(d, hn::LoadU(halves, from + i)), d, y + i);
    if (i == count) return;
    hwy::float16_t tail[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t j = i; j < count; ++j) tail[j - i] = from[j];
    store_first(d, hn::PromoteTo(d, hn::LoadU(halves, tail)), y + i, count - i);
}

void narrow_half(const float* x, std::uint16_t* y, std::int64_t count) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto* to = reinterpret_cast<hwy::float16_t*>(y);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::DemoteTo(halves, hn::LoadU(d, x + i)), halves, to + i);
    if (i == count) return;
    hwy::float16_t tail[HWY_MAX_BYTES / sizeof(float)];
    hn::StoreU(hn::DemoteTo(halves, load_first(d, x + i, count - i)), halves, tail);
    for (std::int64_t j = i; j < count; ++j) to[j] = tail[j - i];
}
#endif

#define LAPIDARY_FORMS(function, kind)                                                    \
    {                                                                                     \
        &function<kind, OperandForm::both>, &function<kind, OperandForm::second_repeats>, \
            &function<kind, OperandForm::first_repeats>                                   \
    }

constexpr ElementwiseKernels table{
    {
#define X(kind) &unary<UnaryKind::kind>,
        LAPIDARY_UNARY_KINDS(X)
#undef X
    },
    {LAPIDARY_FORMS(binary, BinaryKind::add),
     LAPIDARY_FORMS(binary, BinaryKind::sub),
     LAPIDARY_FORMS(binary, BinaryKind::mul),
     LAPIDARY_FORMS(binary, BinaryKind::div),
     LAPIDARY_FORMS(binary, BinaryKind::min),
     LAPIDARY_FORMS(binary, BinaryKind::max),
     LAPIDARY_FORMS(binary, BinaryKind::prelu),
     {&power<OperandForm::both>, &power<OperandForm::second_repeats>,
      &power<OperandForm::first_repeats>},
     {&remainder<OperandForm::both>, &remainder<OperandForm::second_repeats>,
      &remainder<OperandForm::first_repeats>}},
    {LAPIDARY_FORMS(compare, CompareKind::equal), LAPIDARY_FORMS(compare, CompareKind::less),
     LAPIDARY_FORMS(compare, CompareKind::less_equal),
     LAPIDARY_FORMS(compare, CompareKind::greater),
     LAPIDARY_FORMS(compare, CompareKind::greater_equal)},
    &is_nan,
    &is_inf,
    &widen_half,
    &narrow_half};
#undef LAPIDARY_FORMS

}  // namespace

const ElementwiseKernels& elementwise_kernels() { return table; }

}  // namespace lapidary::LAPIDARY_ISA
