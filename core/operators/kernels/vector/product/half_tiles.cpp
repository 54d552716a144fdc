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

/// The power of two that takes a largest magnitude, given as the bits of a float, into [16, 32). 0
/// stays as it is.
inline int power_for(std::uint32_t bits) {
    return bits == 0 ? 0 : 4 - (static_cast<int>(bits >> 23) - 127);
}

/// The bits of the largest finite magnitude of 32 floats. Those of magnitudes are in their order,
/// with infinity and NaN behind all others.
inline std::uint32_t largest_of(__m512 a, __m512 b) {
    const __m512i infinity = _mm512_set1_epi32(0x7f800000);
    __m512i x = _mm512_castps_si512(_mm512_abs_ps(a)), y = _mm512_castps_si512(_mm512_abs_ps(b));
    const std::uint32_t largest = _mm512_reduce_max_epu32(_mm512_max_epu32(x, y));
    if (largest < 0x7f800000u) return largest;
    x = _mm512_maskz_mov_epi32(_mm512_cmplt_epu32_mask(x, infinity), x);
    y = _mm512_maskz_mov_epi32(_mm512_cmplt_epu32_mask(y, infinity), y);
    return _mm512_reduce_max_epu32(_mm512_max_epu32(x, y));
}

/// 16 floats as words that hold the nearest float16 twice.
inline __m512i doubled(__m512 value) {
    constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    const __m512i word = _mm512_cvtepu16_epi32(_mm512_cvtps_ph(value, nearest));
    return _mm512_or_si512(word, _mm512_slli_epi32(word, 16));
}

/// One stretch of a row, its second half at `behind`: the scale that its sums are multiplied with.
inline float round_stretch(const float* from, const float* behind, std::int64_t count,
                           std::uint32_t* to) {
    const auto all = static_cast<std::uint32_t>(count < stretch ? (1u << count) - 1 : 0xffffffffu);
    const __m512 a = _mm512_maskz_loadu_ps(static_cast<__mmask16>(all), from),
                 b = _mm512_maskz_loadu_ps(static_cast<__mmask16>(all >> 16), behind);
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
            const float* from = r.from + i * r.row_step +
                                (r.block_step ? k / floats * r.block_step : k * r.inner_step);
            const float* behind = from + (r.block_step ? r.block_step : floats);
            if (r.inner_step != 1) {
                for (std::int64_t n = 0; n < left; ++n) line[n] = from[n * r.inner_step];
                from = line;
                behind = line + floats;
            }
            const std::int64_t place = s * r.rows + i;
            r.scales[place] = round_stretch(from, behind, left, r.to + place * stretch);
        }
}

/// The largest of 32 unsigned numbers.
inline std::uint16_t largest_of(__m512i numbers) {
    const __m256i half =
        _mm256_max_epu16(_mm512_castsi512_si256(numbers), _mm512_extracti64x4_epi64(numbers, 1));
    const __m128i quarter =
        _mm_max_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    // there is an instruction for the least of eight
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(quarter, _mm_set1_epi16(-1)));
    return static_cast<std::uint16_t>(~_mm_cvtsi128_si32(least));
}

/// The largest finite magnitude of `count` float16, a multiple of 16, as its bits.
inline std::uint16_t largest_bits(const std::uint16_t* from, std::int64_t count) {
    const __m512i magnitude = _mm512_set1_epi16(0x7fff), infinity = _mm512_set1_epi16(0x7c00);
    __m512i most = _mm512_setzero_si512();
    for (std::int64_t i = 0; i < count; i += lanes) {
        const __mmask32 has = count - i < lanes ? 0xffffu : 0xffffffffu;
        const __m512i bits = _mm512_and_si512(_mm512_maskz_loadu_epi16(has, from + i), magnitude);
        most = _mm512_mask_max_epu16(most, _mm512_cmplt_epu16_mask(bits, infinity), most, bits);
    }
    return largest_of(most);
}

/// The power of two by which `rows` rows of both panels from row `k` on are multiplied.
inline int panel_power(const HalfPanels& p, std::int64_t k, std::int64_t rows) {
    std::uint16_t largest = 0;
    for (int n = 0; n < 2; ++n) {
        const std::uint16_t bits = largest_bits(p.from[n] + k * p.width[n], rows * p.width[n]);
        largest = bits > largest ? bits : largest;
    }
    const float value = _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(largest)));
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, 4);
    const int power = power_for(bits);
    return power > 15 ? 15 : power;  // float16 has no larger one
}

/// Rows of 16 * parts elements times `factor`, to places `step` elements apart.
template <int parts>
inline void scale_rows(const std::uint16_t* from, std::int64_t rows, __m256h factor,
                       std::uint16_t* to, std::int64_t step) {
    for (std::int64_t i = 0; i < rows; ++i, from += parts * floats, to += step)
#pragma GCC unroll 3
        for (int j = 0; j < parts * floats; j += floats)
            _mm256_storeu_ph(to + j, _mm256_mul_ph(_mm256_loadu_ph(from + j), factor));
}

inline void scale_panel(const std::uint16_t* from, std::int64_t width, std::int64_t rows,
                        __m256h factor, std::uint16_t* to, std::int64_t step) {
    switch (width / floats) {
    case 0: return;
    case 1: return scale_rows<1>(from, rows, factor, to, step);
    case 2: return scale_rows<2>(from, rows, factor, to, step);
    default: return scale_rows<3>(from, rows, factor, to, step);
    }
}

void arrange(const HalfPanels& p) {
    const std::int64_t columns = p.width[0] + p.width[1],
                       width = (columns + lanes - 1) / lanes * lanes;
    std::uint16_t* to = p.to;
    for (std::int64_t s = 0; s < stretches(p.inner); ++s, to += stretch * width) {
        const std::int64_t k = s * stretch, rows = p.inner - k < stretch ? p.inner - k : stretch;
        const int power = panel_power(p, k, rows);
        p.scales[s] = power_of_two(-power);
        const __m256h factor = _mm256_set1_ph(static_cast<_Float16>(power_of_two(power)));
        for (int n = 0; n < 2; ++n)
            scale_panel(p.from[n] + k * p.width[n], p.width[n], rows, factor, to + n * p.width[0],
                        width);
        for (std::int64_t i = 0; columns < width && i < rows; ++i)
            _mm256_storeu_ph(to + i * width + columns, _mm256_setzero_ph());
        __builtin_memset(to + rows * width, 0,
                         static_cast<std::size_t>((stretch - rows) * width) * sizeof(*to));
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
            const std::int64_t block = j / floats * t.c_block;
            if (t.initial)
                v = _mm512_add_ps(
                    v, _mm512_maskz_loadu_ps(mask, t.initial + i * t.initial_stride + block));
            _mm512_mask_storeu_ps(t.c + i * t.c_stride + block, mask, v);
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
