// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/block_weight_dot.h"

#include <float.h>

#include "kernels/vector/integer/byte_finish.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

constexpr std::int64_t lanes = hn::MaxLanes(df);
constexpr int group_vectors = 4;
constexpr std::int64_t group = group_vectors * lanes;
#if HWY_TARGET == HWY_AVX3
constexpr int few_rows = 3, most_rows = 6;
#else
constexpr int few_rows = 1, most_rows = 2;
#endif

// ---- sums of products of a vector of words, `bits` per weight, with the 4 or 8 bytes of a row
// that belong to them: byte i of the p-th four is value i * (8 / bits) + p of the word

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
#if HWY_TARGET == HWY_AVX3
using Register = __m512i;
HWY_INLINE Register low_halves(Register words) {
    return _mm512_and_si512(words, _mm512_set1_epi8(15));
}
HWY_INLINE Register high_halves(Register words) { return low_halves(_mm512_srli_epi16(words, 4)); }
#else
using Register = __m256i;
HWY_INLINE Register low_halves(Register words) {
    return _mm256_and_si256(words, _mm256_set1_epi8(15));
}
HWY_INLINE Register high_halves(Register words) { return low_halves(_mm256_srli_epi16(words, 4)); }
#endif
HWY_INLINE Register broadcast(const std::int8_t* four) {
    std::int32_t word;
    __builtin_memcpy(&word, four, 4);
    return hn::Set(d32, word).raw;
}
template <int bits>
struct Row {
    explicit HWY_INLINE Row(const std::int8_t* a)
        : first(broadcast(a)), second(bits == 4 ? broadcast(a + 4) : first) {}
    Register first, second;
};
#if defined(__AVX512VNNI__)
template <int bits>
struct Weights {
    explicit HWY_INLINE Weights(const std::uint32_t* words)
        : low(_mm512_loadu_si512(words)), high(low) {
        if constexpr (bits == 4) high = high_halves(low), low = low_halves(low);
    }
    HWY_INLINE Sums add(Sums sums, const Row<bits>& row) const {
        const Sums first{_mm512_dpbusd_epi32(sums.raw, low, row.first)};
        return bits == 4 ? Sums{_mm512_dpbusd_epi32(first.raw, high, row.second)} : first;
    }
    Register low, high;
};
#else
// Pairs of products with four bits each stay within 16 bits, two such pairs as well.
#if HWY_TARGET == HWY_AVX3
HWY_INLINE Register pairs(Register weights, Register a) { return _mm512_maddubs_epi16(weights, a); }
HWY_INLINE Register times(Register pairs, short factor) {
    return _mm512_madd_epi16(pairs, _mm512_set1_epi16(factor));
}
HWY_INLINE Register add16(Register a, Register b) { return _mm512_add_epi16(a, b); }
#else
HWY_INLINE Register pairs(Register weights, Register a) { return _mm256_maddubs_epi16(weights, a); }
HWY_INLINE Register times(Register pairs, short factor) {
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(factor));
}
HWY_INLINE Register add16(Register a, Register b) { return _mm256_add_epi16(a, b); }
#endif
template <int bits>
struct Weights {
    explicit HWY_INLINE Weights(const std::uint32_t* words) {
        const Register all = hn::LoadU(hn::ScalableTag<std::uint32_t>(), words).raw;
        low = low_halves(all);
        high = high_halves(all);
    }
    HWY_INLINE Sums add(Sums sums, const Row<bits>& row) const {
        const Register first = pairs(low, row.first), second = pairs(high, row.second);
        if constexpr (bits == 4) return hn::Add(sums, Sums{times(add16(first, second), 1)});
        else return hn::Add(sums, hn::Add(Sums{times(first, 1)}, Sums{times(second, 16)}));
    }
    Register low, high;
};
#endif
#else
template <int bits>
struct Row {
    explicit HWY_INLINE Row(const std::int8_t* from) : a(from) {}
    const std::int8_t* a;
};
template <int bits>
struct Weights {
    explicit HWY_INLINE Weights(const std::uint32_t* from) : words(hn::LoadU(du, from)) {}
    HWY_INLINE Sums add(Sums sums, const Row<bits>& row) const {
        for (int byte = 0; byte < 4; ++byte)
            for (int place = 0; place < 8 / bits; ++place) {
                const auto weight = hn::And(hn::ShiftRightSame(words, 8 * byte + bits * place),
                                            hn::Set(du, (1u << bits) - 1));
                sums = hn::Add(
                    sums, hn::Mul(hn::BitCast(d32, weight), hn::Set(d32, row.a[4 * place + byte])));
            }
        return sums;
    }
    static constexpr hn::ScalableTag<std::uint32_t> du{};
    hn::Vec<hn::ScalableTag<std::uint32_t>> words;
};
#endif

HWY_INLINE Reals zeros_of(const BlockWeightGroup& w, std::int64_t block, std::int64_t column) {
    if (w.byte_zeros)
        return hn::ConvertTo(df,
                             hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, D32>(),
                                                          w.byte_zeros + block * group + column)));
    return w.zeros ? hn::LoadU(df, w.zeros + block * group + column) : hn::Set(df, w.zero);
}

