// SPDX-License-Identifier: Apache-2.0
// A tile of 8 x 96 sums stays in 24 registers of 32 float16; one step of k loads a row of B once
// and broadcasts a word per row of A. A word holds a value twice, since a broadcast of 32 bits
// takes a load alone and one of 16 bits would take a place of the multipliers, too.
#include "kernels/vector/product/half_tiles.h"

#if defined(__AVX512FP16__)

#include <immintrin.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

using half_tiles::most_columns;
using half_tiles::stretch;

constexpr int lanes = 32, floats = 16;  // of a vector

inline std::int64_t stretches(std::int64_t inner) { return (inner + stretch - 1) / stretch; }

/// 2^power for -126 <= power <= 127.
inline float power_of_two(int power) {
    const std::uint32_t bits = static_cast<std::uint32_t>(power + 127) << 23;
    float value;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

/// The power of two that takes a largest magnitude into [16, 32). 0 stays as it is.
inline int power_for(float largest) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &largest, 4);
    return bits == 0 ? 0 : 4 - (static_cast<int>(bits >> 23) - 127);
}

/// The largest finite magnitude of 32 floats.
inline float largest_of(__m512 a, __m512 b) {
    const __m512 limit = _mm512_set1_ps(__builtin_inff());
    a = _mm512_abs_ps(a), b = _mm512_abs_ps(b);
    a = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a, limit, _CMP_LT_OQ), a);
    b = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(b, limit, _CMP_LT_OQ), b);
    return _mm512_reduce_max_ps(_mm512_max_ps(a, b));
}

/// 16 floats as words that hold the nearest float16 twice.
inline __m512i doubled(__m512 value) {
    constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    const __m512i word = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(value, nearest));
    return _mm512_or_si512(word, _mm512_slli_epi32(word, 16));
}

/// One stretch of a row: the scale that its sums are multiplied with.
inline float round_stretch(const float* from, std::int64_t count, std::uint32_t* to) {
    const auto all = static_cast<std::uint32_t>(count < stretch ? (1u << count) - 1 : 0xffffffffu);
    const __m512 a = _mm512_maskz_loadu_ps(static_cast<__mmask16>(all), from),
                 b = _mm512_maskz_loadu_ps(static_cast<__mmask16>(all >> 16), from + floats);
    int power = power_for(largest_of(a, b));
    power = power > 100 ? 100 : power;  // both the power and its inverse are floats
    const __m512 factor = _mm512_set1_ps(power_of_two(power));
    _mm512_storeu_si512(to, doubled(_mm512_mul_ps(a, factor)));
    _mm512_storeu_si512(to + floats, doubled(_mm512_mul_ps(b, factor)));
    return power_of_two(-power);
}

void round_rows(const HalfRows& r) {
    const std::int64_t count = stretches(r.inner);
    alignas(64) float line[stretch];
    for (int i = 0; i < r.rows; ++i)
        for (std::int64_t s = 0; s < count; ++s) {
            const std::int64_t k = s * stretch,
                               left = r.inner - k < stretch ? r.inner - k : stretch;
            const float* from = r.from + i * r.row_step + k * r.inner_step;
            if (r.inner_step != 1) {
                for (std::int64_t n = 0; n < left; ++n) line[n] = from[n * r.inner_step];
                from = line;
            }
            const std::int64_t place = s * r.rows + i;
            r.scales[place] = round_stretch(from, left, r.to + place * stretch);
        }
}

/// The largest finite magnitude of `rows` rows of both panels from row `k` on, as its bits.
inline std::uint16_t largest_bits(const HalfPanels& p, std::int64_t k, std::int64_t rows) {
    const __m256i magnitude = _mm256_set1_epi16(0x7fff), infinity = _mm256_set1_epi16(0x7c00);
    __m256i most = _mm256_setzero_si256();
    for (int n = 0; n < 2; ++n)
        for (std::int64_t i = 0; i < rows * p.width[n]; i += floats) {
            const __m256i value = _mm256_and_si256(
                _mm256_loadu_si256(
                    reinterpret_cast<const __m256i*>(p.from[n] + k * p.width[n] + i)),
                magnitude);
            const __mmask16 is_finite = _mm256_cmplt_epu16_mask(value, infinity);
            most = _mm256_mask_max_epu16(most, is_finite, most, value);
        }
    alignas(32) std::uint16_t all[floats];
    _mm256_store_si256(reinterpret_cast<__m256i*>(all), most);
    std::uint16_t largest = 0;
    for (std::uint16_t bits : all) largest = bits > largest ? bits : largest;
    return largest;
}

inline float float_of(std::uint16_t bits) {
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits)));
}

void arrange(const HalfPanels& p) {
    const std::int64_t columns = p.width[0] + p.width[1],
                       width = (columns + lanes - 1) / lanes * lanes;
    std::uint16_t* to = p.to;
    for (std::int64_t s = 0; s < stretches(p.inner); ++s) {
        const std::int64_t k = s * stretch, rows = p.inner - k < stretch ? p.inner - k : stretch;
        int power = power_for(float_of(largest_bits(p, k, rows)));
        power = power > 15 ? 15 : power;  // float16 has no larger one
        p.scales[s] = power_of_two(-power);
        const __m256h factor = _mm256_set1_ph(static_cast<_Float16>(power_of_two(power)));
        for (std::int64_t i = 0; i < rows; ++i, to += width) {
            std::uint16_t* at = to;
            for (int n = 0; n < 2; ++n) {
                const std::uint16_t* from = p.from[n] + (k + i) * p.width[n];
                for (std::int64_t j = 0; j < p.width[n]; j += floats, at += floats)
                    _mm256_storeu_ph(at, _mm256_mul_ph(_mm256_loadu_ph(from + j), factor));
            }
            if (columns < width) _mm256_storeu_ph(at, _mm256_setzero_ph());
        }
        const std::int64_t rest = (stretch - rows) * width;
        __builtin_memset(to, 0, static_cast<std::size_t>(rest) * sizeof(std::uint16_t));
        to += rest;
    }
}

