// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit integers on tensor cores, exact. Tensor cores multiply signed bytes: a u8 and its zero point lie
// 128 lower there. Zero points are taken out of the sums afterwards, by the sums of rows and columns, which the tensor
// cores add up too.
#pragma once

#include "kernels/tile_product.cuh"

namespace lapidary::cuda {

/// What a block knows of one element of the result: of signed bytes, zero points not yet taken out.
struct ByteSum {
    int products, row, column;

    /// The product of what the bytes stand for, over `depth` of them. Wraps.
    GPU_METHOD int without(int a_zero, int b_zero, int depth) const {
        const auto negative = [](int v) { return static_cast<int>(0u - static_cast<unsigned>(v)); };
        int sum = multiply_add(negative(b_zero), row, products);
        sum = multiply_add(negative(a_zero), column, sum);
        return multiply_add(multiply_add(a_zero, b_zero, 0), depth, sum);
    }
};

struct MultiplyBytes {
    /// Sums of rows are needed where zero points of b may be other than 0, those of columns for zero points of a.
    struct Sums {
        bool sums_rows = true, sums_columns = true;
        int of[2][4][4] = {}, rows[2][4] = {}, columns[4][4] = {};

        GPU_METHOD void add(const std::uint32_t (&a)[2][4], const std::uint32_t (&b)[4][2]) {
            constexpr std::uint32_t ones = 0x01010101u;
            const std::uint32_t ones_a[4] = {ones, ones, ones, ones}, ones_b[2] = {ones, ones};
            GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) mma_s8(of[i][j], a[i], b[j]);
            if (sums_rows) GPU_UNROLL for (int i = 0; i < 2; ++i) mma_s8(rows[i], a[i], ones_b);
            if (sums_columns) GPU_UNROLL for (int j = 0; j < 4; ++j) mma_s8(columns[j], ones_a, b[j]);
        }
        GPU_METHOD ByteSum at(int i, int j, int e) const { return {of[i][j][e], rows[i][e], columns[j][e]}; }
    };
    static constexpr int word_depth = 4;
    /// Operands give whole words.
    template <typename Element>
    GPU_METHOD static std::uint32_t word(const Element& element) {
        return element(0);
    }
};

/// Of u8 (type 2) or i8 (3) as tensor cores take it.
GPU_DEVICE int signed_byte(const void* data, int type, long long i) {
    return type == 2 ? static_cast<int>(at<std::uint8_t>(data, i)) - 128 : static_cast<int>(at<std::int8_t>(data, i));
}
/// A zero point, 0 where there is none.
GPU_DEVICE int signed_zero(const void* data, int type, long long i) {
    return data ? signed_byte(data, type, i) : type == 2 ? -128 : 0;
}
/// Four at a multiple of 4.
GPU_DEVICE std::uint32_t signed_word(const void* data, int type, long long i) {
    const std::uint32_t word = static_cast<const std::uint32_t*>(data)[i / 4];
    return type == 2 ? word ^ 0x80808080u : word;
}
/// byte(i) for four i, the first one lowest.
template <typename Byte>
GPU_DEVICE std::uint32_t word_of_bytes(const Byte& byte) {
    std::uint32_t word = 0;
    GPU_UNROLL for (int i = 0; i < 4; ++i) word |= (static_cast<std::uint32_t>(byte(i)) & 0xffu) << (8 * i);
    return word;
}

/// a(row, k) and b(k, column) give the words that begin at k, filled up with the zero points behind `depth`;
/// store(row, column, sum) takes sums without zero points, which zero_of_row and zero_of_column tell.
template <typename A, typename B, typename ZeroA, typename ZeroB, typename Store, typename Sync = AllSync>
GPU_DEVICE void tile_product_bytes(int row0, int column0, int depth, const A& a, const B& b, const ZeroA& zero_of_row,
                                   const ZeroB& zero_of_column, const Store& store, bool a_along_k, bool b_along_k,
                                   bool sums_rows, bool sums_columns, const Sync& sync = Sync()) {
    constexpr int step = mma_words * MultiplyBytes::word_depth;
    const int whole = (depth + step - 1) / step * step;
    MultiplyBytes::Sums sums;
    sums.sums_rows = sums_rows;
    sums.sums_columns = sums_columns;
    const auto finish = [&](int row, int column, const ByteSum& sum) {
        store(row, column, sum.without(zero_of_row(row), zero_of_column(column), whole));
    };
    tile_product_mma<MultiplyBytes>(row0, column0, depth, a, b, finish, a_along_k, b_along_k, sync, sums);
}

}  // namespace lapidary::cuda
