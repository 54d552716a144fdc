// SPDX-License-Identifier: Apache-2.0
// The loops of one product tile, for files of kernels/vector/product only. The tile holds rows x
// vectors sums in registers; each step of k loads one row of B and broadcasts one value per row of
// A. B's elements are floats, or 16-bit floats that are widened as they are loaded: the sums are
// the same to the last bit.
#pragma once

#include <hwy/highway.h>

#include <lapidary/tensor/float16.h>

#include "kernels/vector/partial.h"
#include "kernels/vector/product/product.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// As many sums as registers allow in addition to one row of B and a broadcast value; at least 8 are
// needed to hide the latency of two FMA units.
#if HWY_TARGET == HWY_SCALAR
constexpr int lanes = 1, tile_rows = 2, tile_vectors = 4;
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3_ZEN4
constexpr int lanes = 16, tile_rows = 8, tile_vectors = 3;
#elif HWY_TARGET == HWY_AVX2
constexpr int lanes = 8, tile_rows = 6, tile_vectors = 2;
#else
constexpr int lanes = 4, tile_rows = 6, tile_vectors = 4;
#endif

/// One value in all lanes, in a register: an operand broadcast from memory would be loaded again
/// for each vector of B.
HWY_INLINE V broadcast(const float* value) {
    V v = hn::Set(d, *value);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    asm("" : "+v"(v.raw));
#endif
    return v;
}

HWY_INLINE V load_wide(const float* from) { return hn::LoadU(d, from); }
HWY_INLINE V load_wide(const hwy::float16_t* from) {
#if HWY_TARGET == HWY_SCALAR
    // Highway's own scalar conversion knows no infinity
    return hn::Set(d, half_bits_to_float(*reinterpret_cast<const std::uint16_t*>(from)));
#else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), from));
#endif
}

/// How rows of a right operand lie: row `i` of 0 to 3, counted from one whose number is a multiple
/// of 4, and vector `j` of it. Rows of bfloat16 lie in pairs, element by element, so that a word
/// holds the elements of two rows.
template <typename T>
struct RightRows {
    template <int i>
    static HWY_INLINE V load(const T* first, std::int64_t stride, int j) {
        return load_wide(first + i * stride + j * lanes);
    }
};
template <>
struct RightRows<hwy::bfloat16_t> {
    template <int i>
    static HWY_INLINE V load(const hwy::bfloat16_t* first, std::int64_t stride, int j) {
        const hn::Rebind<std::uint32_t, D> words;
        const auto pair = hn::LoadU(
            words, reinterpret_cast<const std::uint32_t*>(first) + i / 2 * stride + j * lanes);
        return hn::BitCast(
            d, i % 2 == 0 ? hn::ShiftLeft<16>(pair) : hn::And(pair, hn::Set(words, 0xffff0000u)));
    }
};

/// Row `i` of 0 to 3 from `b` on, and value `k` of A.
template <int i, int rows, int vectors, bool packed, typename T>
HWY_INLINE void step(V (&sum)[rows][vectors], const float* a, std::int64_t a_stride, const T* b,
                     std::int64_t b_stride) {
    V right[vectors];
#pragma GCC unroll 8
    for (int j = 0; j < vectors; ++j) right[j] = RightRows<T>::template load<i>(b, b_stride, j);
    a += i * (packed ? rows : 1);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
        const V left = broadcast(packed ? a + r : a + r * a_stride);
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) sum[r][j] = hn::MulAdd(left, right[j], sum[r][j]);
    }
}

template <int vectors, typename T>
HWY_INLINE void fetch(const T* b) {
#pragma GCC unroll 8
    for (int j = 0; j < vectors * lanes; j += 64 / static_cast<int>(sizeof(T)))
        __builtin_prefetch(b + j, 0, 3);
}

template <int rows, int vectors, bool is_partial>
HWY_INLINE void finish(const ProductTile& t, V (&sum)[rows][vectors]) {
    const V scale = hn::Set(d, t.scale);
    const std::int64_t left = t.columns - (vectors - 1) * lanes;  // columns of the last vector
    const auto load = [&](const float* from, int j) HWY_ATTR {
        return is_partial && j == vectors - 1 ? load_first(d, from, left) : hn::LoadU(d, from);
    };
    V bias[vectors];
#pragma GCC unroll 8
    for (int j = 0; j < vectors; ++j) bias[j] = t.bias ? load(t.bias + j * lanes, j) : hn::Zero(d);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) sum[i][j] = hn::MulAdd(sum[i][j], scale, bias[j]);
    if (t.row_bias) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            const V row_bias = hn::Set(d, t.row_bias[i]);
#pragma GCC unroll 8
            for (int j = 0; j < vectors; ++j) sum[i][j] = hn::Add(sum[i][j], row_bias);
        }
    }
    if (t.initial) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
            for (int j = 0; j < vectors; ++j)
                sum[i][j] =
                    hn::Add(sum[i][j], load(t.initial + i * t.initial_stride + j * lanes, j));
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) {
            float* to = t.c + i * t.c_stride + j * lanes;
            if (is_partial && j == vectors - 1) store_first(d, sum[i][j], to, left);
            else hn::StoreU(sum[i][j], d, to);
        }
}

/// `b`: t.b, or t.half_b in its format.
template <int rows, int vectors, bool packed, typename T>
HWY_INLINE void multiply_tile(const ProductTile& t, const T* b) {
    V sum[rows][vectors];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < vectors; ++j) sum[i][j] = hn::Zero(d);

    const float* a = t.a;
    const std::int64_t a_stride = t.a_stride, b_stride = packed ? vectors * lanes : t.b_stride,
                       ahead = t.ahead * b_stride;
    constexpr std::int64_t a_step = packed ? rows : 1;
    const char *first = t.fetch[0].from, *second = t.fetch[1].from;
    const std::int64_t first_line = t.fetch[0].line, second_line = t.fetch[1].line,
                       first_step = t.fetch[0].step, second_step = t.fetch[1].step;
    std::int64_t k = 0;
    // With one row the speed of memory limits the product, and the CPU's own prefetcher is faster
    // for one stream.
    if constexpr (rows == 1)
        for (; k + 4 <= t.inner; k += 4, a += 4 * a_step, b += 4 * b_stride) {
            step<0, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
            step<1, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
            step<2, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
            step<3, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
        }
    for (; k + 4 <= t.inner; k += 4) {
        fetch<vectors>(b + ahead);
        step<0, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
        fetch<vectors>(b + ahead + b_stride);
        step<1, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
        __builtin_prefetch(first, 0, 2);
        __builtin_prefetch(first + first_line, 0, 2);
        __builtin_prefetch(first + 2 * first_line, 0, 2);
        first += first_step;
        fetch<vectors>(b + ahead + 2 * b_stride);
        step<2, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
        fetch<vectors>(b + ahead + 3 * b_stride);
        step<3, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
        __builtin_prefetch(second, 0, 2);
        __builtin_prefetch(second + second_line, 0, 2);
        __builtin_prefetch(second + 2 * second_line, 0, 2);
        second += second_step;
        a += 4 * a_step;
        b += 4 * b_stride;
    }
    if (k < t.inner) step<0, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
    if (k + 1 < t.inner) step<1, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
    if (k + 2 < t.inner) step<2, rows, vectors, packed>(sum, a, a_stride, b, b_stride);
    if (t.columns == vectors * lanes) finish<rows, vectors, false>(t, sum);
    else finish<rows, vectors, true>(t, sum);
}

}  // namespace
}  // namespace lapidary::LAPIDARY_ISA
