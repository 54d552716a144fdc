// SPDX-License-Identifier: Apache-2.0
// A block of 32 x 32 sums stays in four tile registers. A step of 32 values of k loads 14 tiles for
// 24 products of tiles: all parts of one side meet those of the other while they are loaded. After
// a few steps, whose left side stays in the first-level cache, the next block of the same rows has
// its turn, and sums wait in memory.
#include "kernels/vector/product/split_tiles.h"

#if defined(__AMX_BF16__)

#include <immintrin.h>

#include <hwy/highway.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using split_tiles::step;
using split_tiles::tile_elements;
constexpr std::int64_t tile_bytes = tile_elements * 2;
constexpr std::int64_t steps_in_turn = 4;
constexpr std::int64_t sums_of_tile = 256;
constexpr std::int64_t sums_of_block = 4 * sums_of_tile;  // tiles [rows / 16, columns / 16]

/// What ldtilecfg reads: eight tiles of full size.
struct alignas(64) SplitTileShapes {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr SplitTileShapes split_shapes;

/// The compiler does not know that tiles are read from memory.
HWY_INLINE void finish_split_writes() { asm volatile("" ::: "memory"); }

HWY_INLINE __m512i upper_half(__m512i bits) {
    return _mm512_and_si512(bits, _mm512_set1_epi32(static_cast<int>(0xffff0000u)));
}
HWY_INLINE __m512i rounded_half(__m512 value) {
    return _mm512_add_epi32(_mm512_castps_si512(value), _mm512_set1_epi32(0x8000));
}
HWY_INLINE __m512i magnitude(__m512 value) {
    return _mm512_and_si512(_mm512_castps_si512(value), _mm512_set1_epi32(0x7fffffff));
}

/// Parts of two vectors of floats; `join` makes 32 elements of the upper halves of both.
struct PartsSeen {
    __m512i second = _mm512_setzero_si512(), third = _mm512_setzero_si512();

