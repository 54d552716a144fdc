// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/product/product_pack.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
const hn::FixedTag<float, 4> quad;

/// Transposes four values from each of four lines: to[k * to_stride + i] = from[i][k].
HWY_INLINE void turn(const float* const (&from)[4], float* to, std::int64_t to_stride) {
    const auto r0 = hn::LoadU(quad, from[0]), r1 = hn::LoadU(quad, from[1]),
               r2 = hn::LoadU(quad, from[2]), r3 = hn::LoadU(quad, from[3]);
    const auto low01 = hn::InterleaveLower(quad, r0, r1), low23 = hn::InterleaveLower(quad, r2, r3);
    const auto high01 = hn::InterleaveUpper(quad, r0, r1),
               high23 = hn::InterleaveUpper(quad, r2, r3);
    hn::StoreU(hn::ConcatLowerLower(quad, low23, low01), quad, to);
    hn::StoreU(hn::ConcatUpperUpper(quad, low23, low01), quad, to + to_stride);
    hn::StoreU(hn::ConcatLowerLower(quad, high23, high01), quad, to + 2 * to_stride);
    hn::StoreU(hn::ConcatUpperUpper(quad, high23, high01), quad, to + 3 * to_stride);
}
#endif

/// to[k * to_stride + i] = from[i * stride + k] for `lines` lines of `count` values.
void transpose(const float* from, std::int64_t stride, std::int64_t lines, std::int64_t count,
               float* to, std::int64_t to_stride) {
    std::int64_t k = 0;
#if HWY_TARGET != HWY_SCALAR
    if (lines >= 4)
        for (; k + 4 <= count; k += 4)
            for (std::int64_t i = 0; i < lines; i += 4) {
                // the last four overlap those before
                const std::int64_t first = i + 4 <= lines ? i : lines - 4;
                const float* line = from + first * stride + k;
                turn({line, line + stride, line + 2 * stride, line + 3 * stride},
                     to + k * to_stride + first, to_stride);
            }
#endif
    for (; k < count; ++k)
        for (std::int64_t i = 0; i < lines; ++i)
            __builtin_memcpy(to + k * to_stride + i, from + i * stride + k, sizeof(float));
}

}  // namespace

void pack_rows(const float* a, std::int64_t stride, bool transposed, std::int64_t rows,
               std::int64_t inner, float* to) {
    if (!transposed) return transpose(a, stride, rows, inner, to, rows);
    for (std::int64_t k = 0; k < inner; ++k)
        for (std::int64_t i = 0; i < rows; ++i) to[k * rows + i] = a[k * stride + i];
}

void pack_panel(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
                std::int64_t columns, std::int64_t width, float* to) {
    if (transposed) {
        // values of k: whole cache lines of the source, while the target stays near
        constexpr std::int64_t block = 32;
        for (std::int64_t k = 0; k < inner; k += block)
            transpose(b + k, stride, columns, inner - k < block ? inner - k : block, to + k * width,
                      width);
    } else {
        for (std::int64_t k = 0; k < inner; ++k)
            __builtin_memcpy(to + k * width, b + k * stride,
                             static_cast<std::size_t>(columns) * sizeof(float));
    }
    if (columns < width)
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = columns; j < width; ++j) to[k * width + j] = 0;
}

}  // namespace lapidary::LAPIDARY_ISA
