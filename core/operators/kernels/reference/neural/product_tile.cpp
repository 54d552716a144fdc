// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/neural/product_tile.h"

#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

/// `bytes` is the width of one vector register; four, two or one of them hold a panel row.
template <typename T, int bytes, int rows>
[[gnu::always_inline]] inline void multiply_tile(std::int64_t k_count, const T* a,
                                                 std::int64_t a_stride, const T* panel, T* c,
                                                 std::int64_t c_stride) {
    typedef T Lanes __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
    constexpr int lanes = bytes / static_cast<int>(sizeof(T));
    constexpr int vectors = static_cast<int>(panel_columns<T>) / lanes;
    Lanes sum[rows][vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            sum[r][v] = *reinterpret_cast<const Lanes*>(c + r * c_stride + v * lanes);
    for (std::int64_t k = 0; k < k_count; ++k) {
        Lanes b[vectors];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            b[v] = *reinterpret_cast<const Lanes*>(panel + k * panel_columns<T> + v * lanes);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            const T left = a[r * a_stride + k];
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v) sum[r][v] += left * b[v];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            *reinterpret_cast<Lanes*>(c + r * c_stride + v * lanes) = sum[r][v];
}

/// A full tile as `step` rows at a time, as many as the registers hold.
template <typename T, int bytes, int step>
[[gnu::always_inline]] inline void multiply_rows(std::int64_t k_count, const T* a,
                                                 std::int64_t a_stride, const T* panel, T* c,
                                                 std::int64_t c_stride) {
    static_assert(tile_rows % step == 0);
    for (int r = 0; r < tile_rows; r += step)
        multiply_tile<T, bytes, step>(k_count, a + r * a_stride, a_stride, panel, c + r * c_stride,
                                      c_stride);
}

#define LAPIDARY_TILE(suffix, target_attribute, bytes, step)                                     \
    template <typename T>                                                                        \
    target_attribute void rows_##suffix(std::int64_t n, const T* a, std::int64_t as, const T* b, \
                                        T* c, std::int64_t cs) {                                 \
        multiply_rows<T, bytes, step>(n, a, as, b, c, cs);                                       \
    }                                                                                            \
    template <typename T>                                                                        \
    target_attribute void row_##suffix(std::int64_t n, const T* a, std::int64_t as, const T* b,  \
                                       T* c, std::int64_t cs) {                                  \
        multiply_tile<T, bytes, 1>(n, a, as, b, c, cs);                                          \
    }

LAPIDARY_TILE(any, , 16, 2)
#if defined(__x86_64__)
LAPIDARY_TILE(avx2, __attribute__((target("avx2"))), 32, 6)
LAPIDARY_TILE(avx512, __attribute__((target("avx512f"))), 64, 6)
#endif
#undef LAPIDARY_TILE

template <typename T>
ProductTile<T> choose_tile() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {rows_avx512<T>, row_avx512<T>};
    if (__builtin_cpu_supports("avx2")) return {rows_avx2<T>, row_avx2<T>};
#endif
    return {rows_any<T>, row_any<T>};
}

}  // namespace

template <typename T>
const ProductTile<T>& product_tile() {
    static const ProductTile<T> tile = choose_tile<T>();
    return tile;
}

template const ProductTile<float>& product_tile<float>();
template const ProductTile<double>& product_tile<double>();

}  // namespace lapidary::reference
