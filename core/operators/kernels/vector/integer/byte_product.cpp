// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/byte_product.h"

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_finish.h"
#include "kernels/vector/integer/byte_tiles.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

// ---- what an instruction set offers: `group` consecutive k of B lie side by side per column

#if HWY_TARGET == HWY_AVX3
constexpr std::int64_t widest_vectors = 4;
#if defined(__AVX512VNNI__)
constexpr std::int64_t group = 4, element_bytes = 1;
HWY_INLINE Sums load_b(const std::int8_t* b) { return Sums{_mm512_loadu_si512(b)}; }
HWY_INLINE Sums dot(Sums sums, Sums a, Sums b) {
    return Sums{_mm512_dpbusd_epi32(sums.raw, a.raw, b.raw)};
}
#else
constexpr std::int64_t group = 2, element_bytes = 2;
HWY_INLINE Sums load_b(const std::int8_t* b) {
    return Sums{_mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)))};
}
HWY_INLINE Sums dot(Sums sums, Sums a, Sums b) {
    return Sums{_mm512_add_epi32(sums.raw, _mm512_madd_epi16(a.raw, b.raw))};
}
#endif
HWY_INLINE Sums load_a(const std::uint8_t* a) {
    int word;
    __builtin_memcpy(&word, a, 4);
    return Sums{_mm512_set1_epi32(word)};
}
constexpr int most_rows(int vectors) { return vectors == 4 ? 6 : 8; }
#elif HWY_TARGET == HWY_AVX2
constexpr std::int64_t widest_vectors = 2;
constexpr std::int64_t group = 2, element_bytes = 2;
HWY_INLINE Sums load_b(const std::int8_t* b) {
    return Sums{_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b)))};
}
HWY_INLINE Sums dot(Sums sums, Sums a, Sums b) {
    return Sums{_mm256_add_epi32(sums.raw, _mm256_madd_epi16(a.raw, b.raw))};
}
HWY_INLINE Sums load_a(const std::uint8_t* a) {
    int word;
    __builtin_memcpy(&word, a, 4);
    return Sums{_mm256_set1_epi32(word)};
}
constexpr int most_rows(int vectors) { return vectors == 4 ? 2 : vectors == 3 ? 3 : 6; }
#else
constexpr std::int64_t widest_vectors = 4;
constexpr std::int64_t group = 1, element_bytes = 2;
HWY_INLINE Sums load_b(const std::int8_t* b) {
    return hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::int8_t, D32>(), b));
}
HWY_INLINE Sums dot(Sums sums, Sums a, Sums b) { return hn::Add(sums, hn::Mul(a, b)); }
HWY_INLINE Sums load_a(const std::uint8_t* a) {
    std::int16_t value;
    __builtin_memcpy(&value, a, 2);
    return hn::Set(d32, value);
}
constexpr int most_rows(int vectors) { return vectors == 1 ? 6 : vectors == 2 ? 4 : 3; }
#endif

/// Makes GCC add in turn. Otherwise it adds up the products of several steps first, which needs
/// more registers than there are.
HWY_INLINE void add_in_turn([[maybe_unused]] Sums& sum) {
#if HWY_ARCH_X86
    asm volatile("" : "+v"(sum.raw));
#endif
}

enum class Store { sums, plain_unsigned, plain_signed, reals };

