// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/movement/reorder.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

void block_scalar(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t count,
                  float* to, std::int64_t block) {
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t lane = 0; lane < block; ++lane) {
            float value = 0;
            if (lane < rows) __builtin_memcpy(&value, from + lane * stride + i, sizeof value);
            to[i * block + lane] = value;
        }
}

void unblock_scalar(const float* from, std::int64_t rows, std::int64_t count, float* to,
                    std::int64_t stride, std::int64_t block) {
    for (std::int64_t lane = 0; lane < rows; ++lane)
        for (std::int64_t i = 0; i < count; ++i) to[lane * stride + i] = from[i * block + lane];
}

#if HWY_TARGET == HWY_SCALAR

template <int block_size>
void block_positions(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t count,
                     float* to) {
    block_scalar(from, stride, rows, count, to, block_size);
}

template <int block_size>
void unblock_positions(const float* from, std::int64_t rows, std::int64_t count, float* to,
                       std::int64_t stride) {
    unblock_scalar(from, rows, count, to, stride, block_size);
}

#else

/// A vector whose 128-bit part i is the four elements at p + i * step for i < rows / 4 of its
/// lanes' rows, else 0.
template <class D>
HWY_INLINE hn::Vec<D> load_parts(D d, const float* p, std::int64_t step, std::int64_t parts) {
    if constexpr (hn::MaxLanes(D()) == 4) {
        return parts > 0 ? hn::LoadU(d, p) : hn::Zero(d);
    } else {
        const hn::Half<D> half;
        constexpr std::int64_t lower = hn::MaxLanes(D()) / 8;
        return hn::Combine(d, load_parts(half, p + lower * step, step, parts - lower),
                           load_parts(half, p, step, parts));
    }
}

template <class D>
HWY_INLINE void store_parts(D d, hn::Vec<D> v, float* p, std::int64_t step, std::int64_t parts) {
    if constexpr (hn::MaxLanes(D()) == 4) {
        if (parts > 0) hn::StoreU(v, d, p);
    } else {
        const hn::Half<D> half;
        constexpr std::int64_t lower = hn::MaxLanes(D()) / 8;
        store_parts(half, hn::LowerHalf(half, v), p, step, parts);
        store_parts(half, hn::UpperHalf(half, v), p + lower * step, step, parts - lower);
    }
}

/// Transposes 4 x 4 within each 128-bit part.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose_parts(D d, V& a, V& b, V& c, V& e) {
    const V ac_low = hn::InterleaveLower(d, a, c), be_low = hn::InterleaveLower(d, b, e);
    const V ac_high = hn::InterleaveUpper(d, a, c), be_high = hn::InterleaveUpper(d, b, e);
    a = hn::InterleaveLower(d, ac_low, be_low);
    b = hn::InterleaveUpper(d, ac_low, be_low);
    c = hn::InterleaveLower(d, ac_high, be_high);
    e = hn::InterleaveUpper(d, ac_high, be_high);
}

#if HWY_TARGET == HWY_AVX3

/// Transposes 4 x 4 parts of 128 bits.
HWY_INLINE void transpose_whole(__m512& a, __m512& b, __m512& c, __m512& e) {
    const __m512 ab_low = _mm512_shuffle_f32x4(a, b, 0x44),
                 ab_high = _mm512_shuffle_f32x4(a, b, 0xee);
    const __m512 ce_low = _mm512_shuffle_f32x4(c, e, 0x44),
                 ce_high = _mm512_shuffle_f32x4(c, e, 0xee);
    a = _mm512_shuffle_f32x4(ab_low, ce_low, 0x88);
    b = _mm512_shuffle_f32x4(ab_low, ce_low, 0xdd);
    c = _mm512_shuffle_f32x4(ab_high, ce_high, 0x88);
    e = _mm512_shuffle_f32x4(ab_high, ce_high, 0xdd);
}

// elements, of each of 16 rows that the CPU does not follow all
constexpr std::int64_t lines_ahead = 64;

/// Transposes 16 rows of 16 elements, `stride` apart, to rows that are `to_stride` apart. Every
/// cache line is touched once: rows of images are often a multiple of 4 KB apart and evict each
/// other.
HWY_INLINE void transpose_16(const float* from, std::int64_t stride, float* to,
                             std::int64_t to_stride) {
    const hn::FixedTag<float, 16> d;
    __m512 v[16];
    HWY_UNROLL(16)
    for (int i = 0; i < 16; ++i) v[i] = _mm512_loadu_ps(from + i * stride);
    HWY_UNROLL(4)
    for (int i = 0; i < 16; i += 4) {
        hn::Vec<decltype(d)> a{v[i]}, b{v[i + 1]}, c{v[i + 2]}, e{v[i + 3]};
        transpose_parts(d, a, b, c, e);
        v[i] = a.raw;
        v[i + 1] = b.raw;
        v[i + 2] = c.raw;
        v[i + 3] = e.raw;
    }
    HWY_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
        transpose_whole(v[i], v[i + 4], v[i + 8], v[i + 12]);
        for (int part = 0; part < 4; ++part)
            _mm512_storeu_ps(to + (4 * part + i) * to_stride, v[i + 4 * part]);
    }
}

#endif

