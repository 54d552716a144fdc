// SPDX-License-Identifier: Apache-2.0
// Sums of byte products in the tiles of AMX; part of byte_product.cpp for CPUs that have them.
//
// A tile is 16 rows of 64 bytes. One of A holds 64 elements of 16 rows, one of B 64 rows of 16
// columns: packed panels, whose groups of four rows lie side by side, are read as they are. Up to
// 32 rows and 32 columns are summed in four tiles while two of A and two of B pass.
#pragma once

#if defined(__AMX_INT8__)

#include <immintrin.h>

#include "kernels/vector/integer/byte_finish.h"

namespace lapidary::LAPIDARY_ISA {
namespace {
namespace tiles {

constexpr std::int64_t tile_rows = 16, tile_bytes = 64, group = 4;
constexpr std::int64_t staged_rows = 2 * tile_rows;
// of the last tile of B where few of its rows are left, in panels of four vectors
constexpr std::int64_t bytes_behind = (tile_rows - 1) * 4 * tile_bytes;

/// What ldtilecfg reads: eight tiles of full size.
struct alignas(64) Shapes {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr Shapes shapes;

/// The compiler does not know that tiles are read from memory.
HWY_INLINE void finish_writes() { asm volatile("" ::: "memory"); }

/// Up to sixteen rows of A.
struct Rows {
    const void* const* places = nullptr;  // of the first row
    std::int64_t count = 0;
    // Rows are read where they lie, `stride` bytes apart. Else `staged` has all steps of 64 bytes
    // of all rows, one tile after the other.
    bool is_even = false;
    std::int64_t stride = 0;
    std::uint8_t* staged = nullptr;  // is_even: the last step alone, if it is not whole
};

bool has_even_places(const ByteBlock& block, Rows& rows) {
    if (rows.count < tile_rows || (block.taps > 1 && block.inner % tile_bytes != 0)) return false;
    const auto at = [&](std::int64_t r, std::int64_t t) {
        return reinterpret_cast<std::intptr_t>(rows.places[r * block.taps + t]);
    };
    rows.stride = at(1, 0) - at(0, 0);
    for (std::int64_t t = 0; t < block.taps; ++t)
        for (std::int64_t r = 1; r < tile_rows; ++r)
            if (at(r, t) - at(r - 1, t) != rows.stride) return false;
    return true;
}

/// `count` bytes of one row from its byte `position` on.
HWY_INLINE void copy(const std::uint8_t* from, std::int64_t count, std::uint8_t* row,
                     std::int64_t position) {
    while (count > 0) {
        const std::int64_t inside = position % tile_bytes, room = tile_bytes - inside,
                           now = count < room ? count : room;
        const __mmask64 there = now == tile_bytes ? ~__mmask64{0} : (__mmask64{1} << now) - 1;
        _mm512_mask_storeu_epi8(row + position / tile_bytes * tile_rows * tile_bytes + inside,
                                there, _mm512_maskz_loadu_epi8(there, from));
        from += now;
        count -= now;
        position += now;
    }
}

/// Puts into rows.staged what is not read where it lies; what is left of the last step becomes 0,
/// so that it does not matter what B has there.
void stage(const ByteBlock& block, const Rows& rows) {
    const std::int64_t depth = block.taps * block.inner, left = depth % tile_bytes;
    if (rows.is_even && left == 0) return;
    std::uint8_t* const last =
        rows.staged + (rows.is_even ? 0 : depth / tile_bytes * tile_rows * tile_bytes);
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const void* const* places = rows.places + r * block.taps;
        std::uint8_t* const row = rows.staged + r * tile_bytes;
        if (left != 0) _mm512_storeu_si512(last + r * tile_bytes, _mm512_setzero_si512());
        if (rows.is_even) {
            copy(static_cast<const std::uint8_t*>(places[0]) + depth - left, left, row, 0);
            continue;
        }
        for (std::int64_t t = 0; t < block.taps; ++t)
            copy(static_cast<const std::uint8_t*>(places[t]), block.inner, row, t * block.inner);
    }
}

/// Where steps of A lie.
struct Steps {
    const std::uint8_t* at;
    std::int64_t stride, next;  // bytes to the next row and step
};

/// From step `step` on, which begins tap `tap`.
HWY_INLINE Steps steps_of(const Rows& rows, std::int64_t step, std::int64_t tap) {
    if (rows.is_even)
        return {static_cast<const std::uint8_t*>(rows.places[tap]), rows.stride, tile_bytes};
    return {rows.staged + step * tile_rows * tile_bytes, tile_bytes, tile_rows * tile_bytes};
}

/// A step of 64 rows of B, `stride` bytes from group to group.
template <int halves, int vectors>
HWY_INLINE void add_products(const Steps (&a)[2], std::int64_t step, const std::int8_t* b,
                             std::int64_t stride) {
    _tile_loadd(4, a[0].at + step * a[0].next, a[0].stride);
    _tile_loadd(6, b, stride);
    _tile_dpbusd(0, 4, 6);
    if constexpr (vectors == 2) {
        _tile_loadd(7, b + tile_bytes, stride);
        _tile_dpbusd(1, 4, 7);
    }
    if constexpr (halves == 2) {
        _tile_loadd(5, a[1].at + step * a[1].next, a[1].stride);
        _tile_dpbusd(2, 5, 6);
        if constexpr (vectors == 2) _tile_dpbusd(3, 5, 7);
    }
}

/// Sums of 16 * halves rows and 16 * vectors columns, `sums_stride` elements from row to row.
template <int halves, int vectors>
void sum(const ByteBlock& block, const Rows (&rows)[2], const std::int8_t* b, std::int64_t stride,
         std::int32_t* sums, std::int64_t sums_stride) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    const std::int64_t depth = block.taps * block.inner, whole = depth / tile_bytes,
                       per_tap = block.inner % tile_bytes == 0 ? block.inner / tile_bytes : whole;
    for (std::int64_t step = 0, tap = 0; step < whole; step += per_tap, ++tap) {
        const Steps a[2] = {steps_of(rows[0], step, tap), steps_of(rows[halves - 1], step, tap)};
        for (std::int64_t i = 0; i < per_tap; ++i, b += tile_rows * stride)
            add_products<halves, vectors>(a, i, b, stride);
    }
    if (depth % tile_bytes != 0) {
        const auto last = [&](const Rows& r) {
            return Steps{r.staged + (r.is_even ? 0 : whole * tile_rows * tile_bytes), tile_bytes,
                         0};
        };
        const Steps a[2] = {last(rows[0]), last(rows[halves - 1])};
        add_products<halves, vectors>(a, 0, b, stride);
    }
    const std::int64_t row_bytes = sums_stride * 4;
    _tile_stored(0, sums, row_bytes);
    if constexpr (vectors == 2) _tile_stored(1, sums + 16, row_bytes);
    if constexpr (halves == 2) {
        _tile_stored(2, sums + tile_rows * sums_stride, row_bytes);
        if constexpr (vectors == 2) _tile_stored(3, sums + tile_rows * sums_stride + 16, row_bytes);
    }
    finish_writes();
}

/// Finishes rows from `sums` on, `vectors` vectors each.
template <int vectors, int at_once>
HWY_INLINE void finish_rows(const ByteFinish& f, bool is_plain, const std::int32_t* sums,
                            std::int64_t row, std::int64_t column, std::int64_t width) {
    Sums c[at_once][vectors];
#pragma GCC unroll 4
    for (int r = 0; r < at_once; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) c[r][v] = hn::LoadU(d32, sums + (r * vectors + v) * 16);
    if (!is_plain) store_reals<at_once, vectors>(c, f, row, column, width);
    else if (f.is_signed) store_bytes<at_once, vectors, true>(c, f, row, column, width);
    else store_bytes<at_once, vectors, false>(c, f, row, column, width);
}

template <int vectors>
void finish(const ByteFinish& f, const std::int32_t* sums, std::int64_t row, std::int64_t rows,
            std::int64_t column, std::int64_t width) {
    const bool plain = is_plain(f), reals = has_plain_reals(f);
    if (!plain && !reals) return finish_tile(f, sums, vectors * 16, row, rows, column, width);
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4)
        finish_rows<vectors, 4>(f, plain, sums + r * vectors * 16, row + r, column, width);
    for (; r < rows; ++r)
        finish_rows<vectors, 1>(f, plain, sums + r * vectors * 16, row + r, column, width);
    if (reals) activate_reals(f, row, rows, column, width);
}

/// One panel, whose `width` columns take `vectors` vectors.
template <int vectors>
void panel(const ByteBlock& block, const Rows (&rows)[2], std::int64_t row, std::int64_t column,
           std::int64_t width) {
    alignas(64) std::int32_t sums[staged_rows * vectors * 16 + 8];
    const std::int8_t* b = block.panels + column * block.taps * block.inner;
    constexpr std::int64_t stride = vectors * 16 * group;
    for (int v = 0; v + 2 <= vectors; v += 2)
        (rows[1].count > 0 ? &sum<2, 2> : &sum<1, 2>)(block, rows, b + v * tile_bytes, stride,
                                                      sums + v * 16, vectors * 16);
    if constexpr (vectors % 2 == 1)
        (rows[1].count > 0 ? &sum<2, 1> : &sum<1, 1>)(block, rows, b + (vectors - 1) * tile_bytes,
                                                      stride, sums + (vectors - 1) * 16,
                                                      vectors * 16);
    finish<vectors>(block.finish, sums, row, rows[0].count + rows[1].count, column, width);
}

/// ByteProductKernels::multiply.
void multiply(const ByteBlock& block) {
    _tile_loadconfig(&shapes);
    const std::int64_t end = block.column + block.columns, depth = block.taps * block.inner,
                       tile_stage = (depth + tile_bytes - 1) / tile_bytes * tile_rows * tile_bytes;
    for (std::int64_t row = 0; row < block.rows; row += staged_rows) {
        Rows rows[2];
        for (std::int64_t h = 0; h < 2; ++h) {
            const std::int64_t first = row + h * tile_rows, left = block.rows - first;
            Rows& part = rows[h];
            part.places = block.places + first * block.taps;
            part.count = left <= 0 ? 0 : left < tile_rows ? left : tile_rows;
            if (part.count == 0) continue;
            part.is_even = has_even_places(block, part);
            part.staged = block.stage + h * (rows[0].is_even ? tile_rows * tile_bytes : tile_stage);
            stage(block, part);
        }
        finish_writes();
        for (std::int64_t column = block.column; column < end; column += block.panel_width) {
            const std::int64_t there = block.all_columns - column,
                               width = there < block.panel_width ? there : block.panel_width;
            switch ((width + 15) / 16) {
            case 1: panel<1>(block, rows, row, column, width); break;
            case 2: panel<2>(block, rows, row, column, width); break;
            case 3: panel<3>(block, rows, row, column, width); break;
            default: panel<4>(block, rows, row, column, width); break;
            }
        }
    }
    _tile_release();
}

}  // namespace tiles
}  // namespace
}  // namespace lapidary::LAPIDARY_ISA

#endif
