// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/product/block_weight.h"

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
const hn::ScalableTag<std::int32_t> di;
const hn::ScalableTag<std::uint32_t> du;
using V = hn::Vec<hn::ScalableTag<float>>;
using Words = hn::Vec<hn::ScalableTag<std::uint32_t>>;
constexpr std::int64_t lanes = hn::MaxLanes(d);
constexpr int group_vectors = 4;
constexpr std::int64_t group = group_vectors * lanes;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3_ZEN4
constexpr int few_rows = 4, most_rows = 8;
#else
constexpr int few_rows = 2, most_rows = 4;
#endif

HWY_INLINE V broadcast(const float* value) {
    V v = hn::Set(d, *value);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    asm("" : "+v"(v.raw));  // an operand broadcast from memory would be loaded once per vector
#endif
    return v;
}

/// Value `place` of each word, times the power of two of the place but for the last one.
template <int bits, int place>
HWY_INLINE V value_of(Words words) {
    constexpr int last = 32 / bits - 1;
    if constexpr (place == last)
        return hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<last * bits>(words)));
    else
        return hn::ConvertTo(
            d, hn::BitCast(di, hn::And(words, hn::Set(du, ((1u << bits) - 1) << (place * bits)))));
}

/// The factor by which value_of() multiplies a value.
template <int bits>
constexpr float place_factor(int place) {
    return place == 32 / bits - 1 ? 1.0f : static_cast<float>(1u << (place * bits));
}

HWY_INLINE V zeros_of(const BlockWeightGroup& w, std::int64_t block, std::int64_t column) {
    if (w.byte_zeros)
        return hn::ConvertTo(d,
                             hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::uint8_t, decltype(di)>(),
                                                         w.byte_zeros + block * group + column)));
    return w.zeros ? hn::LoadU(d, w.zeros + block * group + column) : hn::Set(d, w.zero);
}

template <int bits, int place, int rows, int vectors>
HWY_INLINE void places(const Words (&words)[vectors], const float* a, std::int64_t a_stride,
                       V (&sum)[rows][vectors]) {
    V value[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) value[v] = value_of<bits, place>(words[v]);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
        const V left = broadcast(a + r * a_stride + place);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(left, value[v], sum[r][v]);
    }
    if constexpr (place + 1 < 32 / bits)
        places<bits, place + 1, rows, vectors>(words, a, a_stride, sum);
}

template <int bits, int rows, int vectors>
void multiply_tile(const BlockWeightTile& t) {
    constexpr std::int64_t per_word = 32 / bits, ahead = 16;
    const std::int64_t words_per_block = t.weight.block / per_word, column = t.first_vector * lanes;
    const std::uint32_t* from = t.weight.words + column;
    const float *scales = t.weight.scales + column, *a = t.a;
    V total[rows][vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) total[r][v] = hn::Zero(d);
    for (std::int64_t b = 0; b < t.weight.blocks; ++b, scales += group) {
        V sum[rows][vectors], zeros[vectors];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) zeros[v] = zeros_of(t.weight, b, column + v * lanes);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            const V less = hn::Set(d, -t.a_sums[r * t.a_sums_stride + b]);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) sum[r][v] = hn::Mul(less, zeros[v]);
        }
        for (std::int64_t w = 0; w < words_per_block; ++w, from += group, a += per_word) {
            Words words[vectors];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                words[v] = hn::LoadU(du, from + v * lanes);
                __builtin_prefetch(from + ahead * group + v * lanes, 0, 3);
            }
            places<bits, 0, rows, vectors>(words, a, t.a_stride, sum);
        }
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
            const V scale = hn::LoadU(d, scales + v * lanes);
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r) total[r][v] = hn::MulAdd(sum[r][v], scale, total[r][v]);
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
        const std::int64_t left = t.columns - v * lanes;
        if (left <= 0) return;
        const bool is_whole = left >= lanes;
        const V bias = !t.bias    ? hn::Zero(d)
                       : is_whole ? hn::LoadU(d, t.bias + v * lanes)
                                  : load_first(d, t.bias + v * lanes, left);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            float* to = t.c + r * t.c_stride + v * lanes;
            const V result = hn::Add(total[r][v], bias);
            if (is_whole) hn::StoreU(result, d, to);
            else store_first(d, result, to, left);
        }
    }
}

template <int bits>
void multiply_bits(const BlockWeightTile& t) {
    constexpr int half = group_vectors / 2;
    switch (t.rows) {
    case 1: return multiply_tile<bits, 1, group_vectors>(t);
    case 2: return multiply_tile<bits, 2, group_vectors>(t);
    case 3: return multiply_tile < bits, 3, few_rows >= 3 ? group_vectors : half > (t);
    case 4: return multiply_tile < bits, 4, few_rows >= 4 ? group_vectors : half > (t);
    case 5: return multiply_tile < bits, most_rows < 5 ? most_rows : 5, half > (t);
    case 6: return multiply_tile < bits, most_rows < 6 ? most_rows : 6, half > (t);
    case 7: return multiply_tile < bits, most_rows < 7 ? most_rows : 7, half > (t);
    default: return multiply_tile<bits, most_rows, half>(t);
    }
}