/// Four positions at a time: row k of each group of four channels becomes a vector, then 4 x 4
/// parts are transposed.
template <int block_size>
void block_positions(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t count,
                     float* to) {
    const hn::CappedTag<float, block_size> d;
    constexpr std::int64_t lanes = hn::MaxLanes(d);
    std::int64_t i = 0;
#if HWY_TARGET == HWY_AVX3
    if (block_size == 16 && rows == 16)
        for (; i + 16 <= count; i += 16) {
            for (int row = 0; row < 16; ++row)
                __builtin_prefetch(from + row * stride + i + lines_ahead);
            transpose_16(from + i, stride, to + i * 16, 16);
        }
#endif
    if (rows % 4 == 0)
        for (; i + 4 <= count; i += 4)
            for (std::int64_t first = 0; first < block_size; first += lanes) {
                const float* p = from + first * stride + i;
                const std::int64_t parts = (rows - first) / 4, step = 4 * stride;
                auto a = load_parts(d, p, step, parts), b = load_parts(d, p + stride, step, parts);
                auto c = load_parts(d, p + 2 * stride, step, parts),
                     e = load_parts(d, p + 3 * stride, step, parts);
                transpose_parts(d, a, b, c, e);
                float* y = to + i * block_size + first;
                hn::StoreU(a, d, y);
                hn::StoreU(b, d, y + block_size);
                hn::StoreU(c, d, y + 2 * block_size);
                hn::StoreU(e, d, y + 3 * block_size);
            }
    block_scalar(from + i, stride, rows, count - i, to + i * block_size, block_size);
}

template <int block_size>
void unblock_positions(const float* from, std::int64_t rows, std::int64_t count, float* to,
                       std::int64_t stride) {
    const hn::CappedTag<float, block_size> d;
    constexpr std::int64_t lanes = hn::MaxLanes(d);
    const std::int64_t whole = rows / 4 * 4;
    std::int64_t i = 0, done = 0;
#if HWY_TARGET == HWY_AVX3
    if (block_size == 16 && rows == 16)
        for (; i + 16 <= count; i += 16) {
            for (int row = 0; row < 16; ++row)
                __builtin_prefetch(to + row * stride + i + lines_ahead, 1);
            transpose_16(from + i * 16, 16, to + i, stride);
        }
    done = i;
#endif
    for (; i + 4 <= count; i += 4)
        for (std::int64_t first = 0; first < whole; first += lanes) {
            const float* x = from + i * block_size + first;
            auto a = hn::LoadU(d, x), b = hn::LoadU(d, x + block_size);
            auto c = hn::LoadU(d, x + 2 * block_size), e = hn::LoadU(d, x + 3 * block_size);
            transpose_parts(d, a, b, c, e);
            float* p = to + first * stride + i;
            const std::int64_t parts = (whole - first) / 4, step = 4 * stride;
            store_parts(d, a, p, step, parts);
            store_parts(d, b, p + stride, step, parts);
            store_parts(d, c, p + 2 * stride, step, parts);
            store_parts(d, e, p + 3 * stride, step, parts);
        }
    unblock_scalar(from + done * block_size + whole, rows - whole, i - done,
                   to + whole * stride + done, stride, block_size);
    unblock_scalar(from + i * block_size, rows, count - i, to + i, stride, block_size);
}

#endif

void block(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t count, float* to,
           std::int64_t block) {
    if (block == 16) block_positions<16>(from, stride, rows, count, to);
    else if (block == 8) block_positions<8>(from, stride, rows, count, to);
    else block_scalar(from, stride, rows, count, to, block);
}

void unblock(const float* from, std::int64_t rows, std::int64_t count, float* to,
             std::int64_t stride, std::int64_t block) {
    if (block == 16) unblock_positions<16>(from, rows, count, to, stride);
    else if (block == 8) unblock_positions<8>(from, rows, count, to, stride);
    else unblock_scalar(from, rows, count, to, stride, block);
}

template <int block_size>
void copy_blocks(const float* from, std::int64_t from_stride, std::int64_t count, float* to,
                 std::int64_t to_stride) {
    const hn::CappedTag<float, block_size> d;
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t lane = 0; lane < block_size;
             lane += static_cast<std::int64_t>(hn::Lanes(d)))
            hn::StoreU(hn::LoadU(d, from + i * from_stride + lane), d, to + i * to_stride + lane);
}

void block_last(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t count,
                float* to, std::int64_t block) {
    if (rows == 16 && block == 16) return copy_blocks<16>(from, stride, count, to, block);
    if (rows == 8 && block == 8) return copy_blocks<8>(from, stride, count, to, block);
    for (std::int64_t i = 0; i < count; ++i, from += stride, to += block)
        for (std::int64_t lane = 0; lane < block; ++lane)
            to[lane] = lane < rows ? from[lane] : 0.0f;
}

void unblock_last(const float* from, std::int64_t rows, std::int64_t count, float* to,
                  std::int64_t stride, std::int64_t block) {
    if (rows == 16 && block == 16) return copy_blocks<16>(from, block, count, to, stride);
    if (rows == 8 && block == 8) return copy_blocks<8>(from, block, count, to, stride);
    for (std::int64_t i = 0; i < count; ++i, from += block, to += stride)
        for (std::int64_t lane = 0; lane < rows; ++lane) to[lane] = from[lane];
}

}  // namespace

const ReorderKernels& reorder_kernels() {
    static constexpr ReorderKernels table{&block, &unblock, &block_last, &unblock_last};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
