// SPDX-License-Identifier: Apache-2.0
// Finishes sums of byte products, a tile at a time; for files of kernels/vector/integer only (see
// ../isa.h). Every rounding is that of the reference kernels: float(sum) is rounded, each factor
// and summand rounds again, ties to even.
#pragma once

#include <math.h>

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_product.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D32 = hn::ScalableTag<std::int32_t>;
using DF = hn::ScalableTag<float>;
using Sums = hn::Vec<D32>;
using Reals = hn::Vec<DF>;
const D32 d32;
const DF df;

/// The first `count` elements; what follows is 0.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_some(D d, const T* from, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::LoadU(d, from);
    T part[HWY_MAX_BYTES / sizeof(T)] = {};
    for (std::int64_t i = 0; i < count; ++i) part[i] = from[i];
    return hn::LoadU(d, part);
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void store_some(D d, hn::Vec<D> v, T* to, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(v, d, to);
    T part[HWY_MAX_BYTES / sizeof(T)];
    hn::StoreU(v, d, part);
    for (std::int64_t i = 0; i < count; ++i) to[i] = part[i];
}

/// Quotients by one divisor, rounded to float as a division rounds them.
struct Divisor {
    explicit Divisor(float s) : divisor(s), reciprocal(1 / s) {}
    /// True where quotient() may take the place of a division: nothing near the ends of the
    /// exponent's range.
    static bool is_ordinary(float s) {
        return (s > 1e-30f && s < 1e30f) || (s < -1e-30f && s > -1e30f);
    }
    /// One correction by the exact remainder: the quotient differs from x / divisor by less than
    /// 2^-45 of itself before it is rounded. For ordinary divisors and finite x.
    HWY_INLINE Reals quotient(Reals x) const {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
        const Reals s = hn::Set(df, divisor), y = hn::Set(df, reciprocal), q = hn::Mul(x, y);
        return hn::MulAdd(hn::NegMulAdd(q, s, x), y, q);
#else
        return hn::Div(x, hn::Set(df, divisor));
#endif
    }
    float divisor, reciprocal;
};

/// One row of a tile: `width` columns from column `column`.
struct FinishRow {
    const ByteFinish& f;
    const std::int32_t* sums;
    std::int64_t row, column, width;

    HWY_INLINE Sums corrected(std::int64_t n) const {
        Sums s = hn::Add(hn::LoadU(d32, sums + n), hn::LoadU(d32, f.column_offset + column + n));
        if (f.row_term)
            s = hn::Add(s, hn::Mul(hn::Set(d32, f.row_term[row]),
                                   hn::LoadU(d32, f.column_zero + column + n)));
        return s;
    }
    HWY_INLINE Reals scaled(std::int64_t n) const {
        Reals x = hn::Mul(hn::ConvertTo(df, corrected(n)), hn::Set(df, f.scale));
        if (f.column_scale) x = hn::Mul(x, hn::LoadU(df, f.column_scale + column + n));
        if (f.divisor != 1) x = hn::Div(x, hn::Set(df, f.divisor));
        return x;
    }
    /// round(x) within [low, high]; NaN gives low.
    static HWY_INLINE Sums rounded(Reals x, float low, float high) {
        x = hn::IfThenElse(hn::Gt(x, hn::Set(df, low)), x, hn::Set(df, low));
        return hn::NearestInt(hn::Min(x, hn::Set(df, high)));
    }
    /// The byte that belongs to sums [n, n + lanes), without its final zero point.
    template <typename T>
    HWY_INLINE Sums centered(std::int64_t n) const {
        const auto low = static_cast<float>(f.low - f.zero_point),
                   high = static_cast<float>(f.high - f.zero_point);
        const Sums own = rounded(scaled(n), low, high);
        if (!f.addend) return own;
        const hn::Rebind<T, D32> d8;
        const T* other = static_cast<const T*>(f.addend) + row * f.addend_stride + column + n;
        const Sums bytes = hn::Sub(hn::PromoteTo(d32, load_some(d8, other, width - n)),
                                   hn::Set(d32, f.addend_zero));
        const Reals total = hn::Add(hn::Mul(hn::ConvertTo(df, own), hn::Set(df, f.own_scale)),
                                    hn::Mul(hn::ConvertTo(df, bytes), hn::Set(df, f.addend_scale)));
        const std::int32_t least = f.is_signed ? -128 : 0;
        return rounded(hn::Div(total, hn::Set(df, f.total_scale)),
                       static_cast<float>(least - f.total_zero),
                       static_cast<float>(least + 255 - f.total_zero));
    }

