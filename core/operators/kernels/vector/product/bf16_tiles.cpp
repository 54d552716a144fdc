// SPDX-License-Identifier: Apache-2.0
// A block of 32 x 48 sums stays in six tile registers of 16 x 16 floats; one step of 32 values of k
// loads each tile of B once and each of A three times, from the first-level cache.
#include "kernels/vector/product/bf16_tiles.h"

#if defined(__AMX_BF16__)

#include <immintrin.h>

#include <hwy/highway.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

constexpr int tile_rows = 16, step_inner = 32, most_columns = 48;

/// What ldtilecfg reads: eight tiles of full size.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShapes shapes;

/// The compiler does not know that tiles are read from memory.
HWY_INLINE void finish_writes() { asm volatile("" ::: "memory"); }

/// Sums of `height` x `width` tiles: 0 to 2 in the first 16 rows, 3 to 5 in the next.
template <int height, int width>
void sum_tiles(const RoundedTile& t, float* sums) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_zero(4);
    _tile_zero(5);
    const std::int64_t a_bytes = t.a_stride * 2, b_bytes = t.b_stride * 4;
    const char *upper = reinterpret_cast<const char*>(t.a), *lower = upper + tile_rows * a_bytes,
               *b = reinterpret_cast<const char*>(t.b);
    alignas(64) char tail[tile_rows * most_columns * 4];
    for (std::int64_t k = 0; k < t.inner; k += step_inner) {
        if (t.inner - k < step_inner) {  // rows behind the end of B count as zero
            const std::int64_t bytes = (t.inner - k + 1) / 2 * b_bytes;
            __builtin_memcpy(tail, b, static_cast<std::size_t>(bytes));
            __builtin_memset(tail + bytes, 0,
                             static_cast<std::size_t>(tile_rows * b_bytes - bytes));
            finish_writes();
            b = tail;
        }
        _tile_loadd(7, b, b_bytes);
        _tile_loadd(6, upper, a_bytes);
        _tile_dpbf16ps(0, 6, 7);
        if (height > 1) {
            _tile_loadd(6, lower, a_bytes);
            _tile_dpbf16ps(3, 6, 7);
        }
        if (width > 1) {
            _tile_loadd(7, b + 64, b_bytes);
            _tile_loadd(6, upper, a_bytes);
            _tile_dpbf16ps(1, 6, 7);
            if (height > 1) {
                _tile_loadd(6, lower, a_bytes);
                _tile_dpbf16ps(4, 6, 7);
            }
        }
        if (width > 2) {
            _tile_loadd(7, b + 128, b_bytes);
            _tile_loadd(6, upper, a_bytes);
            _tile_dpbf16ps(2, 6, 7);
            if (height > 1) {
                _tile_loadd(6, lower, a_bytes);
                _tile_dpbf16ps(5, 6, 7);
            }
        }
        upper += step_inner * 2;
        lower += step_inner * 2;
        b += tile_rows * b_bytes;
    }
    constexpr std::int64_t row = most_columns * 4;
    char* const to = reinterpret_cast<char*>(sums);
    _tile_stored(0, to, row);
    if (width > 1) _tile_stored(1, to + 64, row);
    if (width > 2) _tile_stored(2, to + 128, row);
    if (height > 1) {
        char* const below = to + tile_rows * row;
        _tile_stored(3, below, row);
        if (width > 1) _tile_stored(4, below + 64, row);
        if (width > 2) _tile_stored(5, below + 128, row);
    }
}

void finish(const RoundedTile& t, const float* sums) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto scale = hn::Set(d, t.scale);
    for (int i = 0; i < t.rows; ++i) {
        const auto row_bias = hn::Set(d, t.row_bias ? t.row_bias[i] : 0);
        for (std::int64_t j = 0; j < t.columns; j += lanes) {
            const std::int64_t left = t.columns - j;
            const auto load = [&](const float* from) HWY_ATTR {
                return left < lanes ? load_first(d, from, left) : hn::LoadU(d, from);
            };
            auto v = hn::MulAdd(hn::LoadU(d, sums + i * most_columns + j), scale,
                                t.bias ? load(t.bias + j) : hn::Zero(d));
            v = hn::Add(v, row_bias);
            if (t.initial) v = hn::Add(v, load(t.initial + i * t.initial_stride + j));
            float* const to = t.c + i * t.c_stride + j;
            if (left < lanes) store_first(d, v, to, left);
            else hn::StoreU(v, d, to);
        }
    }
}

}  // namespace

void multiply_bf16_tiles(const RoundedTile& t) {
    _tile_loadconfig(&shapes);
    finish_writes();
    alignas(64) float sums[RoundedTile::most_rows * most_columns];
    const bool is_tall = t.rows > tile_rows;
    switch ((t.columns + 15) / 16) {
    case 1: is_tall ? sum_tiles<2, 1>(t, sums) : sum_tiles<1, 1>(t, sums); break;
    case 2: is_tall ? sum_tiles<2, 2>(t, sums) : sum_tiles<1, 2>(t, sums); break;
    default: is_tall ? sum_tiles<2, 3>(t, sums) : sum_tiles<1, 3>(t, sums); break;
    }
    _tile_release();
    finish_writes();
    finish(t, sums);
}

}  // namespace lapidary::LAPIDARY_ISA

#endif