    template <typename Join>
    HWY_INLINE void split(__m512 x, __m512 y, std::uint16_t* to, std::int64_t part_step,
                          const Join& join) {
        __m512i part[split_tiles::parts];
#pragma GCC unroll 2
        for (int p = 0; p < 2; ++p) {
            const __m512i up_x = rounded_half(x), up_y = rounded_half(y);
            part[p] = join(up_x, up_y);
            x = _mm512_sub_ps(x, _mm512_castsi512_ps(upper_half(up_x)));
            y = _mm512_sub_ps(y, _mm512_castsi512_ps(upper_half(up_y)));
        }
        part[2] = join(_mm512_castps_si512(x), _mm512_castps_si512(y));
        second = _mm512_or_si512(second, part[1]);
        third = _mm512_or_si512(third, part[2]);
#pragma GCC unroll 3
        for (int p = 0; p < 3; ++p) _mm512_storeu_si512(to + p * part_step, part[p]);
    }
    int parts() const {
        return _mm512_test_epi32_mask(third, third)     ? 3
               : _mm512_test_epi32_mask(second, second) ? 2
                                                        : 1;
    }
};

HWY_INLINE __mmask16 first_lanes(std::int64_t count) {
    return count >= 16  ? static_cast<__mmask16>(0xffff)
           : count <= 0 ? static_cast<__mmask16>(0)
                        : static_cast<__mmask16>((1u << count) - 1);
}

SplitRange split_rows(const SplitRows& r) {
    alignas(64) std::uint16_t upper_words[32];
    for (int i = 0; i < 32; ++i) upper_words[i] = static_cast<std::uint16_t>(2 * i + 1);
    const __m512i words = _mm512_load_si512(upper_words);
    const auto in_order = [&](__m512i x, __m512i y) {
        return _mm512_permutex2var_epi16(x, words, y);
    };
    const std::int64_t heights = split_tiles::heights(r.rows), steps = split_tiles::steps(r.inner),
                       part_step = heights * tile_elements,
                       step_elements = part_step * split_tiles::parts, whole = r.inner / step;
    PartsSeen seen;
    SplitRange range;
    __m512i largest[split_tiles::most_rows];
    for (int i = 0; i < r.rows; ++i) largest[i] = _mm512_setzero_si512();
    const auto split_step = [&](int i, std::int64_t s, __m512i& most)
        __attribute__((always_inline)) {
        const float* const from = r.from + i * r.row_step + 2 * s * r.block_step;
        __m512 x, y;
        if (s < whole) {
            x = _mm512_loadu_ps(from);
            y = _mm512_loadu_ps(from + r.block_step);
        } else {
            const std::int64_t left = r.inner - s * step;
            x = _mm512_maskz_loadu_ps(first_lanes(left), from);
            y = left > 16 ? _mm512_maskz_loadu_ps(first_lanes(left - 16), from + r.block_step)
                          : _mm512_setzero_ps();
        }
        most = _mm512_max_epu32(most, _mm512_max_epu32(magnitude(x), magnitude(y)));
        seen.split(x, y,
                   r.to + s * step_elements + i / split_tiles::tile_rows * tile_elements +
                       i % split_tiles::tile_rows * step,
                   part_step, in_order);
    };
    // along what is contiguous
    if (r.block_step == 16)
        for (int i = 0; i < r.rows; ++i) {
            __m512i most = _mm512_setzero_si512();
            for (std::int64_t s = 0; s < steps; ++s) split_step(i, s, most);
            largest[i] = most;
        }
    else
        for (std::int64_t s = 0; s < steps; ++s)
            for (int i = 0; i < r.rows; ++i) split_step(i, s, largest[i]);
    for (int i = 0; i < r.rows; ++i) {
        const std::uint32_t of_row = _mm512_reduce_max_epu32(largest[i]);
        if (of_row > range.largest) range.largest = of_row;
        if (of_row != 0 && of_row < range.least) range.least = of_row;
    }
    range.parts = seen.parts();
    const __m512i zero = _mm512_setzero_si512();
    for (std::int64_t i = r.rows; i < heights * split_tiles::tile_rows; ++i)
        for (std::int64_t n = 0; n < steps * split_tiles::parts; ++n)
            _mm512_storeu_si512(r.to + (n * heights + heights - 1) * tile_elements +
                                    i % split_tiles::tile_rows * step,
                                zero);
    return range;
}

/// Neighbouring vectors of 16 columns, row by row.
template <int vectors>
void split_vectors(const SplitColumns& c, std::int64_t first, PartsSeen& seen, SplitRange& range) {
    const auto in_pairs = [](__m512i x, __m512i y) {
        return _mm512_or_si512(_mm512_srli_epi32(x, 16), upper_half(y));
    };
    constexpr std::int64_t part_step = 2 * tile_elements,
                           step_elements = split_tiles::parts * part_step;
    std::uint16_t* to[vectors];
    __mmask16 lanes[vectors];
    __m512i largest[vectors];
    for (int v = 0; v < vectors; ++v) {
        to[v] = c.to + split_tiles::right_place(c.inner, 0, c.first + first + v * 16, 0);
        lanes[v] = first_lanes(c.columns - first - v * 16);
        largest[v] = _mm512_setzero_si512();
    }
    const float* from = c.from + first;
    const std::int64_t padded = split_tiles::steps(c.inner) * step;
    for (std::int64_t k = 0; k < padded; k += 2, from += 2 * c.stride) {
        const std::int64_t at = k / step * step_elements + k % step * 16;
#pragma GCC unroll 3
        for (int v = 0; v < vectors; ++v) {
            const float* const x_from = from + v * 16;
            const __m512 x = k < c.inner ? _mm512_maskz_loadu_ps(lanes[v], x_from)
                                         : _mm512_setzero_ps(),
                         y = k + 1 < c.inner ? _mm512_maskz_loadu_ps(lanes[v], x_from + c.stride)
                                             : _mm512_setzero_ps();
            largest[v] = _mm512_max_epu32(largest[v], _mm512_max_epu32(magnitude(x), magnitude(y)));
            seen.split(x, y, to[v] + at, part_step, in_pairs);
        }
    }
    for (int v = 0; v < vectors; ++v) {
        const std::uint32_t of_all = _mm512_reduce_max_epu32(largest[v]);
        if (of_all > range.largest) range.largest = of_all;
        const std::uint32_t least = _mm512_mask_reduce_min_epu32(
            _mm512_test_epi32_mask(largest[v], largest[v]), largest[v]);
        if (least < range.least) range.least = least;
    }
}

SplitRange split_columns(const SplitColumns& c) {
    PartsSeen seen;
    SplitRange range;
    std::int64_t j = 0;
    for (; c.columns - j > 32; j += 48) split_vectors<3>(c, j, seen, range);
    if (c.columns - j > 16) split_vectors<2>(c, j, seen, range);
    else if (c.columns > j) split_vectors<1>(c, j, seen, range);
    range.parts = seen.parts();
    return range;
}

/// One part of each side, loaded into tiles 4 and 5, and 6 and 7.
template <int height>
HWY_INLINE void load_left(const char* part) {
    _tile_loadd(4, part, 64);
    if (height > 1) _tile_loadd(5, part + tile_bytes, 64);
}
template <int width>
HWY_INLINE void load_right(const char* part) {
    _tile_loadd(6, part, 64);
    if (width > 1) _tile_loadd(7, part + tile_bytes, 64);
}
template <int height, int width>
HWY_INLINE void add_products() {
    _tile_dpbf16ps(0, 4, 6);
    if (width > 1) _tile_dpbf16ps(1, 4, 7);
    if (height > 1) _tile_dpbf16ps(2, 5, 6);
    if (height > 1 && width > 1) _tile_dpbf16ps(3, 5, 7);
}

/// Some steps of one block of sums.
template <int height, int width>
HWY_INLINE void add_steps(const SplitTile& t, const char* left, const char* right,
                          std::int64_t steps) {
    constexpr std::int64_t left_part = height * tile_bytes, right_part = 2 * tile_bytes;
    const int left_parts = t.left_parts, right_parts = t.right_parts;
    for (std::int64_t s = 0; s < steps; ++s) {
        load_right<width>(right);
        if (left_parts > 2) {
            load_left<height>(left + 2 * left_part);
            add_products<height, width>();
        }
        if (left_parts > 1) {
            load_left<height>(left + left_part);
            add_products<height, width>();
        }
        if (right_parts > 1) {
            load_right<width>(right + right_part);
            if (left_parts > 1) add_products<height, width>();
            load_left<height>(left);
            add_products<height, width>();
            if (right_parts > 2) {
                load_right<width>(right + 2 * right_part);
                add_products<height, width>();
            }
            load_right<width>(right);
        } else {
            load_left<height>(left);
        }
        add_products<height, width>();
        left += split_tiles::parts * left_part;
        right += split_tiles::parts * right_part;
    }
}

template <int height, int width>
HWY_INLINE void load_sums(const char* from) {
    _tile_loadd(0, from, 64);
    if (width > 1) _tile_loadd(1, from + tile_bytes, 64);
    if (height > 1) _tile_loadd(2, from + 2 * tile_bytes, 64);
    if (height > 1 && width > 1) _tile_loadd(3, from + 3 * tile_bytes, 64);
}
template <int height, int width>
HWY_INLINE void store_sums(char* to) {
    _tile_stored(0, to, 64);
    if (width > 1) _tile_stored(1, to + tile_bytes, 64);
    if (height > 1) _tile_stored(2, to + 2 * tile_bytes, 64);
    if (height > 1 && width > 1) _tile_stored(3, to + 3 * tile_bytes, 64);
}

template <int height, int width>
HWY_INLINE void add_turn(const SplitTile& t, std::int64_t first, std::int64_t block, float* sums) {
    const char* const left =
        reinterpret_cast<const char*>(t.left) + first * split_tiles::parts * height * tile_bytes;
    const char* const right = reinterpret_cast<const char*>(t.right) +
                              (block * t.right_steps + first) * split_tiles::parts * 2 * tile_bytes;
    char* const at = reinterpret_cast<char*>(sums + block * sums_of_block);
    if (first == 0) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    } else {
        load_sums<height, width>(at);
    }
    const std::int64_t rest = t.steps - first;
    add_steps<height, width>(t, left, right, rest < steps_in_turn ? rest : steps_in_turn);
    store_sums<height, width>(at);
}