    void to_sums() const {
        std::int32_t* out = static_cast<std::int32_t*>(f.out) + row * f.out_stride + column;
        for (std::int64_t n = 0; n < width; n += static_cast<std::int64_t>(hn::Lanes(d32)))
            store_some(d32, corrected(n), out + n, width - n);
    }
    void to_reals() const {
        float* out = static_cast<float*>(f.out) + row * f.out_stride + column;
        for (std::int64_t n = 0; n < width; n += static_cast<std::int64_t>(hn::Lanes(d32))) {
            Reals x = scaled(n);
            if (f.bias) x = hn::Add(x, hn::LoadU(df, f.bias + column + n));
            if (f.residual)
                x = hn::Add(
                    x, load_some(df, f.residual + row * f.residual_stride + column + n, width - n));
            store_some(df, x, out + n, width - n);
        }
        if (f.activation) f.activate(out, out, width, f.activation);
    }
    template <typename T>
    void to_bytes() const {
        const std::int32_t zero = f.addend ? f.total_zero : f.zero_point;
        T* out = static_cast<T*>(f.out) + row * f.out_stride + column;
#if HWY_TARGET == HWY_AVX3
        // Four vectors at once: saturating 32 -> 16 -> 8 bits interleaves blocks of four columns,
        // which one permutation undoes.
        const __m512i order =
            _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        const std::int64_t vectors = (width + 15) / 16;
        const __m512i s0 = centered<T>(0).raw, s1 = vectors > 1 ? centered<T>(16).raw : s0,
                      s2 = vectors > 2 ? centered<T>(32).raw : s0,
                      s3 = vectors > 3 ? centered<T>(48).raw : s0;
        const __m512i zeros = _mm512_set1_epi16(static_cast<short>(zero));
        const __m512i low = _mm512_add_epi16(_mm512_packs_epi32(s0, s1), zeros),
                      high = _mm512_add_epi16(_mm512_packs_epi32(s2, s3), zeros);
        const __m512i bytes = _mm512_permutexvar_epi32(order, static_cast<T>(-1) < 0
                                                                  ? _mm512_packs_epi16(low, high)
                                                                  : _mm512_packus_epi16(low, high));
        if (width >= 64) _mm512_storeu_si512(out, bytes);
        else _mm512_mask_storeu_epi8(out, (__mmask64{1} << width) - 1, bytes);
#else
        const hn::Rebind<T, D32> d8;
        for (std::int64_t n = 0; n < width; n += static_cast<std::int64_t>(hn::Lanes(d32)))
            store_some(d8, hn::DemoteTo(d8, hn::Add(centered<T>(n), hn::Set(d32, zero))), out + n,
                       width - n);
#endif
    }
};

