// SPDX-License-Identifier: Apache-2.0
// Bytes to floats and back; for files of kernels/vector/integer only (see ../isa.h).
#pragma once

#include "kernels/vector/integer/byte_elements.h"
#include "kernels/vector/integer/byte_finish.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d32));

/// Values to bytes: divide, round, clamp, add the zero point; or, `zero_first`, add it before
/// rounding, so that halves go to the even byte in place of the even number of steps.
template <typename T, bool zero_first = false>
struct ToBytes {
    explicit ToBytes(ByteScale q)
        : by(q.scale), zero(q.zero_point),
          low(static_cast<float>(least - (zero_first ? 0 : q.zero_point))), high(low + 255),
          limit(1024 * fabsf(q.scale)) {}
    /// Calls value(i, left) for vectors of floats at i, `left` being how many of them count, and
    /// stores bytes.
    template <typename Value>
    HWY_INLINE void fill(std::int64_t count, T* to, const Value& value) const {
        std::int64_t i = 0;
#if HWY_TARGET == HWY_AVX3
        if (Divisor::is_ordinary(by.divisor)) {
            const __m512i order =
                _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            const __m512i zeros = _mm512_set1_epi16(static_cast<short>(zero_first ? 0 : zero));
            const __m512 shift = _mm512_set1_ps(static_cast<float>(zero));
            // Beyond 1024 steps everything saturates; what is no number goes to the low end, as max
            // takes its second operand.
            const __m512 most = _mm512_set1_ps(limit),
                         fewest = _mm512_set1_ps(by.divisor > 0 ? -limit : limit);
            const auto steps = [&](std::int64_t at) __attribute__((always_inline)) {
                const __m512 x = value(at, 16).raw;
                const __m512 inside = by.divisor > 0 ? _mm512_min_ps(_mm512_max_ps(x, fewest), most)
                                                     : _mm512_max_ps(_mm512_min_ps(x, fewest),
                                                                     _mm512_set1_ps(-limit));
                const __m512 quotient = by.quotient(Reals{inside}).raw;
                return _mm512_cvtps_epi32(zero_first ? _mm512_add_ps(quotient, shift) : quotient);
            };
            for (; i + 64 <= count; i += 64) {
                const auto pair = [&](std::int64_t at) __attribute__((always_inline)) {
                    return _mm512_adds_epi16(_mm512_packs_epi32(steps(at), steps(at + 16)), zeros);
                };
                const __m512i first = pair(i), second = pair(i + 32);
                _mm512_storeu_si512(to + i,
                                    _mm512_permutexvar_epi32(
                                        order, least < 0 ? _mm512_packs_epi16(first, second)
                                                         : _mm512_packus_epi16(first, second)));
            }
        }
#endif
        const hn::Rebind<T, D32> d8;
        for (; i < count; i += lanes) {
            Reals steps = hn::Div(value(i, count - i), hn::Set(df, by.divisor));
            if (zero_first) steps = hn::Add(steps, hn::Set(df, static_cast<float>(zero)));
            Sums whole = FinishRow::rounded(steps, low, high);
            if (!zero_first) whole = hn::Add(whole, hn::Set(d32, zero));
            store_some(d8, hn::DemoteTo(d8, whole), to + i, count - i);
        }
    }
    static constexpr std::int32_t least = static_cast<T>(-1) < 0 ? -128 : 0;
    Divisor by;
    std::int32_t zero;
    float low, high, limit;
};

/// Bytes to values.
template <typename T>
HWY_INLINE Reals real_of(const T* x, std::int64_t count, ByteScale q) {
    const hn::Rebind<T, D32> d8;
    return hn::Mul(hn::ConvertTo(df, hn::Sub(hn::PromoteTo(d32, load_some(d8, x, count)),
                                             hn::Set(d32, q.zero_point))),
                   hn::Set(df, q.scale));
}

}  // namespace
}  // namespace lapidary::LAPIDARY_ISA
