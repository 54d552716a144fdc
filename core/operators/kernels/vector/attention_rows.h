// SPDX-License-Identifier: Apache-2.0
// Rows of keys and values as they lie in a cache, for attention.cpp only: of float, of float16 or
// bfloat16, or of bytes, where the float that the bytes of a row are multiplied with stands behind
// them.
#pragma once

#include <cstdint>

#include <hwy/highway.h>

#include <lapidary/tensor/float16.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;
constexpr std::int64_t lanes = hn::MaxLanes(d);

HWY_INLINE V load(const float* from) { return hn::LoadU(d, from); }
HWY_INLINE V load_some(const float* from, std::int64_t count) { return load_first(d, from, count); }

// Elements of float16 become float in registers; Highway's scalar conversion knows no overflow.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE V load(const std::uint16_t* from) { return hn::Set(d, half_bits_to_float(*from)); }
HWY_INLINE V load_some(const std::uint16_t* from, std::int64_t count) {
    return count > 0 ? load(from) : hn::Zero(d);
}
#else
const hn::Rebind<hwy::float16_t, decltype(d)> halves;

HWY_INLINE V load(const std::uint16_t* from) {
    return hn::PromoteTo(d, hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(from)));
}
HWY_INLINE V load_some(const std::uint16_t* from, std::int64_t count) {
    std::uint16_t some[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t i = 0; i < count; ++i) some[i] = from[i];
    return load(some);
}
#endif

/// An element of bfloat16: the upper half of a float.
struct BFloatBits {
    std::uint16_t bits;
};
const hn::Rebind<std::uint16_t, decltype(d)> upper_halves;
const hn::Rebind<std::uint32_t, decltype(d)> float_bits;

HWY_INLINE V load(const BFloatBits* from) {
    const auto upper = hn::LoadU(upper_halves, reinterpret_cast<const std::uint16_t*>(from));
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(float_bits, upper)));
}
HWY_INLINE V load_some(const BFloatBits* from, std::int64_t count) {
    BFloatBits some[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t i = 0; i < count; ++i) some[i] = from[i];
    return load(some);
}

const hn::Rebind<std::int8_t, decltype(d)> bytes;
const hn::Rebind<std::int32_t, decltype(d)> words;

HWY_INLINE V load(const std::int8_t* from) {
    return hn::ConvertTo(d, hn::PromoteTo(words, hn::LoadU(bytes, from)));
}
HWY_INLINE V load_some(const std::int8_t* from, std::int64_t count) {
    std::int8_t some[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t i = 0; i < count; ++i) some[i] = from[i];
    return load(some);
}

/// A product with the `size` elements of the row at `from`.
template <typename T>
HWY_INLINE float scaled(float product, const T*, std::int64_t) {
    return product;
}
HWY_INLINE float scaled(float product, const std::int8_t* from, std::int64_t size) {
    float scale;
    __builtin_memcpy(&scale, from + size, sizeof(scale));
    return product * scale;
}

/// Weights of `count` rows of values, of `size` elements, become those of their elements as stored.
template <typename T>
HWY_INLINE void scale_weights(float*, const T*, std::int64_t, std::int64_t, std::int64_t) {}
HWY_INLINE void scale_weights(float* p, const std::int8_t* v, std::int64_t stride,
                              std::int64_t size, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) p[j] = scaled(p[j], v + j * stride, size);
}

/// Rows of a cache that are wanted soon. The CPU's own prefetcher stops at the end of a page, and
/// rows of a head may lie a page apart.
struct RowsAhead {
    std::int64_t distance = 0;  // a multiple of 4
    std::int64_t end = 0;       // no row from there on is wanted; 0: none is

    /// For rows of `count` elements of `bytes` bytes, up to `end`.
    static HWY_INLINE RowsAhead of(std::int64_t count, std::int64_t bytes, std::int64_t end) {
        constexpr std::int64_t wanted_bytes = 8192;
        const std::int64_t rows = wanted_bytes / (count * bytes + 1) / 4 * 4;
        return {rows < 4 ? 4 : rows > 128 ? 128 : rows, end};
    }
};

/// Loads elements [0, count) of a row into the second-level cache.
template <typename T>
HWY_INLINE void prefetch(const T* row, std::int64_t count) {
    constexpr auto line = static_cast<std::int64_t>(64 / sizeof(T));
    for (std::int64_t i = 0; i < count; i += line) __builtin_prefetch(row + i, 0, 2);
}