/// The rows of a tile. `f` is a copy, so that nothing stored can change it.
template <typename T>
void finish_bytes(const ByteFinish f, const std::int32_t* sums, std::int64_t stride,
                  std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t width) {
    for (std::int64_t r = 0; r < rows; ++r)
        FinishRow{f, sums + r * stride, row + r, column, width}.to_bytes<T>();
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
/// True where finish_sum() gives what FinishRow would: nothing leaves 32 bits on the way.
bool is_plain_sum(const ByteFinish& f) {
    const float most = 256 * (fabsf(f.own_scale) + fabsf(f.addend_scale));
    return f.addend && f.is_bounded && !f.column_zero && f.divisor == 1 &&
           (!f.column_scale || f.scale == 1) && Divisor::is_ordinary(f.total_scale) &&
           most < 1e6f * fabsf(f.total_scale);
}

#endif

#if HWY_TARGET == HWY_AVX3
/// Bytes that are added to others at once, in floats that hold whole numbers: what is_plain_sum()
/// allows.
template <typename T>
class SumOfBytes {
public:
    explicit SumOfBytes(const ByteFinish& f)
        : zeros_(_mm512_set1_epi16(static_cast<short>(f.total_zero))),
          low_(_mm512_set1_ps(static_cast<float>(f.low - f.zero_point))),
          high_(_mm512_set1_ps(static_cast<float>(f.high - f.zero_point))),
          scale_(_mm512_set1_ps(f.scale)), own_scale_(_mm512_set1_ps(f.own_scale)),
          addend_scale_(_mm512_set1_ps(f.addend_scale)),
          addend_zero_(_mm512_set1_ps(static_cast<float>(f.addend_zero))), total_(f.total_scale) {}

    /// Up to 64 columns, those of `there`; `scales` may be null: one for all.
    HWY_INLINE void finish(const std::int32_t* sums, const std::int32_t* offsets,
                           const float* scales, const T* addend, __mmask64 there, T* out) const {
        const __m512i order =
            _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        const __m512i bytes = _mm512_maskz_loadu_epi8(there, addend);
        __m512i whole[4] = {};
        const auto one = [&](std::int64_t v, __m128i part) __attribute__((always_inline)) {
            const __m512i sum = _mm512_add_epi32(_mm512_loadu_si512(sums + 16 * v),
                                                 _mm512_loadu_si512(offsets + 16 * v));
            const __m512 factor = scales ? _mm512_loadu_ps(scales + 16 * v) : scale_;
            const __m512 own = _mm512_roundscale_ps(
                _mm512_min_ps(_mm512_max_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), factor), low_),
                              high_),
                0);
            const __m512 other = _mm512_sub_ps(
                _mm512_cvtepi32_ps(static_cast<T>(-1) < 0 ? _mm512_cvtepi8_epi32(part)
                                                          : _mm512_cvtepu8_epi32(part)),
                addend_zero_);
            const __m512 value =
                _mm512_add_ps(_mm512_mul_ps(own, own_scale_), _mm512_mul_ps(other, addend_scale_));
            whole[v] = _mm512_cvtps_epi32(total_.quotient(Reals{value}).raw);
        };
        one(0, _mm512_castsi512_si128(bytes));
        if (there >> 16 != 0) one(1, _mm512_extracti32x4_epi32(bytes, 1));
        if (there >> 32 != 0) one(2, _mm512_extracti32x4_epi32(bytes, 2));
        if (there >> 48 != 0) one(3, _mm512_extracti32x4_epi32(bytes, 3));
        const __m512i a = _mm512_adds_epi16(_mm512_packs_epi32(whole[0], whole[1]), zeros_),
                      b = _mm512_adds_epi16(_mm512_packs_epi32(whole[2], whole[3]), zeros_);
        const __m512i result = _mm512_permutexvar_epi32(
            order, static_cast<T>(-1) < 0 ? _mm512_packs_epi16(a, b) : _mm512_packus_epi16(a, b));
        _mm512_mask_storeu_epi8(out, there, result);
    }

private:
    __m512i zeros_;
    __m512 low_, high_, scale_, own_scale_, addend_scale_, addend_zero_;
    Divisor total_;
};

/// Rows of a tile.
template <typename T>
void finish_sum(const ByteFinish f, const std::int32_t* sums, std::int64_t stride, std::int64_t row,
                std::int64_t rows, std::int64_t column, std::int64_t width) {
    const SumOfBytes<T> sum(f);
    const __mmask64 there = width >= 64 ? ~__mmask64{0} : (__mmask64{1} << width) - 1;
    for (std::int64_t r = 0; r < rows; ++r)
        sum.finish(sums + r * stride, f.column_offset + column,
                   f.column_scale ? f.column_scale + column : nullptr,
                   static_cast<const T*>(f.addend) + (row + r) * f.addend_stride + column, there,
                   static_cast<T*>(f.out) + (row + r) * f.out_stride + column);
}
#endif

