// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct CumulativeSumOptions {
    bool is_exclusive = false;  // an element is not part of its own sum
    bool is_reverse = false;    // from the end
};

struct CumulativeSumKernels {
    template <typename T>
    struct Functions {
        /// Sums along `count` contiguous elements. Those of floats run in double; integers wrap
        /// around.
        void (*row)(const T* x, std::int64_t count, CumulativeSumOptions options, T* y);
        /// Down `rows` rows of `stride` elements for each of `columns` columns. `totals` is memory
        /// of 8 bytes for each column.
        void (*column)(const T* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                       CumulativeSumOptions options, void* totals, T* y);
    };
    Functions<float> of_f32;
    Functions<std::int32_t> of_i32;
    Functions<std::int64_t> of_i64;
};
LAPIDARY_PER_ISA(CumulativeSumKernels, cumulative_sum_kernels)

}  // namespace lapidary