/// One tile: `rows` x `vectors` sums of products over all taps, for row `row` and column `column`
/// of the block. They are stored to sums[row * vectors * lanes + column], or finished as bytes to
/// the output. `ahead` is memory to prefetch.
template <int rows, int vectors, Store store>
void tile(const ByteBlock& block, std::int64_t row, std::int64_t column, std::int64_t width,
          const std::int8_t* b, std::int32_t* sums, const std::byte* ahead) {
    const std::int64_t taps = block.taps, inner = block.inner;
    const void* const* places = block.places + row * taps;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d32));
    Sums c[rows][vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) c[r][v] = hn::Zero(d32);
    for (std::int64_t t = 0; t < taps; ++t) {
        const std::uint8_t* a[rows];
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r)
            a[r] = static_cast<const std::uint8_t*>(places[r * taps + t]);
        const auto step = [&](std::int64_t k) __attribute__((always_inline)) {
            Sums column[vectors];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) column[v] = load_b(b + v * lanes * group);
            // B is read faster than multiplied with: panels follow one another
            if constexpr (rows <= 2) {
                constexpr std::int64_t distance = 2048;
#pragma GCC unroll 4
                for (std::int64_t at = 0; at < vectors * lanes * group; at += 64)
                    __builtin_prefetch(b + distance + at, 0, 3);
            }
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r) {
                const Sums row = load_a(a[r] + k * element_bytes);
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v) {
                    c[r][v] = dot(c[r][v], row, column[v]);
                    add_in_turn(c[r][v]);
                }
            }
            b += vectors * lanes * group;
        };
        std::int64_t k = 0;
        for (; k + 4 * group <= inner; k += 4 * group) {
            __builtin_prefetch(ahead, 0, 2);
            ahead += 64;
            step(k);
            step(k + group);
            step(k + 2 * group);
            step(k + 3 * group);
        }
        for (; k < inner; k += group) step(k);
    }
#if HWY_TARGET == HWY_AVX3
    if constexpr (store == Store::reals)
        return store_reals<rows, vectors>(c, block.finish, row, column, width);
    else if constexpr (store != Store::sums)
        return store_bytes<rows, vectors, store == Store::plain_signed>(c, block.finish, row,
                                                                        column, width);
#endif
    static_cast<void>(column);
    static_cast<void>(width);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            hn::StoreU(c[r][v], d32, sums + (r * vectors + v) * lanes);
}

using Tile = void (*)(const ByteBlock&, std::int64_t, std::int64_t, std::int64_t,
                      const std::int8_t*, std::int32_t*, const std::byte*);

template <int vectors, Store store>
Tile tile_of(std::int64_t rows) {
    constexpr int most = most_rows(vectors);
    switch (rows) {
    case 1: return &tile<1, vectors, store>;
    case 2: return &tile<2, vectors, store>;
    case 3: return &tile<(most < 3 ? most : 3), vectors, store>;
    case 4: return &tile<(most < 4 ? most : 4), vectors, store>;
    case 5: return &tile<(most < 5 ? most : 5), vectors, store>;
    case 6: return &tile<(most < 6 ? most : 6), vectors, store>;
    case 7: return &tile<(most < 7 ? most : 7), vectors, store>;
    default: return &tile<most, vectors, store>;
    }
}

template <Store store>
Tile tile_of(std::int64_t rows, std::int64_t vectors) {
    switch (vectors) {
    case 1: return tile_of<1, store>(rows);
    case 2: return tile_of<2, store>(rows);
    case 3: return tile_of<3, store>(rows);
    default: return tile_of<4, store>(rows);
    }
}

/// Asks for the memory that the rows of a tile end in, and that of what is added, while their sums
/// are not there yet; a short product ends too soon for that to pay.
HWY_INLINE void prefetch_ends(const ByteFinish& f, std::int64_t depth, std::int64_t row,
                              std::int64_t rows, std::int64_t column) {
    if (depth < 64) return;
    const std::int64_t bytes = f.to == ByteFinish::To::bytes ? 1 : 4;
    for (std::int64_t r = row; r < row + rows; ++r) {
        if (f.addend)
            __builtin_prefetch(
                static_cast<const std::byte*>(f.addend) + r * f.addend_stride + column, 0, 3);
        __builtin_prefetch(
            static_cast<const std::byte*>(f.out) + (r * f.out_stride + column) * bytes, 1, 3);
    }
}

void multiply(const ByteBlock& block) {
    alignas(64) std::int32_t sums[8 * 4 * HWY_MAX_BYTES / 4];
    const auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d32));
    const std::int64_t depth = block.taps * block.inner, end = block.column + block.columns;
    const ByteFinish& finish = block.finish;
