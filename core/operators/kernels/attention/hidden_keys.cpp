// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/tiled_attention.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lapidary {
namespace {

bool has_odd(const float* values, std::int64_t count) {
    constexpr std::uint32_t exponent = 0x7f800000;  // all bits of it: Inf or NaN
    std::uint32_t found = 0;
    for (std::int64_t i = 0; i < count; ++i)
        found |= (std::bit_cast<std::uint32_t>(values[i]) & exponent) == exponent;
    return found != 0;
}

/// Among the rows from `first` on of any head.
bool has_odd_row(const TiledAttention& a, const HeadRows<const float>& rows, std::int64_t size,
                 std::int64_t first) {
    for (std::int64_t b = 0; b < a.batch; ++b)
        for (std::int64_t head = 0; head < a.key_heads; ++head)
            for (std::int64_t row = first; row < a.keys; ++row)
                if (has_odd(rows.at(b, head, row), size)) return true;
    return false;
}

}  // namespace

void keep_odd_hidden_keys(KernelContext& context, TiledAttention& a, Tensor& holder) {
    if (!a.causal || a.ends || a.window > 0 || a.key_columns) return;
    // of the keys that query 0 does not see
    const std::int64_t first = std::max<std::int64_t>(a.end, 0);
    if (!has_odd_row(a, a.k, a.size, first) && !has_odd_row(a, a.v, a.value_size, first)) return;
    const bool has_bias = a.bias.data != nullptr;
    const std::int64_t batches = has_bias ? a.batch : 1, heads = has_bias ? a.heads : 1,
                       square = a.queries * a.keys;
    float* to = scratch_floats(holder, context, batches * heads * square);
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t s = 0; s < a.queries; ++s) {
                float* row = to + (b * heads + head) * square + s * a.keys;
                const std::int64_t end = std::clamp<std::int64_t>(a.end + s, 0, a.keys);
                if (has_bias) std::copy_n(a.bias.at(b, head, s), end, row);
                else std::fill_n(row, end, 0.0f);
                std::fill(row + end, row + a.keys, -std::numeric_limits<float>::infinity());
            }
    a.bias = {to, has_bias ? heads * square : 0, has_bias ? square : 0, a.keys};
    a.causal = false;
    a.end = a.keys;
}

}  // namespace lapidary