/// True where bytes are sums times one factor, rounded: what store_bytes() and finish_plain() give.
[[maybe_unused]] HWY_INLINE bool is_plain(const ByteFinish& f) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    return f.to == ByteFinish::To::bytes && f.is_bounded && !f.addend && !f.column_zero &&
           f.divisor == 1 && (!f.column_scale || f.scale == 1);
#else
    static_cast<void>(f);
    return false;
#endif
}

#if HWY_TARGET == HWY_AVX2
/// Whole numbers and zero points as the first `count` of sixteen bytes; saturating 32 -> 16 -> 8
/// bits interleaves blocks of four.
template <bool is_signed>
HWY_INLINE void store_sixteen(const __m256i (&whole)[2], __m256i zeros, std::uint8_t* out,
                              std::int64_t count) {
    const __m256i words = _mm256_adds_epi16(_mm256_packs_epi32(whole[0], whole[1]), zeros);
    const __m256i parts =
        is_signed ? _mm256_packs_epi16(words, words) : _mm256_packus_epi16(words, words);
    const __m128i bytes =
        _mm_unpacklo_epi32(_mm256_castsi256_si128(parts), _mm256_extracti128_si256(parts, 1));
    if (count >= 16) return _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bytes);
    std::uint8_t part[16];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(part), bytes);
    __builtin_memcpy(out, part, static_cast<std::size_t>(count));
}

/// Sixteen columns of a tile, from sums to reals.
struct SixteenColumns {
    __m256i offsets[2];
    __m256 factors[2];
    HWY_INLINE SixteenColumns(const ByteFinish& f, std::int64_t column) {
        for (int v = 0; v < 2; ++v) {
            offsets[v] = _mm256_loadu_si256(
                reinterpret_cast<const __m256i*>(f.column_offset + column + 8 * v));
            factors[v] = f.column_scale ? _mm256_loadu_ps(f.column_scale + column + 8 * v)
                                        : _mm256_set1_ps(f.scale);
        }
    }
    HWY_INLINE __m256 scaled(const std::int32_t* sums, int v) const {
        const __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + 8 * v));
        return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_add_epi32(sum, offsets[v])), factors[v]);
    }
};

/// What is_plain() allows.
template <bool is_signed>
void finish_plain(const ByteFinish f, const std::int32_t* sums, std::int64_t stride,
                  std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t width) {
    const __m256i zeros = _mm256_set1_epi16(static_cast<short>(f.zero_point));
    for (std::int64_t n = 0; n < width; n += 16) {
        const SixteenColumns columns(f, column + n);
        auto* out = static_cast<std::uint8_t*>(f.out) + row * f.out_stride + column + n;
        for (std::int64_t r = 0; r < rows; ++r, out += f.out_stride) {
            __m256i whole[2];
            for (int v = 0; v < 2; ++v)
                whole[v] = _mm256_cvtps_epi32(columns.scaled(sums + r * stride + n, v));
            store_sixteen<is_signed>(whole, zeros, out, width - n);
        }
    }
}