#if HWY_TARGET == HWY_AVX3
    const bool plain = is_plain(finish), reals = has_plain_reals(finish);
#else
    constexpr bool plain = false, reals = false;  // tiles end in sums
#endif
    for (std::int64_t column = block.column; column < end; column += block.panel_width) {
        const std::int64_t left = block.all_columns - column < block.panel_width
                                      ? block.all_columns - column
                                      : block.panel_width;
        const std::int64_t vectors = (left + lanes - 1) / lanes;
        const std::int8_t* b = block.panels + column * depth;
        const std::int64_t most = most_rows(static_cast<int>(vectors));
        const std::int64_t tiles = (block.rows + most - 1) / most, least = block.rows / tiles;
        std::int64_t longer = block.rows - least * tiles;
        const auto choose = [&](std::int64_t rows) {
#if HWY_TARGET == HWY_AVX3
            if (plain)
                return finish.is_signed ? tile_of<Store::plain_signed>(rows, vectors)
                                        : tile_of<Store::plain_unsigned>(rows, vectors);
            if (reals) return tile_of<Store::reals>(rows, vectors);
#endif
            return tile_of<Store::sums>(rows, vectors);
        };
        const Tile small = choose(least), large = choose(least + 1);
        const bool is_last = column + block.panel_width >= block.all_columns;
        const std::byte* ahead = reinterpret_cast<const std::byte*>(
            is_last ? block.panels : b + vectors * lanes * depth);
        for (std::int64_t row = 0; row < block.rows; --longer) {
            const std::int64_t count = least + (longer > 0);
            prefetch_ends(finish, depth, row, count, column);
            (longer > 0 ? large : small)(block, row, column, left, b, sums, ahead);
            if (reals) activate_reals(finish, row, count, column, left);
            else if (!plain) finish_tile(finish, sums, vectors * lanes, row, count, column, left);
            ahead += depth / (4 * group) * 64;
            row += count;
        }
    }
}

// ---- operands

void prepare(const void* from, std::int64_t rows, std::int64_t inner, std::int64_t from_stride,
             bool is_signed, void* to, std::int64_t padded) {
    const auto flip = static_cast<std::uint8_t>(is_signed ? 0x80 : 0);
    const hn::ScalableTag<std::uint8_t> d8;
    const auto lanes8 = static_cast<std::int64_t>(hn::Lanes(d8));
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::uint8_t* in = static_cast<const std::uint8_t*>(from) + r * from_stride;
        std::int64_t k = 0;
        if constexpr (element_bytes == 1) {
            std::uint8_t* out = static_cast<std::uint8_t*>(to) + r * padded;
            for (; k + lanes8 <= inner; k += lanes8)
                hn::StoreU(hn::Xor(hn::LoadU(d8, in + k), hn::Set(d8, flip)), d8, out + k);
            for (; k < inner; ++k) out[k] = in[k] ^ flip;
            for (; k < padded; ++k) out[k] = 0;
        } else {
            std::int16_t* out = static_cast<std::int16_t*>(to) + r * padded;
            const hn::ScalableTag<std::int16_t> d16;
            const hn::Rebind<std::uint8_t, decltype(d16)> half;
            const auto lanes16 = static_cast<std::int64_t>(hn::Lanes(d16));
            for (; k + lanes16 <= inner; k += lanes16)
                hn::StoreU(
                    hn::PromoteTo(d16, hn::Xor(hn::LoadU(half, in + k), hn::Set(half, flip))), d16,
                    out + k);
            for (; k < inner; ++k) out[k] = static_cast<std::uint8_t>(in[k] ^ flip);
            for (; k < padded; ++k) out[k] = 0;
        }
    }
}

