// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/byte_elements.h"

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_values.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

void range(const float* x, std::int64_t count, float* low, float* high) {
    Reals least = hn::Set(df, *low), most = hn::Set(df, *high);
    const auto widen = [](Reals v, Reals & l, Reals & h) __attribute__((always_inline)) {
        l = hn::IfThenElse(hn::Lt(v, l), v, l);
        h = hn::IfThenElse(hn::Gt(v, h), v, h);
    };
    Reals least2 = least, most2 = most;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        widen(hn::LoadU(df, x + i), least, most);
        widen(hn::LoadU(df, x + i + lanes), least2, most2);
    }
    widen(least2, least, most);
    widen(most2, least, most);
    for (; i + lanes <= count; i += lanes) widen(hn::LoadU(df, x + i), least, most);
    float lows[HWY_MAX_BYTES / 4], highs[HWY_MAX_BYTES / 4];
    hn::StoreU(least, df, lows);
    hn::StoreU(most, df, highs);
    for (std::int64_t n = 0; n < lanes; ++n) {
        *low = lows[n] < *low ? lows[n] : *low;
        *high = highs[n] > *high ? highs[n] : *high;
    }
    for (; i < count; ++i) {
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
    }
}

template <typename T>
void quantize_to(const float* x, std::int64_t count, ByteScale q, void* to) {
    ToBytes<T>(q).fill(
        count,
        static_cast<T*>(to), [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
            return load_some(df, x + i, left);
        });
}

void quantize(const float* x, std::int64_t count, ByteScale q, bool is_signed, void* to) {
    if (is_signed) quantize_to<std::int8_t>(x, count, q, to);
    else quantize_to<std::uint8_t>(x, count, q, to);
}

template <typename T>
void dequantize_from(const T* x, std::int64_t count, ByteScale q, float* to) {
    for (std::int64_t i = 0; i < count; i += lanes)
        store_some(df, real_of(x + i, count - i, q), to + i, count - i);
}

void dequantize(const void* x, std::int64_t count, ByteScale q, bool is_signed, float* to) {
    if (is_signed) dequantize_from(static_cast<const std::int8_t*>(x), count, q, to);
    else dequantize_from(static_cast<const std::uint8_t*>(x), count, q, to);
}

void look_up_plainly(const std::uint8_t* table, const std::uint8_t* in, std::int64_t count,
                     std::uint8_t* out) {
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const std::uint8_t a = table[in[i]], b = table[in[i + 1]], c = table[in[i + 2]],
                           e = table[in[i + 3]];
        out[i] = a;
        out[i + 1] = b;
        out[i + 2] = c;
        out[i + 3] = e;
    }
    for (; i < count; ++i) out[i] = table[in[i]];
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
/// A table of 256 bytes as sixteen of 16, each half of the bytes a chain: a shuffle gives 0 where
/// the highest bit of an index is set, so that of x - 16 * k those with k <= x / 16 count. Each but
/// the first of a half is stored as its difference (exclusive or) to the one before, and what
/// counts adds up to the table of x / 16.
class ByteTable {
    using D8 = hn::ScalableTag<std::uint8_t>;
    using Bytes = hn::Vec<D8>;
    static constexpr int chain = 8;

public:
    static constexpr auto step = static_cast<std::int64_t>(hn::MaxLanes(D8()));

    explicit ByteTable(const std::uint8_t* table) {
        for (int half = 0; half < 2; ++half)
            for (int i = 0; i < 128; ++i) {
                const int at = half * 128 + i;
                parts_[at] =
                    i < 16 ? table[at] : static_cast<std::uint8_t>(table[at] ^ table[at - 16]);
            }
    }
    HWY_INLINE Bytes operator()(Bytes x) const {
        const D8 d8;
        const Bytes sixteen = hn::Set(d8, std::uint8_t{16});
        Bytes index = hn::And(x, hn::Set(d8, std::uint8_t{127})), low = hn::Zero(d8), high = low;
#pragma GCC unroll 8
        for (int k = 0; k < chain; ++k) {
            low = hn::Xor(low, hn::TableLookupBytesOr0(hn::LoadDup128(d8, parts_ + 16 * k), index));
            high = hn::Xor(
                high, hn::TableLookupBytesOr0(hn::LoadDup128(d8, parts_ + 128 + 16 * k), index));
            index = hn::Sub(index, sixteen);
        }
        const hn::RebindToSigned<D8> s8;
        return hn::BitCast(d8, hn::IfNegativeThenElse(hn::BitCast(s8, x), hn::BitCast(s8, high),
                                                      hn::BitCast(s8, low)));
    }

private:
    HWY_ALIGN std::uint8_t parts_[256];
};

