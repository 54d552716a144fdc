// SPDX-License-Identifier: Apache-2.0
// A cache of keys or values in float16, bfloat16 or scaled bytes, to which rows of floats are
// appended.
#include <algorithm>

#include <lapidary/tensor/float16.h>

#include "kernels/attention/scaled_bytes.h"
#include "kernels/attention/tiled_attention.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

const float* CacheAppend::fresh_floats(KernelContext& context, Tensor& holder) const {
    CacheAppend wide = *this;
    wide.past = nullptr;
    wide.past_rows = nullptr;
    wide.past_count = wide.past_capacity = 0;
    wide.keeps_rest = false;
    wide.to = scratch_floats(holder, context, batch * heads * fresh_rows * size);
    wide.capacity = fresh_rows;
    wide.run(context);
    return wide.to;
}

/// Rows have `width` elements; store(from, rows, to) writes new ones.
template <typename T, typename Store>
void CacheAppend::run_narrow(KernelContext& context, const T* narrow_past, T* narrow_to,
                             std::int64_t width, const Store& store) const {
    Tensor holder;
    const float* const wide = fresh_floats(context, holder);
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t used = past_rows ? past_rows[i / heads] : past_count,
                               filled = used + fresh_rows;
            const T* const old = narrow_past ? narrow_past + i * past_capacity * width : nullptr;
            T* const rows = narrow_to + i * capacity * width;
            const bool is_in_place = old == rows;
            if (old && !is_in_place) std::copy_n(old, used * width, rows);
            store(wide + i * fresh_rows * size, fresh_rows, rows + used * width);
            if (is_in_place) continue;
            const std::int64_t kept = keeps_rest && old ? std::max(filled, past_capacity) : filled;
            if (kept > filled)
                std::copy_n(old + filled * width, (kept - filled) * width, rows + filled * width);
            std::fill_n(rows + kept * width, (capacity - kept) * width, T{0});
        }
    };
    const std::int64_t grain =
        std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(capacity * size, 1));
    if (batch * heads <= grain || context.threads().threads() == 1) body(0, batch * heads);
    else context.threads().parallel_for(batch * heads, grain, body);
}

void CacheAppend::run_half(KernelContext& context, const std::uint16_t* half_past,
                           std::uint16_t* half_to) const {
    run_narrow(context, half_past, half_to, size,
               [&](const float* from, std::int64_t rows, std::uint16_t* to) {
                   elementwise_kernels().narrow_half(from, to, rows * size);
               });
}

void CacheAppend::run_bfloat(KernelContext& context, const std::uint16_t* past_bits,
                             std::uint16_t* to_bits) const {
    run_narrow(context, past_bits, to_bits, size,
               [&](const float* from, std::int64_t rows, std::uint16_t* row) {
                   std::transform(from, from + rows * size, row,
                                  [](float x) { return BFloat16(x).bits; });
               });
}

void CacheAppend::run_bytes(KernelContext& context, const std::int8_t* byte_past,
                            std::int8_t* byte_to) const {
    const std::int64_t width = scaled_bytes::row(size);
    run_narrow(context, byte_past, byte_to, width,
               [&](const float* from, std::int64_t rows, std::int8_t* to) {
                   for (std::int64_t r = 0; r < rows; ++r)
                       scaled_bytes::store(from + r * size, size, to + r * width);
               });
}

}  // namespace lapidary