template <int bits, int rows, int vectors>
void multiply_tile(const BlockDotTile& t) {
    constexpr std::int64_t ahead = 16, row_bytes = 32 / bits;
    // The sums of one row alone would wait for themselves.
    constexpr int splits = rows == 1 ? 2 : 1;
    const std::int64_t words_per_block = t.weight.block * bits / 32,
                       column = t.first_vector * lanes;
    const std::uint32_t* from = t.weight.words + column;
    const float* scales = t.weight.scales + column;
    const std::int8_t* a = t.a;
    Reals total[rows][vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) total[r][v] = hn::Zero(df);
    for (std::int64_t b = 0; b < t.weight.blocks; ++b, scales += group) {
        Sums sum[splits][rows][vectors];
#pragma GCC unroll 2
        for (int s = 0; s < splits; ++s)
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v) sum[s][r][v] = hn::Zero(d32);
        const auto step = [&](int s) __attribute__((always_inline)) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                const Weights<bits> weights(from + v * lanes);
                __builtin_prefetch(from + ahead * group + v * lanes, 0, 3);
#pragma GCC unroll 8
                for (int r = 0; r < rows; ++r)
                    sum[s][r][v] = weights.add(sum[s][r][v], Row<bits>(a + r * t.a_stride));
            }
            from += group;
            a += row_bytes;
        };
        std::int64_t w = 0;
        for (; w + splits <= words_per_block; w += splits) {
#pragma GCC unroll 2
            for (int s = 0; s < splits; ++s) step(s);
        }
        if constexpr (splits > 1)
            if (w < words_per_block) step(0);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
            const Reals scale = hn::LoadU(df, scales + v * lanes),
                        zeros = zeros_of(t.weight, b, column + v * lanes);
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r) {
                Sums all = sum[0][r][v];
                if constexpr (splits > 1) all = hn::Add(all, sum[1][r][v]);
                const std::int64_t at = r * t.a_block_stride + b;
                const Reals exact =
                    hn::NegMulAdd(hn::Set(df, t.a_sums[at]), zeros, hn::ConvertTo(df, all));
                total[r][v] =
                    hn::MulAdd(exact, hn::Mul(scale, hn::Set(df, t.a_scales[at])), total[r][v]);
            }
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
        const std::int64_t left = t.columns - v * lanes;
        if (left <= 0) return;
        const Reals bias = t.bias ? load_some(df, t.bias + v * lanes, left) : hn::Zero(df);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r)
            store_some(df, hn::Add(total[r][v], bias), t.c + r * t.c_stride + v * lanes, left);
    }
}

template <int bits>
void multiply_bits(const BlockDotTile& t) {
    constexpr int half = group_vectors / 2;
    switch (t.rows) {
    case 1: return multiply_tile<bits, 1, group_vectors>(t);
    case 2: return multiply_tile < bits, 2, few_rows >= 2 ? group_vectors : half > (t);
    case 3:
        return multiply_tile < bits, most_rows < 3 ? most_rows : 3,
               few_rows >= 3 ? group_vectors : half > (t);
    case 4: return multiply_tile < bits, most_rows < 4 ? most_rows : 4, half > (t);
    case 5: return multiply_tile < bits, most_rows < 5 ? most_rows : 5, half > (t);
    default: return multiply_tile<bits, most_rows, half>(t);
    }
}

void multiply(const BlockDotTile& t) {
    t.weight.bits == 4 ? multiply_bits<4>(t) : multiply_bits<8>(t);
}

/// Largest magnitude of x[0, count); infinity or NaN when it holds such.
HWY_INLINE float magnitude(const float* x, std::int64_t count) {
    const hn::ScalableTag<std::uint32_t> du;
    auto most = hn::Zero(du);  // the bits of magnitudes are ordered as they are, NaN above all
    for (std::int64_t i = 0; i < count; i += lanes)
        most = hn::Max(most, hn::BitCast(du, hn::Abs(load_some(df, x + i, count - i))));
    const std::uint32_t largest = hn::GetLane(hn::MaxOfLanes(du, most));
    float value;
    __builtin_memcpy(&value, &largest, 4);
    return value;
}

/// Bytes 0, 2, 4 and 6 of a word, side by side.
HWY_INLINE std::uint64_t even_bytes(std::uint64_t word) {
    word &= 0x00ff00ff00ff00ff;
    word = (word | word >> 8) & 0x0000ffff0000ffff;
    return (word | word >> 16) & 0xffffffff;
}

/// Eight bytes b0 to b7 as b0 b2 b4 b6 b1 b3 b5 b7, on a CPU whose words begin with the low byte.
HWY_INLINE void deal(const std::int8_t* from, std::int8_t* to) {
    std::uint64_t word;
    __builtin_memcpy(&word, from, 8);
    word = even_bytes(word) | even_bytes(word >> 8) << 32;
    __builtin_memcpy(to, &word, 8);
}

