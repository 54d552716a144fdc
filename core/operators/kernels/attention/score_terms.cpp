// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/score_terms.h"

#include <algorithm>

#include "kernels/reference/attention/head_attention.h"

namespace lapidary {

HeadRows<const float> padding_rows(KernelContext& context, const Tensor* mask, std::int64_t batch,
                                   std::int64_t queries, std::int64_t keys, std::int64_t past,
                                   float filter, Tensor& holder) {
    const reference::PaddingMask padding(context, mask, batch, queries, keys, past, filter);
    if (!padding.has_values()) return {};
    const std::int64_t rows = padding.depends_on_query() ? queries : 1;
    float* values = scratch_floats(holder, context, batch * rows * keys);
    std::fill_n(values, batch * rows * keys, 0.0f);
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t s = 0; s < rows; ++s) padding.add(b, s, values + (b * rows + s) * keys);
    if (std::all_of(values, values + batch * rows * keys, [](float v) { return v == 0; }))
        return {};
    return {values, rows * keys, 0, rows == 1 ? 0 : keys};
}

bool bias_rows(const Tensor* bias, std::int64_t batch, std::int64_t heads, std::int64_t queries,
               std::int64_t keys, HeadRows<const float>& rows) {
    rows = {};
    if (!bias) return true;
    const Shape& shape = bias->shape();
    if (bias->dtype() != DType::f32 || shape.size() != 4 || (shape[0] != batch && shape[0] != 1) ||
        (shape[1] != heads && shape[1] != 1) || shape[2] != queries || shape[3] < keys)
        return false;
    rows = {bias->data<float>().data(), shape[0] == 1 ? 0 : shape[1] * queries * shape[3],
            shape[1] == 1 ? 0 : queries * shape[3], shape[3]};
    return true;
}

}  // namespace lapidary