void column_offsets(const std::int32_t* sums, std::int64_t count, std::int32_t a_zero,
                    std::int32_t depth, const std::int32_t* column_zero, std::int32_t* offsets) {
    // Modulo 2^32, as the sums themselves.
    const auto step = static_cast<std::int64_t>(hn::Lanes(d32));
    const Sums zero = hn::Set(d32, a_zero),
               both = hn::Set(d32, static_cast<std::int32_t>(static_cast<std::uint32_t>(a_zero) *
                                                             static_cast<std::uint32_t>(depth)));
    for (std::int64_t n = 0; n < count; n += step) {
        Sums offset = hn::Neg(hn::Mul(zero, load_some(d32, sums + n, count - n)));
        if (column_zero)
            offset = hn::Add(offset, hn::Mul(both, load_some(d32, column_zero + n, count - n)));
        store_some(d32, offset, offsets + n, count - n);
    }
}

std::int32_t row_sum(const void* row, std::int64_t count) {
    std::int64_t k = 0;
    std::int32_t total = 0;
    if constexpr (element_bytes == 1) {
        const std::uint8_t* in = static_cast<const std::uint8_t*>(row);
#if HWY_TARGET == HWY_AVX3
        __m512i sums = _mm512_setzero_si512();
        for (; k + 64 <= count; k += 64)
            sums = _mm512_add_epi64(
                sums, _mm512_sad_epu8(_mm512_loadu_si512(in + k), _mm512_setzero_si512()));
        alignas(64) std::int64_t parts[8];
        _mm512_store_si512(parts, sums);
        for (std::int64_t p : parts) total += static_cast<std::int32_t>(p);
#endif
        for (; k < count; ++k) total += in[k];
    } else {
        const std::int16_t* in = static_cast<const std::int16_t*>(row);
        const hn::Rebind<std::int16_t, D32> half;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(d32));
        Sums sums = hn::Zero(d32);
        for (; k + lanes <= count; k += lanes)
            sums = hn::Add(sums, hn::PromoteTo(d32, hn::LoadU(half, in + k)));
        alignas(64) std::int32_t parts[HWY_MAX_BYTES / 4];
        hn::StoreU(sums, d32, parts);
        for (std::int64_t i = 0; i < lanes; ++i) total += parts[i];
        for (; k < count; ++k) total += in[k];
    }
    return total;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
/// Sixteen columns of four rows, in groups that begin `next` bytes after one another.
HWY_INLINE void interleave16(const std::uint8_t* b, std::int64_t stride, std::uint8_t flip,
                             std::int8_t* to, std::int64_t next) {
    const __m128i mask = _mm_set1_epi8(static_cast<char>(flip));
    const auto row = [&](int k) {
        return _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + k * stride)),
                             mask);
    };
    const __m128i r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
    const __m128i low01 = _mm_unpacklo_epi8(r0, r1), high01 = _mm_unpackhi_epi8(r0, r1);
    const __m128i low23 = _mm_unpacklo_epi8(r2, r3), high23 = _mm_unpackhi_epi8(r2, r3);
    const auto put = [&](std::int64_t at, __m128i v) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at), v);
    };
    if constexpr (group == 4) {
        put(0, _mm_unpacklo_epi16(low01, low23));
        put(16, _mm_unpackhi_epi16(low01, low23));
        put(32, _mm_unpacklo_epi16(high01, high23));
        put(48, _mm_unpackhi_epi16(high01, high23));
    } else {
        put(0, low01);
        put(16, high01);
        put(next, low23);
        put(next + 16, high23);
    }
}
#endif

/// Sums of the columns of a packed panel.
void sum_columns(const std::int8_t* panel, std::int64_t groups, std::int64_t width,
                 std::int32_t* sums) {
    // of bytes and of 16-bit elements
    constexpr std::uint8_t ones[2][4] = {{1, 1, 1, 1}, {1, 0, 1, 0}};
    const Sums one = load_a(ones[element_bytes - 1]);
    for (std::int64_t n = 0; n < width; n += hn::MaxLanes(d32)) {
        Sums total = hn::Zero(d32);
        for (std::int64_t i = 0; i < groups; ++i)
            total = dot(total, one, load_b(panel + (i * width + n) * group));
        hn::StoreU(total, d32, sums + n);
    }
}

