// SPDX-License-Identifier: Apache-2.0
// A cache of keys or values in float16, to which rows of floats are appended.
#include <algorithm>

#include "kernels/attention/tiled_attention.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

void CacheAppend::run_half(KernelContext& context, const std::uint16_t* half_past,
                           std::uint16_t* half_to) const {
    Tensor holder;
    CacheAppend rounded = *this;  // gives the new rows alone, as floats
    rounded.past = nullptr;
    rounded.past_rows = nullptr;
    rounded.past_count = rounded.past_capacity = 0;
    rounded.keeps_rest = false;
    rounded.to = scratch_floats(holder, context, batch * heads * fresh_rows * size);
    rounded.capacity = fresh_rows;
    rounded.run(context);
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t used = past_rows ? past_rows[i / heads] : past_count,
                               filled = used + fresh_rows;
            const std::uint16_t* const old =
                half_past ? half_past + i * past_capacity * size : nullptr;
            std::uint16_t* const rows = half_to + i * capacity * size;
            const bool is_in_place = old == rows;
            if (old && !is_in_place) std::copy_n(old, used * size, rows);
            elementwise_kernels().narrow_half(rounded.to + i * fresh_rows * size,
                                              rows + used * size, fresh_rows * size);
            if (is_in_place) continue;
            const std::int64_t kept = keeps_rest && old ? std::max(filled, past_capacity) : filled;
            if (kept > filled)
                std::copy_n(old + filled * size, (kept - filled) * size, rows + filled * size);
            std::fill_n(rows + kept * size, (capacity - kept) * size, std::uint16_t{0});
        }
    };
    const std::int64_t grain =
        std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(capacity * size, 1));
    if (batch * heads <= grain || context.threads().threads() == 1) body(0, batch * heads);
    else context.threads().parallel_for(batch * heads, grain, body);
}

}  // namespace lapidary
