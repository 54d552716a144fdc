// SPDX-License-Identifier: Apache-2.0
// Attention and activations in the operators that PyTorch exports of Hugging Face models have.
#pragma once

#include "samples/model_builder.h"

namespace lapidary::samples {

/// x * 0.5 * (1 + erf(x / sqrt 2)).
ValueId gelu_erf(ModelBuilder& m, ValueId x);
/// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
ValueId gelu_tanh(ModelBuilder& m, ValueId x);
/// One dimension of x as a vector of one: Shape, Gather, Unsqueeze.
ValueId dimension(ModelBuilder& m, ValueId x, std::int64_t axis);
/// [batch, seq, heads*size] -> [batch, heads, seq, size] by a computed shape, or with the last two
/// axes swapped.
ValueId split_heads(ModelBuilder& m, ValueId x, std::int64_t heads, std::int64_t size,
                    bool transposed);
/// [batch, heads, seq, size] -> [batch, seq, heads*size].
ValueId merge_heads(ModelBuilder& m, ValueId x, std::int64_t width);

}  // namespace lapidary::samples