void pack(const void* b, ByteStrides strides, bool is_unsigned, std::int64_t taps,
          std::int64_t inner, std::int64_t columns, std::int64_t column, std::int64_t width,
          std::int8_t* to, std::int32_t* sums) {
    const auto* from = static_cast<const std::uint8_t*>(b);
    const auto flip = static_cast<std::uint8_t>(is_unsigned ? 0x80 : 0);
    const std::int64_t padded = (inner + 3) / 4 * 4,
                       there = columns - column < width ? columns - column : width;
    std::int8_t* const panel = to;
    for (std::int64_t t = 0; t < taps; ++t)
        for (std::int64_t k = 0; k < padded; k += 4, to += width * 4) {
            const std::uint8_t* rows =
                from + t * strides.tap + k * strides.row + column * strides.column;
            std::int64_t n = 0;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
            if (strides.column == 1 && k + 4 <= inner) {
                // far apart in memory: processors do not ask for them by themselves
                constexpr std::int64_t rows_ahead = 16;
                for (std::int64_t i = rows_ahead; i < rows_ahead + 4 && k + i < inner; ++i) {
                    __builtin_prefetch(rows + i * strides.row, 0, 3);
                    __builtin_prefetch(rows + i * strides.row + there - 1, 0, 3);
                }
                for (; n + 16 <= there; n += 16)
                    interleave16(rows + n, strides.row, flip, to + n * group, width * group);
            }
            if (group == 4 && strides.row == 1 && k + 4 <= inner)
                for (; n < there; ++n) {
                    std::uint32_t word;
                    __builtin_memcpy(&word, rows + n * strides.column, 4);
                    word ^= flip * 0x01010101u;
                    __builtin_memcpy(to + n * 4, &word, 4);
                }
#endif
            for (; n < width; ++n)
                for (std::int64_t i = 0; i < 4; ++i) {
                    const bool is_inside = n < there && k + i < inner;
                    to[i / group * width * group + n * group + i % group] =
                        is_inside ? static_cast<std::int8_t>(
                                        rows[i * strides.row + n * strides.column] ^ flip)
                                  : std::int8_t{0};
                }
        }
    sum_columns(panel, taps * padded / group, width, sums);
}

#if defined(__AMX_INT8__)
constexpr std::int64_t staged_rows = tiles::staged_rows, bytes_behind = tiles::bytes_behind;
/// Tiles have sixteen rows, and A is copied for them where it does not lie evenly: products of few
/// rows, of one step or of few columns are as fast in vectors or faster (measured on Sapphire
/// Rapids with the convolutions of FastestDet, ShuffleNet, MobileNetV2 and ResNet-50).
void multiply_all(const ByteBlock& block) {
    constexpr std::int64_t few_rows = 5, one_step = 64, least_of_b = 8192;
    const std::int64_t depth = block.taps * block.inner;
    const bool is_small =
        block.rows <= few_rows || depth <= one_step || depth * block.columns < least_of_b;
    (is_small ? &multiply : &tiles::multiply)(block);
}
#else
constexpr std::int64_t staged_rows = 0, bytes_behind = 0;
void multiply_all(const ByteBlock& block) { multiply(block); }
#endif

}  // namespace

const ByteProductKernels& byte_product_kernels() {
    static constexpr ByteProductKernels table{.lanes = hn::MaxLanes(d32),
                                              .widest_panel = widest_vectors * hn::MaxLanes(d32),
                                              .element_bytes = element_bytes,
                                              .staged_rows = staged_rows,
                                              .bytes_behind = bytes_behind,
                                              .multiply = &multiply_all,
                                              .prepare = &prepare,
                                              .pack = &pack,
                                              .row_sum = &row_sum,
                                              .column_offsets = &column_offsets};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
