// SPDX-License-Identifier: Apache-2.0
// Convolutions in plain layout: windows are laid out as columns, a panel of positions at a time,
// and multiplied by filters.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// Columns [column, column + count) of a panel are the elements from `shift` on, relative to a
/// row's own offset.
struct ColumnRun {
    std::int64_t column, count, shift;
};

/// How the sums of one call are finished.
struct ColumnEnd {
    // the first call overwrites C, later ones add to it; the last one finishes it
    bool is_first, is_last;
    const float* bias;  // one per filter, or null
    const float* sum;   // as C with the same stride, or null
    Activation activation;
};

struct ColumnKernels {
    std::int64_t panel;         // positions of a panel: two vectors
    std::int64_t most_filters;  // that multiply() takes at once
    std::int64_t most_direct;   // that direct() takes at once

    /// An input row (null: zeros) of `width` elements with `pad` zeros before it, dealt out to
    /// `stride` rows of `length` elements: element x goes to row x % stride, place x / stride; what
    /// lies beyond is dropped or zero.
    void (*deal_row)(const float* row, std::int64_t width, std::int64_t pad, std::int64_t stride,
                     std::int64_t length, float* to);
    /// The reverse: to[i] is element first + i of a row that deal_row() distributed to rows
    /// `length` apart.
    void (*gather_row)(const float* from, std::int64_t stride, std::int64_t length,
                       std::int64_t first, std::int64_t count, float* to);
    /// Row k of the panel `to` [count, panel] from from[offsets[k] + ...] by the runs. Writes up to
    /// a vector beyond the end.
    void (*pack)(const float* from, const std::int64_t* offsets, std::int64_t count,
                 const ColumnRun* runs, std::int64_t run_count, float* to);
    /// `filters` rows of C times a packed panel: w is [inner, filters], `columns` of the panel's
    /// positions are stored.
    void (*multiply)(const float* w, std::int64_t filters, const float* panel, std::int64_t inner,
                     std::int64_t columns, float* c, std::int64_t c_stride, const ColumnEnd& end);
    /// The same for a run of positions without packing: reads from[offsets[k] + i] for i up to a
    /// vector beyond `columns`.
    void (*direct)(const float* w, std::int64_t filters, const float* from,
                   const std::int64_t* offsets, std::int64_t inner, std::int64_t columns, float* c,
                   std::int64_t c_stride, const ColumnEnd& end);
};
LAPIDARY_PER_ISA(ColumnKernels, column_kernels)

// elements that pack() may write and direct() may read beyond
inline constexpr std::int64_t column_overread = 64;

}  // namespace lapidary
