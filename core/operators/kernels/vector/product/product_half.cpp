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

void round_to_bf16(const float* from, std::int64_t step, std::int64_t inner, std::int64_t padded,
                   std::uint16_t* to) {
    const auto rounded = [](float value) {
        std::uint32_t bits;
        __builtin_memcpy(&bits, &value, 4);
        const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
        return static_cast<std::uint16_t>(
            (is_nan ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
    };
    std::int64_t k = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Rebind<std::uint32_t, decltype(d)> words;
    const hn::Rebind<std::uint16_t, decltype(d)> halves;
    for (; step == 1 && k + lanes <= inner; k += lanes) {
        const auto value = hn::LoadU(d, from + k);
        const auto bits = hn::BitCast(words, value);
        const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
        const auto up = hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7fffu)));
        const auto quiet = hn::Or(bits, hn::Set(words, 0x400000u));
        const auto is_nan = hn::RebindMask(words, hn::IsNaN(value));
        hn::StoreU(hn::TruncateTo(halves, hn::ShiftRight<16>(hn::IfThenElse(is_nan, quiet, up))),
                   halves, to + k);
    }
#endif
    for (; k < inner; ++k) to[k] = rounded(from[k * step]);
    for (; k < padded; ++k) to[k] = 0;
}

}  // namespace lapidary::LAPIDARY_ISA
