// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

enum class ArgElement : std::uint8_t { f32, i32, i64, u8, i8, count };

/// Which extreme: of equal ones the first or the last.
struct ArgChoice {
    bool is_largest, takes_last;
    int index() const { return 2 * is_largest + takes_last; }
};

/// Positions of extremes; the first NaN is the extreme where there is one. Tables by
/// ArgChoice::index().
struct ArgExtremeKernels {
    struct Functions {
        /// Among `count` >= 1 contiguous elements.
        std::int64_t (*row)(const void* x, std::int64_t count);
        /// Down `rows` rows (1 to 2^31 - 1) of `stride` elements for each of `columns` columns.
        void (*column)(const void* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                       std::int64_t* out);
    } of[static_cast<int>(ArgElement::count)][4];
};
LAPIDARY_PER_ISA(ArgExtremeKernels, arg_extreme_kernels)

}  // namespace lapidary