/// `size` bytes of a block, a multiple of 4, in the order of words of `bits` bits.
HWY_INLINE void place_bytes(const std::int8_t* from, std::int64_t size, int bits, std::int8_t* to) {
    if (bits == 4)
        for (std::int64_t i = 0; i < size; i += 8) deal(from + i, to + i);
    else __builtin_memcpy(to, from, static_cast<std::size_t>(size));
}

HWY_INLINE float total_of(Sums sums) {
    return static_cast<float>(hn::GetLane(hn::SumOfLanes(d32, sums)));
}

void prepare(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block, int bits,
             std::int8_t* to, float* scales, float* sums) {
    constexpr std::int64_t piece = 64;
    const hn::Rebind<std::int8_t, D32> d8;
    for (std::int64_t b = 0; b < blocks; ++b, to += block) {
        const float* x = a + b * block;
        const std::int64_t count = inner - b * block < block ? inner - b * block : block;
        const float most = magnitude(x, count);
        const bool is_finite = most <= FLT_MAX;
        // whose reciprocal might be none
        const float step = is_finite ? most / 127.0f : 0, scale = step < FLT_MIN ? 0 : step;
        const float factor = scale == 0 ? 0 : 127.0f / most;
        Sums sum = hn::Zero(d32);
        for (std::int64_t first = 0; first < block; first += piece) {
            const std::int64_t size = block - first < piece ? block - first : piece;
            std::int8_t part[piece + lanes] = {};
            for (std::int64_t i = 0; is_finite && i < size && first + i < count; i += lanes) {
                const Sums whole = hn::NearestInt(
                    hn::Mul(load_some(df, x + first + i, count - first - i), hn::Set(df, factor)));
                sum = hn::Add(sum, whole);
                hn::StoreU(hn::DemoteTo(d8, whole), d8, part + i);
            }
            place_bytes(part, size, bits, to + first);
        }
        sums[b] = total_of(sum);
        scales[b] = is_finite ? scale : __builtin_nanf("");
    }
}

constexpr int digits = BlockDotKernels::digits;

/// The lowest digit of each number, from -128 to 127; the number becomes what is left.
HWY_INLINE Sums take_digit(Sums& number) {
    const Sums digit = hn::ShiftRight<24>(hn::ShiftLeft<24>(number));
    number = hn::ShiftRight<8>(hn::Sub(number, digit));
    return digit;
}

/// `size` values of a block times `factor` as digits, `stride` bytes from one to the next; adds
/// the digits up in `sums`.
HWY_INLINE void write_digits(const float* x, std::int64_t count, std::int64_t size, float factor,
                             int bits, std::int8_t* to, std::int64_t stride, Sums* sums) {
    constexpr std::int64_t piece = 64;
    const hn::Rebind<std::int8_t, D32> d8;
    std::int8_t parts[digits][piece + lanes] = {};
    for (std::int64_t i = 0; i < size && i < count; i += lanes) {
        Sums number = hn::NearestInt(hn::Mul(load_some(df, x + i, count - i), hn::Set(df, factor)));
#pragma GCC unroll 4
        for (int digit = digits - 1; digit >= 0; --digit) {
            const Sums value = digit > 0 ? take_digit(number) : number;
            sums[digit] = hn::Add(sums[digit], value);
            hn::StoreU(hn::DemoteTo(d8, value), d8, parts[digit] + i);
        }
    }
    for (int digit = 0; digit < digits; ++digit)
        place_bytes(parts[digit], size, bits, to + digit * stride);
}

bool prepare_digits(const float* a, std::int64_t inner, std::int64_t blocks, std::int64_t block,
                    int bits, std::int8_t* to, float* scales, float* sums) {
    constexpr std::int64_t piece = 64;
    // The largest number whose digits are bytes is 0x7f7f7f; products may round up to a little more
    // than `whole`.
    constexpr float whole = 0x7f7f00, least = 1e-25f, largest = 1e30f;
    const std::int64_t stride = blocks * block;
    for (std::int64_t b = 0; b < blocks; ++b) {
        const float* x = a + b * block;
        const std::int64_t count = inner - b * block < block ? inner - b * block : block;
        const float most = magnitude(x, count);
        if (most != 0 && !(most >= least && most <= largest)) return false;
        const float factor = most == 0 ? 0 : whole / most;
        Sums sum[digits];
        for (int digit = 0; digit < digits; ++digit) sum[digit] = hn::Zero(d32);
        for (std::int64_t first = 0; first < block; first += piece)
            write_digits(x + first, count - first, block - first < piece ? block - first : piece,
                         factor, bits, to + b * block + first, stride, sum);
        float scale = most / whole;
        for (int digit = digits - 1; digit >= 0; --digit, scale *= 256) {
            scales[digit * blocks + b] = scale;
            sums[digit * blocks + b] = total_of(sum[digit]);
        }
    }
    return true;
}

#if defined(__AVX512VNNI__)
constexpr bool digits_are_fast = true;
static_assert(few_rows >= digits);
#else
constexpr bool digits_are_fast = false;
#endif

}  // namespace

const BlockDotKernels& block_dot_kernels() {
    static constexpr BlockDotKernels table{lanes,    group,           few_rows,  most_rows,
                                           &prepare, &prepare_digits, &multiply, digits_are_fast};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
