// SPDX-License-Identifier: Apache-2.0
// Tiles of two float operands, and the table of all.
#include "kernels/vector/product/product.h"

#include "kernels/vector/math.h"
#include "kernels/vector/product/product_half.h"
#include "kernels/vector/product/product_pack.h"
#include "kernels/vector/product/product_tile.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

template <int rows, int vectors, bool packed>
void multiply_floats(const ProductTile& t) {
    multiply_tile<rows, vectors, packed>(t, t.b);
}

using Multiply = void (*)(const ProductTile&);

template <int rows, bool packed>
Multiply of_vectors(int vectors) {
    static_assert(tile_vectors <= 4);
    switch (vectors) {
    case 1: return &multiply_floats<rows, 1, packed>;
    case 2: return &multiply_floats < rows, tile_vectors < 2 ? tile_vectors : 2, packed > ;
    case 3: return &multiply_floats < rows, tile_vectors < 3 ? tile_vectors : 3, packed > ;
    default: return &multiply_floats<rows, tile_vectors, packed>;
    }
}

template <bool packed>
Multiply of_rows(int rows, int vectors) {
    static_assert(tile_rows <= 8);
    switch (rows) {
    case 1: return of_vectors<1, packed>(vectors);
    case 2: return of_vectors<2, packed>(vectors);
#if HWY_TARGET != HWY_SCALAR
    case 3: return of_vectors<3, packed>(vectors);
    case 4: return of_vectors<4, packed>(vectors);
    case 5: return of_vectors<5, packed>(vectors);
    case 6: return of_vectors<6, packed>(vectors);
    case 7: return of_vectors < tile_rows < 7 ? tile_rows : 7, packed > (vectors);
#endif
    default: return of_vectors<tile_rows, packed>(vectors);
    }
}

void multiply(const ProductTile& t) {
    const int vectors = static_cast<int>((t.columns + lanes - 1) / lanes);
    (t.packed_a ? of_rows<true>(t.rows, vectors) : of_rows<false>(t.rows, vectors))(t);
}

template <ActivationKind kind>
void activate_kind(float* c, std::int64_t c_stride, std::int64_t rows, std::int64_t columns,
                   Activation a) {
    a.kind = kind;
    for (std::int64_t i = 0; i < rows; ++i, c += c_stride) {
        std::int64_t j = 0;
        for (; j + lanes <= columns; j += lanes)
            hn::StoreU(lapidary::LAPIDARY_ISA::activate(d, hn::LoadU(d, c + j), a), d, c + j);
        if (j < columns)
            store_first(d,
                        lapidary::LAPIDARY_ISA::activate(d, load_first(d, c + j, columns - j), a),
                        c + j, columns - j);
    }
}

void activate_tile(float* c, std::int64_t c_stride, std::int64_t rows, std::int64_t columns,
                   const Activation& a) {
    switch (a.kind) {
    case ActivationKind::none: return;
#define LAPIDARY_KIND(kind)    \
    case ActivationKind::kind: \
        return activate_kind<ActivationKind::kind>(c, c_stride, rows, columns, a);
        LAPIDARY_ACTIVATION_KINDS(LAPIDARY_KIND)
#undef LAPIDARY_KIND
    }
}

}  // namespace

const ProductKernels& product_kernels() {
    static constexpr ProductKernels table{
        tile_rows,      lanes,      tile_vectors * lanes, &multiply,     &multiply_half,
        &activate_tile, &pack_rows, &pack_panel,          &widen_halves, &round_to_bf16};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
