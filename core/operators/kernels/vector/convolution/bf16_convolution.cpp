// SPDX-License-Identifier: Apache-2.0
// A block of 32 positions x 32 filters stays in four tile registers of 16 x 16 floats: each product
// of tiles needs one load of a tile from the first-level or second-level cache.
#include "kernels/vector/convolution/bf16_convolution.h"

#if defined(__AMX_BF16__)

#include <immintrin.h>

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

using bf16_convolution::tile_elements;
constexpr std::int64_t conv_tile_rows = 16, sums_row = 32;

/// What ldtilecfg reads: eight tiles of full size.
struct alignas(64) ConvTileShapes {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr ConvTileShapes conv_shapes;

/// The compiler does not know that tiles are read from memory.
HWY_INLINE void finish_conv_writes() { asm volatile("" ::: "memory"); }

/// Each lane's upper half is its number in bfloat16.
HWY_INLINE __m512i rounded_upper(__m512 v) {
    const __m512i bits = _mm512_castps_si512(v),
                  odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1)),
                  rounded =
                      _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    return _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), bits,
                                _mm512_set1_epi32(0x400000));
}

void round_pixels(const Bf16Pixels& p) {
    alignas(64) std::uint16_t upper_words[32];
    for (int i = 0; i < 32; ++i) upper_words[i] = static_cast<std::uint16_t>(2 * i + 1);
    const __m512i words = _mm512_load_si512(upper_words);
    const float *lower = p.lower, *upper = p.upper;
    std::uint16_t* to = p.to;
    for (std::int64_t i = 0; i < p.count; ++i, to += 32, lower += p.pixel_step) {
        const __m512i x = rounded_upper(_mm512_loadu_ps(lower));
        __m512i y = _mm512_setzero_si512();
        if (upper) {
            y = rounded_upper(_mm512_loadu_ps(upper));
            upper += p.pixel_step;
        }
        _mm512_storeu_si512(to, _mm512_permutex2var_epi16(x, words, y));
    }
}

/// Brings tiles of filters into the second-level cache that are read some steps later. The hardware
/// does not see far ahead where tiles are loaded.
template <int width>
HWY_INLINE void fetch_filters(const std::uint16_t* filters) {
    constexpr std::int64_t ahead = 8 * width * tile_elements;
    const char* const from = reinterpret_cast<const char*>(filters + ahead);
    for (std::int64_t i = 0; i < width * tile_elements * 2; i += 64)
        _mm_prefetch(from + i, _MM_HINT_T1);
}

/// Sums of `height` x `width` tiles: registers 0 and 1 are the first 16 positions, 2 and 3 the
/// next.
template <int height, int width>
void sum_positions(const Bf16Positions& p, std::int64_t first, float* sums) {
    const bool is_first = first == p.begin;  // later ones find the filters in the cache
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    const std::uint16_t *planes = p.planes + first * bf16_convolution::step, *b = p.filters;
    for (std::int64_t s = 0; s < p.steps; ++s, planes += p.plane_step)
        for (std::int64_t t = 0; t < p.tap_count; ++t, b += width * tile_elements) {
            const std::uint16_t* const a = planes + p.taps[t];
            if (is_first) fetch_filters<width>(b);
            _tile_loadd(4, a, 64);
            _tile_loadd(6, b, 64);
            _tile_dpbf16ps(0, 4, 6);
            if (width > 1) {
                _tile_loadd(7, b + tile_elements, 64);
                _tile_dpbf16ps(1, 4, 7);
            }
            if (height > 1) {
                _tile_loadd(5, a + tile_elements, 64);
                _tile_dpbf16ps(2, 5, 6);
                if (width > 1) _tile_dpbf16ps(3, 5, 7);
            }
        }
    constexpr std::int64_t row_bytes = sums_row * 4;
    _tile_stored(0, sums, row_bytes);
    if (width > 1) _tile_stored(1, sums + 16, row_bytes);
    if (height > 1) {
        float* const below = sums + conv_tile_rows * sums_row;
        _tile_stored(2, below, row_bytes);
        if (width > 1) _tile_stored(3, below + 16, row_bytes);
    }
    finish_conv_writes();
}

/// Writes the sums of `count` positions from `first` on.
void write_positions(const Bf16Positions& p, std::int64_t first, std::int64_t count,
                     const float* sums) {
    const __m512 low = _mm512_set1_ps(p.low), high = _mm512_set1_ps(p.high);
    __m512 bias[2];
    for (int b = 0; b < 2; ++b)
        bias[b] = p.bias && b < p.blocks ? _mm512_loadu_ps(p.bias + b * 16) : _mm512_setzero_ps();
    std::int64_t column = first % p.row_positions;
    const std::int64_t before = column < p.columns ? column : p.columns;
    std::int64_t at = (first / p.row_positions * p.columns + before) * 16;
    for (std::int64_t i = 0; i < count; ++i, sums += sums_row) {
        if (column < p.columns) {
            for (int b = 0; b < p.blocks; ++b) {
                const std::int64_t place = at + b * p.block_step;
                __m512 v = _mm512_add_ps(_mm512_load_ps(sums + b * 16), bias[b]);
                if (p.sum) v = _mm512_add_ps(v, _mm512_loadu_ps(p.sum + place));
                // the second operand is the result where one of them is NaN
                if (p.clamps) v = _mm512_min_ps(high, _mm512_max_ps(low, v));
                _mm512_storeu_ps(p.output + place, v);
            }
            at += 16;
        }
        if (++column == p.row_positions) column = 0;
    }
}

void convolve(const Bf16Positions& p) {
    _tile_loadconfig(&conv_shapes);
    finish_conv_writes();
    alignas(64) float sums[bf16_convolution::together * sums_row];
    for (std::int64_t first = p.begin; first < p.end; first += bf16_convolution::together) {
        const std::int64_t left = p.end - first, count = left < bf16_convolution::together
                                                             ? left
                                                             : bf16_convolution::together;
        const bool is_tall = count > conv_tile_rows;
        if (p.blocks > 1)
            is_tall ? sum_positions<2, 2>(p, first, sums) : sum_positions<1, 2>(p, first, sums);
        else is_tall ? sum_positions<2, 1>(p, first, sums) : sum_positions<1, 1>(p, first, sums);
        write_positions(p, first, count, sums);
    }
    _tile_release();
}

}  // namespace

const Bf16ConvolutionKernels& bf16_convolution_kernels() {
    static constexpr Bf16ConvolutionKernels table{&round_pixels, &convolve};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA

#endif