/// What is_plain_sum() allows, in floats that hold whole numbers.
template <typename T>
void finish_sum(const ByteFinish f, const std::int32_t* sums, std::int64_t stride, std::int64_t row,
                std::int64_t rows, std::int64_t column, std::int64_t width) {
    constexpr bool is_signed = static_cast<T>(-1) < 0;
    const __m256i zeros = _mm256_set1_epi16(static_cast<short>(f.total_zero));
    const __m256 low = _mm256_set1_ps(static_cast<float>(f.low - f.zero_point)),
                 high = _mm256_set1_ps(static_cast<float>(f.high - f.zero_point));
    const __m256 own_scale = _mm256_set1_ps(f.own_scale),
                 addend_scale = _mm256_set1_ps(f.addend_scale),
                 addend_zero = _mm256_set1_ps(static_cast<float>(f.addend_zero));
    const Divisor total(f.total_scale);
    const hn::FixedTag<T, 16> d8;
    for (std::int64_t n = 0; n < width; n += 16) {
        const SixteenColumns columns(f, column + n);
        auto* out = static_cast<std::uint8_t*>(f.out) + row * f.out_stride + column + n;
        const T* other = static_cast<const T*>(f.addend) + row * f.addend_stride + column + n;
        for (std::int64_t r = 0; r < rows; ++r, out += f.out_stride, other += f.addend_stride) {
            const __m128i bytes = load_some(d8, other, width - n).raw;
            __m256i whole[2];
            for (int v = 0; v < 2; ++v) {
                const __m128i part = v ? _mm_unpackhi_epi64(bytes, bytes) : bytes;
                const __m256 own = _mm256_round_ps(
                    _mm256_min_ps(_mm256_max_ps(columns.scaled(sums + r * stride + n, v), low),
                                  high),
                    _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
                const __m256 addend =
                    _mm256_sub_ps(_mm256_cvtepi32_ps(is_signed ? _mm256_cvtepi8_epi32(part)
                                                               : _mm256_cvtepu8_epi32(part)),
                                  addend_zero);
                const __m256 value = _mm256_add_ps(_mm256_mul_ps(own, own_scale),
                                                   _mm256_mul_ps(addend, addend_scale));
                whole[v] = _mm256_cvtps_epi32(total.quotient(Reals{value}).raw);
            }
            store_sixteen<is_signed>(whole, zeros, out, width - n);
        }
    }
}
#endif

/// Rows [row, row + rows) of the block from a tile of sums, `stride` apart, with 8 more elements
/// after the last.
[[maybe_unused]] void finish_tile(const ByteFinish& f, const std::int32_t* sums,
                                  std::int64_t stride, std::int64_t row, std::int64_t rows,
                                  std::int64_t column, std::int64_t width) {
    if (f.to == ByteFinish::To::bytes) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
        if (is_plain_sum(f)) {
            if (f.is_signed) finish_sum<std::int8_t>(f, sums, stride, row, rows, column, width);
            else finish_sum<std::uint8_t>(f, sums, stride, row, rows, column, width);
            return;
        }
#endif
#if HWY_TARGET == HWY_AVX2
        if (is_plain(f)) {
            if (f.is_signed) finish_plain<true>(f, sums, stride, row, rows, column, width);
            else finish_plain<false>(f, sums, stride, row, rows, column, width);
            return;
        }
#endif
        if (f.is_signed) finish_bytes<std::int8_t>(f, sums, stride, row, rows, column, width);
        else finish_bytes<std::uint8_t>(f, sums, stride, row, rows, column, width);
        return;
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        const FinishRow line{f, sums + r * stride, row + r, column, width};
        if (f.to == ByteFinish::To::sums) line.to_sums();
        else line.to_reals();
    }
}

/// True where store_reals() and activate_reals() give what finish_tile() would.
[[maybe_unused]] HWY_INLINE bool has_plain_reals(const ByteFinish& f) {
#if HWY_TARGET == HWY_AVX3
    return f.to == ByteFinish::To::real && f.divisor == 1;
#else
    static_cast<void>(f);
    return false;
#endif
}

[[maybe_unused]] HWY_INLINE void activate_reals(const ByteFinish& f, std::int64_t row,
                                                std::int64_t rows, std::int64_t column,
                                                std::int64_t width) {
    if (!f.activation) return;
    for (std::int64_t r = row; r < row + rows; ++r) {
        float* out = static_cast<float*>(f.out) + r * f.out_stride + column;
        f.activate(out, out, width, f.activation);
    }
}

