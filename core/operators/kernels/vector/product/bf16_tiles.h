// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 by the tile registers of x86 CPUs (AMX), with sums in float32.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// C[rows, columns] = scale A B + initial + bias + row_bias. Rows of A are rounded ones; of B's
/// panel, 16-bit elements lie in pairs of rows (HalfFormat::bfloat16 of product.h).
struct RoundedTile {
    static constexpr int most_rows = 32;
    int rows = 0;              // at most most_rows; A is readable up to a multiple of 16 of them
    std::int64_t inner = 0;    // of B
    std::int64_t columns = 0;  // at most 48
    const std::uint16_t* a = nullptr;
    std::int64_t a_stride = 0;  // elements from row to row; at least `inner` rounded up to 32
    const std::uint16_t* b = nullptr;
    std::int64_t b_stride = 0;  // columns of the panel: 16, 32 or 48
    float* c = nullptr;
    std::int64_t c_stride = 0;
    float scale = 1;
    const float* initial = nullptr;  // as C, may be C; none when null
    std::int64_t initial_stride = 0;
    const float* bias = nullptr;      // one per column; none when null
    const float* row_bias = nullptr;  // one per row; none when null
};

#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
namespace avx512_amx {
void multiply_bf16_tiles(const RoundedTile& tile);
}
#endif

/// Null: the instruction set in use has no tiles. Numbers smaller than float32 holds with full
/// precision count as zero.
inline void (*bf16_tiles())(const RoundedTile& tile) {
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
    if (active_isa() == Isa::avx512_amx) return &avx512_amx::multiply_bf16_tiles;
#endif
    return nullptr;
}

}  // namespace lapidary
