// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/byte_transpose.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
HWY_INLINE void plain(const T* from, std::int64_t row, std::int64_t row_end, std::int64_t column,
                      std::int64_t column_end, std::int64_t from_stride, T* to,
                      std::int64_t to_stride) {
    for (std::int64_t c = column; c < column_end; ++c)
        for (std::int64_t r = row; r < row_end; ++r)
            to[c * to_stride + r] = from[r * from_stride + c];
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
/// 16 x 16 bytes by four rounds of interleaving.
HWY_INLINE void square(const std::uint8_t* from, std::int64_t from_stride, std::uint8_t* to,
                       std::int64_t to_stride) {
    __m128i a[16], b[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * from_stride));
    const auto round = [](const __m128i* in, __m128i* out) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
            out[2 * i] = _mm_unpacklo_epi8(in[i], in[i + 8]);
            out[2 * i + 1] = _mm_unpackhi_epi8(in[i], in[i + 8]);
        }
    };
    round(a, b);
    round(b, a);
    round(a, b);
    round(b, a);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * to_stride), a[i]);
}
constexpr std::int64_t byte_side = 16;

/// 8 x 8 words.
HWY_INLINE void square(const std::uint32_t* from, std::int64_t from_stride, std::uint32_t* to,
                       std::int64_t to_stride) {
    __m256i a[8], b[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
        a[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i * from_stride));
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        b[2 * i] = _mm256_unpacklo_epi32(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm256_unpackhi_epi32(a[2 * i], a[2 * i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
        a[4 * i] = _mm256_unpacklo_epi64(b[4 * i], b[4 * i + 2]);
        a[4 * i + 1] = _mm256_unpackhi_epi64(b[4 * i], b[4 * i + 2]);
        a[4 * i + 2] = _mm256_unpacklo_epi64(b[4 * i + 1], b[4 * i + 3]);
        a[4 * i + 3] = _mm256_unpackhi_epi64(b[4 * i + 1], b[4 * i + 3]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i * to_stride),
                            _mm256_permute2x128_si256(a[i], a[i + 4], 0x20));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (i + 4) * to_stride),
                            _mm256_permute2x128_si256(a[i], a[i + 4], 0x31));
    }
}
constexpr std::int64_t word_side = 8;
#else
constexpr std::int64_t byte_side = 8, word_side = 8;
template <typename T>
HWY_INLINE void square(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) {
    plain(from, 0, 8, 0, 8, from_stride, to, to_stride);
}
#endif

template <typename T, std::int64_t side>
HWY_INLINE void transpose(const T* from, std::int64_t rows, std::int64_t columns,
                          std::int64_t from_stride, T* to, std::int64_t to_stride) {
    std::int64_t c = 0;
    const std::int64_t whole_rows = rows / side * side;
    for (; c + side <= columns; c += side)
        for (std::int64_t r = 0; r < whole_rows; r += side)
            square(from + r * from_stride + c, from_stride, to + c * to_stride + r, to_stride);
    plain(from, whole_rows, rows, std::int64_t{0}, c, from_stride, to, to_stride);
    plain(from, std::int64_t{0}, rows, c, columns, from_stride, to, to_stride);
}

void bytes(const std::uint8_t* from, std::int64_t rows, std::int64_t columns,
           std::int64_t from_stride, std::uint8_t* to, std::int64_t to_stride) {
    transpose<std::uint8_t, byte_side>(from, rows, columns, from_stride, to, to_stride);
}

void words(const std::uint32_t* from, std::int64_t rows, std::int64_t columns,
           std::int64_t from_stride, std::uint32_t* to, std::int64_t to_stride) {
    transpose<std::uint32_t, word_side>(from, rows, columns, from_stride, to, to_stride);
}

}  // namespace

const ByteTransposeKernels& byte_transpose_kernels() {
    static constexpr ByteTransposeKernels table{&bytes, &words};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