#if HWY_TARGET == HWY_AVX3
/// What has_plain_reals() allows, straight from registers.
template <int rows, int vectors>
HWY_INLINE void store_reals(const Sums (&sums)[rows][vectors], const ByteFinish& f,
                            std::int64_t row, std::int64_t column, std::int64_t width) {
    const std::int64_t out_stride = f.out_stride, residual_stride = f.residual_stride;
    float* const out = static_cast<float*>(f.out) + row * out_stride + column;
    const float* const residual =
        f.residual ? f.residual + row * residual_stride + column : nullptr;
    const float *const bias = f.bias ? f.bias + column : nullptr, *const column_scale =
                                                                      f.column_scale
                                                                          ? f.column_scale + column
                                                                          : nullptr;
    const std::int32_t* const offsets = f.column_offset + column;
    const std::int32_t *const terms = f.row_term ? f.row_term + row : nullptr,
                              *const zeros = f.row_term ? f.column_zero + column : nullptr;
    const __m512 scale = _mm512_set1_ps(f.scale), one = _mm512_set1_ps(1);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
        const std::int64_t n = 16 * v, left = width - n;
        if (left <= 0) return;
        const __mmask16 there = static_cast<__mmask16>(left >= 16 ? 0xffff : (1 << left) - 1);
        const __m512i offset = _mm512_loadu_si512(offsets + n);
        const __m512 factor = column_scale ? _mm512_loadu_ps(column_scale + n) : one;
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            __m512i sum = _mm512_add_epi32(sums[r][v].raw, offset);
            if (terms)
                sum = _mm512_add_epi32(sum, _mm512_mullo_epi32(_mm512_set1_epi32(terms[r]),
                                                               _mm512_loadu_si512(zeros + n)));
            __m512 x = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale), factor);
            if (bias) x = _mm512_add_ps(x, _mm512_loadu_ps(bias + n));
            if (residual)
                x = _mm512_add_ps(x,
                                  _mm512_maskz_loadu_ps(there, residual + r * residual_stride + n));
            _mm512_mask_storeu_ps(out + r * out_stride + n, there, x);
        }
    }
}

/// Four vectors of sums, offsets included, times factors, as 64 bytes. Saturating 32 -> 16 -> 8
/// bits interleaves them in blocks of four columns: block b of the result is block b of each vector
/// in turn.
template <bool is_signed>
HWY_INLINE __m512i interleaved_bytes(const __m512i (&sums)[4], const __m512 (&factors)[4],
                                     __m512i zeros) {
    __m512i whole[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
        whole[v] = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[v]), factors[v]));
    const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(whole[0], whole[1]), zeros),
                  high = _mm512_adds_epi16(_mm512_packs_epi32(whole[2], whole[3]), zeros);
    return is_signed ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high);
}

/// What is_plain() allows, straight from registers.
template <int rows, int vectors, bool is_signed>
HWY_INLINE void store_bytes(const Sums (&sums)[rows][vectors], const ByteFinish& f,
                            std::int64_t row, std::int64_t column, std::int64_t width) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i zeros = _mm512_set1_epi16(static_cast<short>(f.zero_point));
    const __mmask64 there = width >= 64 ? ~__mmask64{0} : (__mmask64{1} << width) - 1;
    const std::int32_t* offsets = f.column_offset + column;
    const std::int64_t stride = f.out_stride;
    auto* out = static_cast<std::uint8_t*>(f.out) + row * stride + column;
    __m512 factors[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
        factors[v] = f.column_scale && v < vectors
                         ? _mm512_loadu_ps(f.column_scale + column + 16 * v)
                         : _mm512_set1_ps(f.scale);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
        __m512i whole[4];
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v)
            whole[v] = v < vectors ? _mm512_add_epi32(sums[r][v < vectors ? v : 0].raw,
                                                      _mm512_loadu_si512(offsets + 16 * v))
                                   : whole[0];
        _mm512_mask_storeu_epi8(
            out + r * stride, there,
            _mm512_permutexvar_epi32(order, interleaved_bytes<is_signed>(whole, factors, zeros)));
    }
}
#endif

}  // namespace
}  // namespace lapidary::LAPIDARY_ISA