/// Brings what the sums of a block of columns are added to near, some rows with each turn.
HWY_INLINE void fetch_results(const SplitTile& t, std::int64_t first_step, std::int64_t j) {
    const std::int64_t turns = (t.steps + steps_in_turn - 1) / steps_in_turn,
                       turn = first_step / steps_in_turn, columns = j / 16 * t.c_block,
                       next = j + 16 < t.columns ? t.c_block : 0;
    for (std::int64_t i = t.rows * turn / turns; i < t.rows * (turn + 1) / turns; ++i) {
        const float* const to = t.c + i * t.c_stride + columns;
        __builtin_prefetch(to, 1);
        __builtin_prefetch(to + next, 1);
        if (!t.initial || t.initial == t.c) continue;
        const float* const from = t.initial + i * t.initial_stride + columns;
        __builtin_prefetch(from);
        __builtin_prefetch(from + next);
    }
}

template <int height>
void sum_blocks(const SplitTile& t, float* sums) {
    for (std::int64_t s = 0; s < t.steps; s += steps_in_turn)
        for (std::int64_t j = 0; j < t.columns; j += split_tiles::pair_columns) {
            const std::int64_t block = j / split_tiles::pair_columns;
            fetch_results(t, s, j);
            if (t.columns - j > split_tiles::tile_rows) add_turn<height, 2>(t, s, block, sums);
            else add_turn<height, 1>(t, s, block, sums);
        }
}

