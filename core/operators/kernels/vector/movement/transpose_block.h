// SPDX-License-Identifier: Apache-2.0
// Rows to columns, a vector's lanes at a time; for files of kernels/vector only.
#pragma once

#include <cstdint>

#include <hwy/highway.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3
/// 16 rows of 16 lanes in place.
HWY_INLINE void transpose_registers(__m512 (&r)[16]) {
    __m512 t[16];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        t[2 * i] = _mm512_unpacklo_ps(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_ps(r[2 * i], r[2 * i + 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const __m512d a = _mm512_castps_pd(t[4 * i]), b = _mm512_castps_pd(t[4 * i + 1]),
                      c = _mm512_castps_pd(t[4 * i + 2]), e = _mm512_castps_pd(t[4 * i + 3]);
        r[4 * i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        r[4 * i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        r[4 * i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, e));
        r[4 * i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, e));
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        t[i] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_f32x4(r[i + 8], r[i + 12], 0xdd);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        r[i] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0x88);
        r[i + 8] = _mm512_shuffle_f32x4(t[i], t[i + 8], 0xdd);
    }
}
#endif

/// to[column * to_stride + row] = from[row * stride + column] for `rows` (at most a vector's lanes)
/// rows; the lanes behind them become zero.
HWY_INLINE void transpose_rows(const float* from, std::int64_t stride, std::int64_t rows,
                               std::int64_t columns, float* to, std::int64_t to_stride) {
    const hn::ScalableTag<float> d;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(decltype(d)()));
    if (rows <= 0) {
        for (std::int64_t c = 0; c < columns; ++c) hn::StoreU(hn::Zero(d), d, to + c * to_stride);
        return;
    }
    std::int64_t c = 0;
#if HWY_TARGET == HWY_AVX3
    for (; c < columns; c += lanes) {
        __m512 r[16];
        const std::int64_t left = columns - c;
        const __mmask16 mask = left >= lanes ? 0xffff : static_cast<__mmask16>((1u << left) - 1);
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i)
            r[i] =
                i < rows ? _mm512_maskz_loadu_ps(mask, from + i * stride + c) : _mm512_setzero_ps();
        transpose_registers(r);
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i)
            if (i < left) _mm512_storeu_ps(to + (c + i) * to_stride, r[i]);
    }
#elif HWY_TARGET == HWY_AVX2
    if (rows == lanes) {
        const hn::RebindToSigned<decltype(d)> di;
        const auto index = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(stride)));
        for (; c < columns; ++c)
            hn::StoreU(hn::GatherIndex(d, from + c, index), d, to + c * to_stride);
    }
#endif
    for (; c < columns; ++c)
        for (std::int64_t i = 0; i < lanes; ++i)
            to[c * to_stride + i] = i < rows ? from[i * stride + c] : 0.0f;
}

}  // namespace lapidary::LAPIDARY_ISA
