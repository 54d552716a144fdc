// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/product/product_half.h"

#include "kernels/vector/product/product_tile.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

template <int rows, int vectors, typename T>
void multiply_halves(const ProductTile& t) {
    multiply_tile<rows, vectors, false>(t, reinterpret_cast<const T*>(t.half_b));
}

using Multiply = void (*)(const ProductTile&);

template <int rows, typename T>
Multiply of_vectors(int vectors) {
    switch (vectors) {
    case 1: return &multiply_halves<rows, 1, T>;
    case 2: return &multiply_halves < rows, tile_vectors < 2 ? tile_vectors : 2, T > ;
    case 3: return &multiply_halves < rows, tile_vectors < 3 ? tile_vectors : 3, T > ;
    default: return &multiply_halves<rows, tile_vectors, T>;
    }
}

template <typename T>
Multiply of_rows(int rows, int vectors) {
    switch (rows) {
    case 1: return of_vectors<1, T>(vectors);
    case 2: return of_vectors<2, T>(vectors);
#if HWY_TARGET != HWY_SCALAR
    case 3: return of_vectors<3, T>(vectors);
    case 4: return of_vectors<4, T>(vectors);
    case 5: return of_vectors<5, T>(vectors);
    case 6: return of_vectors<6, T>(vectors);
    case 7: return of_vectors < tile_rows < 7 ? tile_rows : 7, T > (vectors);
#endif
    default: return of_vectors<tile_rows, T>(vectors);
    }
}

template <int rows, typename T>
HWY_INLINE void widen_rows(const T* from, std::int64_t width, float* to) {
    for (int j = 0; j * lanes < width; ++j) {
        hn::StoreU(RightRows<T>::template load<0>(from, width, j), d, to + j * lanes);
        if (rows > 1)
            hn::StoreU(RightRows<T>::template load<1>(from, width, j), d, to + width + j * lanes);
    }
}

template <typename T>
void widen(const T* from, std::int64_t inner, std::int64_t width, float* to) {
    std::int64_t k = 0;
    for (; k + 2 <= inner; k += 2) widen_rows<2>(from + k * width, width, to + k * width);
    if (k < inner) widen_rows<1>(from + k * width, width, to + k * width);
}

}  // namespace

void multiply_half(const ProductTile& t) {
    const int vectors = static_cast<int>((t.columns + lanes - 1) / lanes);
    (t.half_format == HalfFormat::binary16 ? of_rows<hwy::float16_t>(t.rows, vectors)
                                           : of_rows<hwy::bfloat16_t>(t.rows, vectors))(t);
}

void widen_halves(const std::uint16_t* from, HalfFormat format, std::int64_t inner,
                  std::int64_t width, float* to) {
    if (format == HalfFormat::binary16)
        widen(reinterpret_cast<const hwy::float16_t*>(from), inner, width, to);
    else widen(reinterpret_cast<const hwy::bfloat16_t*>(from), inner, width, to);
}

}  // namespace lapidary::LAPIDARY_ISA