/// Adds a block of sums, each column times its factor; the first one is not added to anything.
template <int height, int width>
HWY_INLINE void add_multiplied(const float* from, const float* factors, bool is_first, float* to) {
#pragma GCC unroll 2
    for (int v = 0; v < width; ++v) {
        const __m512 factor = _mm512_loadu_ps(factors + v * 16);
#pragma GCC unroll 2
        for (int h = 0; h < height; ++h)
            for (std::int64_t i = 0; i < sums_of_tile; i += 16) {
                const std::int64_t place = (h * 2 + v) * sums_of_tile + i;
                const __m512 sum = _mm512_load_ps(from + place);
                _mm512_store_ps(to + place, is_first ? _mm512_mul_ps(sum, factor)
                                                     : _mm512_fmadd_ps(sum, factor,
                                                                       _mm512_load_ps(to + place)));
            }
    }
}

/// Steps [first, first + factor_steps) of a block of sums. `part` is memory for their sums.
template <int height, int width>
HWY_INLINE void add_factored_steps(const SplitTile& t, std::int64_t first, std::int64_t block,
                                   float* part, float* sums) {
    const char* const left =
        reinterpret_cast<const char*>(t.left) + first * split_tiles::parts * height * tile_bytes;
    const char* const right = reinterpret_cast<const char*>(t.right) +
                              (block * t.right_steps + first) * split_tiles::parts * 2 * tile_bytes;
    const std::int64_t rest = t.steps - first;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    add_steps<height, width>(t, left, right, rest < t.factor_steps ? rest : t.factor_steps);
    store_sums<height, width>(reinterpret_cast<char*>(part));
    finish_split_writes();
    add_multiplied<height, width>(part,
                                  t.factors + first / t.factor_steps * split_tiles::most_columns +
                                      block * split_tiles::pair_columns,
                                  first == 0, sums + block * sums_of_block);
}