#if HWY_TARGET == HWY_AVX3 && defined(__AVX512VNNI__)
#define LAPIDARY_BYTE_PERMUTATIONS __attribute__((target("avx512vbmi")))
/// 64 at a time, each half of the table by one permutation of 128 bytes. Not every CPU with VNNI
/// has it.
LAPIDARY_BYTE_PERMUTATIONS void look_up_by_permutation(const std::uint8_t* table,
                                                       const std::uint8_t* in,
                                                       std::int64_t from_stride, std::int64_t width,
                                                       std::int64_t rows, std::uint8_t* out,
                                                       std::int64_t to_stride) {
    const __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 64),
                  c = _mm512_loadu_si512(table + 128), d = _mm512_loadu_si512(table + 192);
    for (std::int64_t row = 0; row < rows; ++row, in += from_stride, out += to_stride)
        for (std::int64_t i = 0; i < width; i += 64) {
            const __mmask64 there =
                width - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (width - i)) - 1;
            const __m512i x = _mm512_maskz_loadu_epi8(there, in + i);
            const __m512i low = _mm512_permutex2var_epi8(a, x, b),
                          high = _mm512_permutex2var_epi8(c, x, d);
            _mm512_mask_storeu_epi8(out + i, there,
                                    _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), low, high));
        }
}
#undef LAPIDARY_BYTE_PERMUTATIONS
#endif

void look_up_rows(const std::uint8_t* table, const void* from, std::int64_t from_stride,
                  std::int64_t width, std::int64_t rows, void* to, std::int64_t to_stride) {
    const auto* in = static_cast<const std::uint8_t*>(from);
    auto* out = static_cast<std::uint8_t*>(to);
#if HWY_TARGET == HWY_AVX3 && defined(__AVX512VNNI__)
    if (__builtin_cpu_supports("avx512vbmi"))
        return look_up_by_permutation(table, in, from_stride, width, rows, out, to_stride);
#endif
    // bytes; fewer are looked up sooner than the table is taken apart
    constexpr std::int64_t worthwhile = 512;
    if (width * rows < worthwhile) {
        for (std::int64_t row = 0; row < rows; ++row)
            look_up_plainly(table, in + row * from_stride, width, out + row * to_stride);
        return;
    }
    const hn::ScalableTag<std::uint8_t> d8;
    const ByteTable parts(table);
    for (std::int64_t row = 0; row < rows; ++row, in += from_stride, out += to_stride) {
        std::int64_t i = 0;
        for (; i + ByteTable::step <= width; i += ByteTable::step)
            hn::StoreU(parts(hn::LoadU(d8, in + i)), d8, out + i);
        const std::int64_t left = width - i;
#if HWY_TARGET == HWY_AVX3
        if (left > 0) store_first(d8, parts(load_first(d8, in + i, left)), out + i, left);
#else
        const hn::CappedTag<std::uint8_t, 16> d16;
        if (left >= 16) {
            std::uint8_t part[ByteTable::step] = {};
            hn::StoreU(hn::LoadU(d16, in + i), d16, part);
            hn::StoreU(parts(hn::LoadU(d8, part)), d8, part);
            hn::StoreU(hn::LoadU(d16, part), d16, out + i);
            i += 16;
        }
        look_up_plainly(table, in + i, width - i, out + i);
#endif
    }
}
#else
void look_up_rows(const std::uint8_t* table, const void* from, std::int64_t from_stride,
                  std::int64_t width, std::int64_t rows, void* to, std::int64_t to_stride) {
    for (std::int64_t row = 0; row < rows; ++row)
        look_up_plainly(table, static_cast<const std::uint8_t*>(from) + row * from_stride, width,
                        static_cast<std::uint8_t*>(to) + row * to_stride);
}
#endif

void look_up(const std::uint8_t* table, const void* from, std::int64_t count, void* to) {
    look_up_rows(table, from, 0, count, 1, to, 0);
}

template <typename T, bool is_product>
void combine(const void* a, int a_step, ByteScale a_scale, const void* b, int b_step,
             ByteScale b_scale, std::int64_t count, ByteScale y_scale, void* to) {
    const auto of_one = [](const void* x, ByteScale q) {
        return static_cast<float>(*static_cast<const T*>(x) - q.zero_point) * q.scale;
    };
    const Reals a_only = hn::Set(df, count > 0 ? of_one(a, a_scale) : 0),
                b_only = hn::Set(df, count > 0 ? of_one(b, b_scale) : 0);
    ToBytes<T>(y_scale).fill(
        count,
        static_cast<T*>(to), [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
            const Reals l = a_step ? real_of(static_cast<const T*>(a) + i, left, a_scale) : a_only;
            const Reals r = b_step ? real_of(static_cast<const T*>(b) + i, left, b_scale) : b_only;
            return is_product ? hn::Mul(l, r) : hn::Add(l, r);
        });
}

template <bool is_product>
void combine(const void* a, int a_step, ByteScale a_scale, const void* b, int b_step,
             ByteScale b_scale, std::int64_t count, ByteScale y_scale, bool is_signed, void* to) {
    if (is_signed)
        combine<std::int8_t, is_product>(a, a_step, a_scale, b, b_step, b_scale, count, y_scale,
                                         to);
    else
        combine<std::uint8_t, is_product>(a, a_step, a_scale, b, b_step, b_scale, count, y_scale,
                                          to);
}

}  // namespace

const ByteElementKernels& byte_element_kernels() {
    static constexpr ByteElementKernels table{
        &range, &quantize, &dequantize, &look_up, &look_up_rows, &combine<false>, &combine<true>};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