/// Products of one query with `count` rows of keys.
template <typename T>
HWY_INLINE void row_scores(const float* q, const T* k, std::int64_t stride, std::int64_t size,
                           std::int64_t count, const RowsAhead& ahead, float* scores) {
    const std::int64_t full = size / lanes * lanes;
    const V last = full < size ? load_first(d, q + full, size - full) : hn::Zero(d);
    std::int64_t j = 0;
    for (; j + 4 <= count; j += 4) {
        const T* from = k + j * stride;
        if (j + ahead.distance < ahead.end)
            for (std::int64_t row = ahead.distance; row < ahead.distance + 4; ++row)
                prefetch(from + row * stride, size);
        V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
        for (std::int64_t i = 0; i < full; i += lanes) {
            const V x = hn::LoadU(d, q + i);
            s0 = hn::MulAdd(x, load(from + i), s0);
            s1 = hn::MulAdd(x, load(from + stride + i), s1);
            s2 = hn::MulAdd(x, load(from + 2 * stride + i), s2);
            s3 = hn::MulAdd(x, load(from + 3 * stride + i), s3);
        }
        if (full < size) {
            s0 = hn::MulAdd(last, load_some(from + full, size - full), s0);
            s1 = hn::MulAdd(last, load_some(from + stride + full, size - full), s1);
            s2 = hn::MulAdd(last, load_some(from + 2 * stride + full, size - full), s2);
            s3 = hn::MulAdd(last, load_some(from + 3 * stride + full, size - full), s3);
        }
        scores[j] = scaled(hn::GetLane(hn::SumOfLanes(d, s0)), from, size);
        scores[j + 1] = scaled(hn::GetLane(hn::SumOfLanes(d, s1)), from + stride, size);
        scores[j + 2] = scaled(hn::GetLane(hn::SumOfLanes(d, s2)), from + 2 * stride, size);
        scores[j + 3] = scaled(hn::GetLane(hn::SumOfLanes(d, s3)), from + 3 * stride, size);
    }
    for (; j < count; ++j) {
        const T* from = k + j * stride;
        V s = hn::Zero(d);
        for (std::int64_t i = 0; i < full; i += lanes)
            s = hn::MulAdd(hn::LoadU(d, q + i), load(from + i), s);
        if (full < size) s = hn::MulAdd(last, load_some(from + full, size - full), s);
        scores[j] = scaled(hn::GetLane(hn::SumOfLanes(d, s)), from, size);
    }
}

/// sums[vectors] += p[count] v[count][vectors], the last vector of `left` elements.
template <int vectors, typename T>
HWY_INLINE void weigh(const float* p, const T* v, std::int64_t stride, std::int64_t count,
                      const RowsAhead& ahead, float* sums, std::int64_t left, bool adds) {
    V a[vectors], b[vectors];
    for (int i = 0; i < vectors; ++i) {
        a[i] = adds ? hn::LoadU(d, sums + i * lanes) : hn::Zero(d);
        b[i] = hn::Zero(d);
    }
    const auto vector_of = [&](const T* from, int i) HWY_ATTR {
        return i + 1 < vectors || left >= lanes ? load(from + i * lanes)
                                                : load_some(from + i * lanes, left);
    };
    std::int64_t j = 0;
    for (; j + 2 <= count; j += 2) {
        if (j + ahead.distance < ahead.end)
            for (std::int64_t row = j + ahead.distance; row < j + ahead.distance + 2; ++row)
                prefetch(v + row * stride, vectors * lanes);
        const V x = hn::Set(d, p[j]), y = hn::Set(d, p[j + 1]);
#pragma GCC unroll 4
        for (int i = 0; i < vectors; ++i) {
            a[i] = hn::MulAdd(x, vector_of(v + j * stride, i), a[i]);
            b[i] = hn::MulAdd(y, vector_of(v + (j + 1) * stride, i), b[i]);
        }
    }
    if (j < count)
        for (int i = 0; i < vectors; ++i)
            a[i] = hn::MulAdd(hn::Set(d, p[j]), vector_of(v + j * stride, i), a[i]);
    for (int i = 0; i < vectors; ++i) hn::StoreU(hn::Add(a[i], b[i]), d, sums + i * lanes);
}

}  // namespace
}  // namespace lapidary::LAPIDARY_ISA