/// Sums of one stretch, added to `totals`, whose rows have 32 * vectors floats.
template <int rows, int vectors>
inline void add_stretch(const std::uint32_t* a, const std::uint16_t* b, const float* a_scales,
                        float b_scale, float* totals) {
    __m512h sum[rows][vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 3
        for (int j = 0; j < vectors; ++j) sum[r][j] = _mm512_setzero_ph();
#pragma GCC unroll 4
    for (int k = 0; k < stretch; ++k, b += vectors * lanes) {
        __m512h right[vectors];
#pragma GCC unroll 3
        for (int j = 0; j < vectors; ++j) {
            right[j] = _mm512_loadu_ph(b + j * lanes);
            _mm_prefetch(b + (8 * vectors + j) * lanes, _MM_HINT_T0);
        }
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            __m512i word = _mm512_set1_epi32(static_cast<int>(a[r * stretch + k]));
            // in a register: as an operand it would be loaded again for each vector of B
            asm("" : "+v"(word));
            const __m512h left = _mm512_castsi512_ph(word);
#pragma GCC unroll 3
            for (int j = 0; j < vectors; ++j)
                sum[r][j] = _mm512_fmadd_ph(left, right[j], sum[r][j]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
        const float both = a_scales[r] * b_scale;
        const __m512 scale = _mm512_set1_ps(both < 0x1p127f ? both : 0x1p127f);
#pragma GCC unroll 3
        for (int j = 0; j < vectors; ++j, totals += lanes) {
            const __m512i bits = _mm512_castph_si512(sum[r][j]);
            const __m512 low = _mm512_cvtph_ps(_mm512_castsi512_si256(bits)),
                         high = _mm512_cvtph_ps(_mm512_extracti64x4_epi64(bits, 1));
            _mm512_store_ps(totals, _mm512_fmadd_ps(low, scale, _mm512_load_ps(totals)));
            _mm512_store_ps(totals + floats,
                            _mm512_fmadd_ps(high, scale, _mm512_load_ps(totals + floats)));
        }
    }
}

void finish(const HalfTile& t, const float* totals, std::int64_t width) {
    const __m512 scale = _mm512_set1_ps(t.scale);
    for (int i = 0; i < t.rows; ++i) {
        const __m512 row_bias = _mm512_set1_ps(t.row_bias ? t.row_bias[i] : 0);
        for (std::int64_t j = 0; j < t.columns; j += floats) {
            const std::int64_t left = t.columns - j;
            const auto mask = static_cast<__mmask16>(left < floats ? (1u << left) - 1 : 0xffffu);
            __m512 v = _mm512_load_ps(totals + i * width + j);
            v = _mm512_fmadd_ps(
                v, scale, t.bias ? _mm512_maskz_loadu_ps(mask, t.bias + j) : _mm512_setzero_ps());
            v = _mm512_add_ps(v, row_bias);
            if (t.initial)
                v = _mm512_add_ps(
                    v, _mm512_maskz_loadu_ps(mask, t.initial + i * t.initial_stride + j));
            _mm512_mask_storeu_ps(t.c + i * t.c_stride + j, mask, v);
        }
    }
}

template <int rows, int vectors>
void multiply_tile(const HalfTile& t) {
    alignas(64) float totals[rows * vectors * lanes];
    __builtin_memset(totals, 0, sizeof(totals));
    for (std::int64_t s = 0; s < t.stretches; ++s)
        add_stretch<rows, vectors>(t.a + s * rows * stretch, t.b + s * stretch * vectors * lanes,
                                   t.a_scales + s * rows, t.b_scales[s], totals);
    finish(t, totals, vectors * lanes);
}

template <int rows>
void multiply_rows(const HalfTile& t) {
    static_assert(most_columns == 3 * lanes);
    switch ((t.columns + lanes - 1) / lanes) {
    case 1: return multiply_tile<rows, 1>(t);
    case 2: return multiply_tile<rows, 2>(t);
    default: return multiply_tile<rows, 3>(t);
    }
}

void multiply(const HalfTile& t) {
    static_assert(half_tiles::most_rows == 8);
    switch (t.rows) {
    case 1: return multiply_rows<1>(t);
    case 2: return multiply_rows<2>(t);
    case 3: return multiply_rows<3>(t);
    case 4: return multiply_rows<4>(t);
    case 5: return multiply_rows<5>(t);
    case 6: return multiply_rows<6>(t);
    case 7: return multiply_rows<7>(t);
    default: return multiply_rows<8>(t);
    }
}

}  // namespace

const HalfTileKernels& half_tile_kernels() {
    static constexpr HalfTileKernels table{&round_rows, &arrange, &multiply};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA

#endif
