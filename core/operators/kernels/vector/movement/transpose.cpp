// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/movement/transpose.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

struct Wide {
    std::uint64_t low, high;
};

template <typename T>
void plain(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride,
           std::int64_t rows, std::int64_t columns) {
    if (rows >= columns) {
        for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t r = 0; r < rows; ++r)
                to[c * to_stride + r] = from[r * from_stride + c];
    } else {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                to[c * to_stride + r] = from[r * from_stride + c];
    }
}

#if HWY_TARGET != HWY_SCALAR
/// `count` groups of n elements each, side by side, to n rows `to_stride` apart. Returns how many
/// groups are done: whole vectors.
template <int n, typename T>
HWY_INLINE std::int64_t split_groups(const T* from, T* to, std::int64_t to_stride,
                                     std::int64_t count) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    hn::Vec<decltype(d)> a, b, c, e;
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        if constexpr (n == 2) hn::LoadInterleaved2(d, from + n * i, a, b);
        else if constexpr (n == 3) hn::LoadInterleaved3(d, from + n * i, a, b, c);
        else hn::LoadInterleaved4(d, from + n * i, a, b, c, e);
        hn::StoreU(a, d, to + i);
        hn::StoreU(b, d, to + to_stride + i);
        if constexpr (n > 2) hn::StoreU(c, d, to + 2 * to_stride + i);
        if constexpr (n > 3) hn::StoreU(e, d, to + 3 * to_stride + i);
    }
    return i;
}

/// The other way: n rows `from_stride` apart to groups of n elements.
template <int n, typename T>
HWY_INLINE std::int64_t join_groups(const T* from, std::int64_t from_stride, T* to,
                                    std::int64_t count) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto row = [&](std::int64_t r, std::int64_t i)
                         HWY_ATTR { return hn::LoadU(d, from + r * from_stride + i); };
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        if constexpr (n == 2) hn::StoreInterleaved2(row(0, i), row(1, i), d, to + n * i);
        else if constexpr (n == 3)
            hn::StoreInterleaved3(row(0, i), row(1, i), row(2, i), d, to + n * i);
        else hn::StoreInterleaved4(row(0, i), row(1, i), row(2, i), row(3, i), d, to + n * i);
    }
    return i;
}

/// A square of the elements of one 128-bit vector: interleaving row i with row i + n/2 log2(n)
/// times transposes it.
template <typename T>
struct Square {
    static constexpr std::int64_t side = 16 / sizeof(T);
    static HWY_INLINE void run(const T* from, std::int64_t from_stride, T* to,
                               std::int64_t to_stride) {
        const hn::FixedTag<T, side> d;
        using V = hn::Vec<decltype(d)>;
        V x[side], y[side];
        for (int i = 0; i < side; ++i) x[i] = hn::LoadU(d, from + i * from_stride);
        for (int n = 1; n < side; n *= 2) {
            for (int i = 0; i < side / 2; ++i) {
                y[2 * i] = hn::InterleaveLower(d, x[i], x[i + side / 2]);
                y[2 * i + 1] = hn::InterleaveUpper(d, x[i], x[i + side / 2]);
            }
            for (int i = 0; i < side; ++i) x[i] = y[i];
        }
        for (int i = 0; i < side; ++i) hn::StoreU(x[i], d, to + i * to_stride);
    }
};

#if HWY_TARGET <= HWY_AVX2
/// Each 128-bit block holds a transposed 4 x 4; then the blocks change places.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose_blocks(D d, const V r0, const V r1, const V r2, const V r3, V* column) {
    const hn::Repartition<std::uint64_t, D> pairs;
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1)),
               high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3)),
               high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
    column[0] = hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23));
    column[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23));
    column[2] = hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23));
    column[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23));
}