void multiply(const BlockWeightTile& t) {
    if (t.weight.bits == 4) multiply_bits<4>(t);
    else if (t.weight.bits == 8) multiply_bits<8>(t);
    else multiply_bits<2>(t);
}

void pack(const std::uint8_t* bytes, std::int64_t stride, std::int64_t words, std::int64_t columns,
          std::uint32_t* to) {
    constexpr std::int64_t step = 16;  // words of a column at a time: a cache line
    for (std::int64_t first = 0; first < words; first += step)
        for (std::int64_t n = 0; n < group; ++n)
            for (std::int64_t w = first; w < words && w < first + step; ++w) {
                std::uint32_t word = 0;
                if (n < columns) __builtin_memcpy(&word, bytes + n * stride + 4 * w, 4);
                to[w * group + n] = word;
            }
}

template <int bits>
void prepare_bits(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block,
                  float* to, float* sums) {
    constexpr int per_word = 32 / bits;
    float factors[per_word];
    for (int i = 0; i < per_word; ++i) factors[i] = 1 / place_factor<bits>(i);
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t begin = b * block, end = inner - begin < block ? inner : begin + block;
        float part[per_word] = {};
        std::int64_t k = begin;
        for (; k + per_word <= end; k += per_word)
            for (int i = 0; i < per_word; ++i) {
                to[k + i] = a[k + i] * factors[i];
                part[i] += a[k + i];
            }
        for (int i = 0; k < end; ++k, ++i) {
            to[k] = a[k] * factors[i];
            part[i] += a[k];
        }
        for (; k < begin + block; ++k) to[k] = 0;
        float sum = 0;
        for (int i = 0; i < per_word; ++i) sum += part[i];
        sums[b] = sum;
    }
}

void prepare(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block, int bits,
             float* to, float* sums) {
    if (bits == 4) prepare_bits<4>(a, inner, blocks, block, to, sums);
    else if (bits == 8) prepare_bits<8>(a, inner, blocks, block, to, sums);
    else prepare_bits<2>(a, inner, blocks, block, to, sums);
}

template <int bits, int place>
HWY_INLINE void unpack_places(Words words, V zero, V scale, std::int64_t count, float* to,
                              std::int64_t stride) {
    if (place >= count) return;
    // The product is exact, so that this rounds as a subtraction does.
    const V less =
        hn::MulSub(value_of<bits, place>(words), hn::Set(d, 1 / place_factor<bits>(place)), zero);
    hn::StoreU(hn::Mul(less, scale), d, to + place * stride);
    if constexpr (place + 1 < 32 / bits)
        unpack_places<bits, place + 1>(words, zero, scale, count, to, stride);
}

template <int bits>
void unpack_bits(const BlockWeightGroup& weight, int vector, std::int64_t first_k,
                 std::int64_t inner, float* to, std::int64_t stride) {
    constexpr std::int64_t per_word = 32 / bits;
    const std::int64_t column = vector * lanes, end = first_k + inner;
    const std::uint32_t* from = weight.words + first_k / per_word * group + column;
    for (std::int64_t k = first_k; k < end;) {
        const std::int64_t b = k / weight.block, next = (b + 1) * weight.block,
                           block_end = end < next ? end : next;
        const V zero = zeros_of(weight, b, column),
                scale = hn::LoadU(d, weight.scales + b * group + column);
        for (; k + per_word <= block_end; k += per_word, from += group, to += per_word * stride)
            unpack_places<bits, 0>(hn::LoadU(du, from), zero, scale, per_word, to, stride);
        if (k >= block_end) continue;
        unpack_places<bits, 0>(hn::LoadU(du, from), zero, scale, block_end - k, to, stride);
        return;
    }
}

void unpack(const BlockWeightGroup& weight, int vector, std::int64_t first_k, std::int64_t inner,
            float* to, std::int64_t stride) {
    if (weight.bits == 4) unpack_bits<4>(weight, vector, first_k, inner, to, stride);
    else if (weight.bits == 8) unpack_bits<8>(weight, vector, first_k, inner, to, stride);
    else unpack_bits<2>(weight, vector, first_k, inner, to, stride);
}

}  // namespace

const BlockWeightKernels& block_weight_kernels() {
    static constexpr BlockWeightKernels table{lanes, group,    few_rows,  most_rows,
                                              &pack, &prepare, &multiply, &unpack};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
