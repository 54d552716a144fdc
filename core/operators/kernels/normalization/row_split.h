// SPDX-License-Identifier: Apache-2.0
// How kernels that work row by row share the rows among threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/kernel.h"

namespace lapidary {

/// body(begin, end) over rows of `width` elements, at least some microseconds of work each.
template <typename F>
void for_row_ranges(KernelContext& context, std::int64_t rows, std::int64_t width, const F& body) {
    constexpr std::int64_t grain_elements = 16384;
    const std::int64_t grain =
        std::max<std::int64_t>(1, grain_elements / std::max<std::int64_t>(width, 1));
    if (rows <= grain || context.threads().threads() == 1) {
        // In pieces, so that a long run can be cancelled.
        for (std::int64_t begin = 0; begin < rows; begin += 16 * grain) {
            context.cancel().throw_if_cancelled();
            body(begin, std::min(begin + 16 * grain, rows));
        }
        return;
    }
    context.threads().parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        body(begin, end);
    });
}

}  // namespace lapidary