template <>
struct Square<std::uint32_t> {
#if HWY_TARGET <= HWY_AVX3
    static constexpr std::int64_t side = 16;
#else
    static constexpr std::int64_t side = 8;
#endif
    static HWY_INLINE void run(const std::uint32_t* from, std::int64_t from_stride,
                               std::uint32_t* to, std::int64_t to_stride) {
        const hn::FixedTag<std::uint32_t, side> d;
        using V = hn::Vec<decltype(d)>;
        V u[side / 4][4];
        for (int g = 0; g < side / 4; ++g) {
            const auto row = [&](int i) HWY_ATTR {
                return hn::LoadU(d, from + (4 * g + i) * from_stride);
            };
            transpose_blocks(d, row(0), row(1), row(2), row(3), u[g]);
        }
        for (int j = 0; j < 4; ++j) {
#if HWY_TARGET <= HWY_AVX3
            const __m512i low01 = _mm512_shuffle_i32x4(u[0][j].raw, u[1][j].raw, 0x44),
                          high01 = _mm512_shuffle_i32x4(u[0][j].raw, u[1][j].raw, 0xEE);
            const __m512i low23 = _mm512_shuffle_i32x4(u[2][j].raw, u[3][j].raw, 0x44),
                          high23 = _mm512_shuffle_i32x4(u[2][j].raw, u[3][j].raw, 0xEE);
            hn::StoreU(V{_mm512_shuffle_i32x4(low01, low23, 0x88)}, d, to + j * to_stride);
            hn::StoreU(V{_mm512_shuffle_i32x4(low01, low23, 0xDD)}, d, to + (4 + j) * to_stride);
            hn::StoreU(V{_mm512_shuffle_i32x4(high01, high23, 0x88)}, d, to + (8 + j) * to_stride);
            hn::StoreU(V{_mm512_shuffle_i32x4(high01, high23, 0xDD)}, d, to + (12 + j) * to_stride);
#else
            hn::StoreU(hn::ConcatLowerLower(d, u[1][j], u[0][j]), d, to + j * to_stride);
            hn::StoreU(hn::ConcatUpperUpper(d, u[1][j], u[0][j]), d, to + (4 + j) * to_stride);
#endif
        }
    }
};
#endif

template <typename T>
void matrix(const void* from_pointer, std::int64_t from_stride, void* to_pointer,
            std::int64_t to_stride, std::int64_t rows, std::int64_t columns) {
    const T* from = static_cast<const T*>(from_pointer);
    T* to = static_cast<T*>(to_pointer);
    if (columns == from_stride && columns >= 2 && columns <= 4) {
        const std::int64_t done = columns == 2   ? split_groups<2>(from, to, to_stride, rows)
                                  : columns == 3 ? split_groups<3>(from, to, to_stride, rows)
                                                 : split_groups<4>(from, to, to_stride, rows);
        return plain(from + done * from_stride, from_stride, to + done, to_stride, rows - done,
                     columns);
    }
    if (rows == to_stride && rows >= 2 && rows <= 4) {
        const std::int64_t done = rows == 2   ? join_groups<2>(from, from_stride, to, columns)
                                  : rows == 3 ? join_groups<3>(from, from_stride, to, columns)
                                              : join_groups<4>(from, from_stride, to, columns);
        return plain(from + done, from_stride, to + done * to_stride, to_stride, rows,
                     columns - done);
    }
    constexpr std::int64_t side = Square<T>::side;
    const std::int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;
    for (std::int64_t c = 0; c < whole_columns; c += side)
        for (std::int64_t r = 0; r < whole_rows; r += side)
            Square<T>::run(from + r * from_stride + c, from_stride, to + c * to_stride + r,
                           to_stride);
    if (whole_rows < rows && whole_columns > 0)
        plain(from + whole_rows * from_stride, from_stride, to + whole_rows, to_stride,
              rows - whole_rows, whole_columns);
    if (whole_columns < columns)
        plain(from + whole_columns, from_stride, to + whole_columns * to_stride, to_stride, rows,
              columns - whole_columns);
}
#else
template <typename T>
void matrix(const void* from, std::int64_t from_stride, void* to, std::int64_t to_stride,
            std::int64_t rows, std::int64_t columns) {
    plain(static_cast<const T*>(from), from_stride, static_cast<T*>(to), to_stride, rows, columns);
}
#endif

void matrix_wide(const void* from, std::int64_t from_stride, void* to, std::int64_t to_stride,
                 std::int64_t rows, std::int64_t columns) {
    plain(static_cast<const Wide*>(from), from_stride, static_cast<Wide*>(to), to_stride, rows,
          columns);
}

constexpr TransposeKernels table{&matrix<std::uint8_t>, &matrix<std::uint16_t>,
                                 &matrix<std::uint32_t>, &matrix<std::uint64_t>, &matrix_wide};

}  // namespace

const TransposeKernels& transpose_kernels() { return table; }

}  // namespace lapidary::LAPIDARY_ISA