template <int height>
void sum_factored_blocks(const SplitTile& t, float* sums) {
    alignas(64) float parts[2][sums_of_block];  // in turn, so that tiles need not wait
    int turn = 0;
    for (std::int64_t s = 0; s < t.steps; s += t.factor_steps)
        for (std::int64_t j = 0; j < t.columns; j += split_tiles::pair_columns) {
            const std::int64_t block = j / split_tiles::pair_columns;
            float* const part = parts[turn ^= 1];
            if (s % steps_in_turn == 0) fetch_results(t, s, j);
            if (t.columns - j > split_tiles::tile_rows)
                add_factored_steps<height, 2>(t, s, block, part, sums);
            else add_factored_steps<height, 1>(t, s, block, part, sums);
        }
}

void finish_split(const SplitTile& t, const float* sums) {
    const hn::FixedTag<float, 16> d;
    const auto scale = hn::Set(d, t.scale);
    for (std::int64_t j = 0; j < t.columns; j += 16) {
        const std::int64_t left = t.columns - j, block = j / 16 * t.c_block;
        const float* const of_columns = sums + j / 32 * sums_of_block + j / 16 % 2 * sums_of_tile;
        const auto load = [&](const float* from) HWY_ATTR {
            return left < 16 ? load_first(d, from, left) : hn::LoadU(d, from);
        };
        const auto bias = t.bias ? load(t.bias + j) : hn::Zero(d);
        for (int i = 0; i < t.rows; ++i) {
            const float* const from = of_columns + i / 16 * 2 * sums_of_tile + i % 16 * 16;
            auto v = hn::MulAdd(hn::Load(d, from), scale, bias);
            if (t.row_bias) v = hn::Add(v, hn::Set(d, t.row_bias[i]));
            if (t.initial) v = hn::Add(v, load(t.initial + i * t.initial_stride + block));
            float* const to = t.c + i * t.c_stride + block;
            if (left < 16) store_first(d, v, to, left);
            else hn::StoreU(v, d, to);
        }
    }
}

void multiply_split_tile(const SplitTile& t) {
    _tile_loadconfig(&split_shapes);
    finish_split_writes();
    alignas(64) float sums[split_tiles::most_columns / split_tiles::pair_columns * sums_of_block];
    const bool is_tall = t.rows > split_tiles::tile_rows;
    if (t.factors) is_tall ? sum_factored_blocks<2>(t, sums) : sum_factored_blocks<1>(t, sums);
    else is_tall ? sum_blocks<2>(t, sums) : sum_blocks<1>(t, sums);
    _tile_release();
    finish_split_writes();
    finish_split(t, sums);
}

std::int64_t split_peak(std::int64_t repeats) {
    // Numbers of all kinds between -1 and 1: the CPU would take zeros faster.
    alignas(64) std::uint16_t numbers[tile_elements];
    std::uint32_t seed = 1;
    for (std::int64_t i = 0; i < tile_elements; ++i) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = static_cast<std::uint16_t>(0x3e00u + (seed >> 16 & 0x80ffu));
    }
    _tile_loadconfig(&split_shapes);
    finish_split_writes();
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, numbers, 64);
    _tile_loadd(5, numbers, 64);
    _tile_loadd(6, numbers, 64);
    _tile_loadd(7, numbers, 64);
    for (std::int64_t i = 0; i < repeats; ++i) add_products<2, 2>();
    _tile_release();
    constexpr std::int64_t products = 6;
    return repeats * 2 * split_tiles::most_rows * split_tiles::pair_columns * split_tiles::step /
           products;
}

}  // namespace

const SplitTileKernels& split_tile_kernels() {
    static constexpr SplitTileKernels table{&split_rows, &split_columns, &multiply_split_tile,
                                            &split_peak};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA

#endif
