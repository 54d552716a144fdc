// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Attention (com.microsoft) after its projection: output 0 and, when wanted, present in output 1,
/// as `dtype`. `projected` is f32 [B, S, Hq + Hk + Hv] without bias; bias, mask, past and
/// attention_bias may be null; `past_length_input` is the input with past_sequence_length, read
/// only when past and present share a buffer.
void attend_projected(KernelContext& context, const Tensor& projected, const Tensor* bias,
                      const Tensor* mask, const Tensor* past, const Tensor* attention_bias,
                      std::size_t past_length_input, DType dtype);

}  // namespace lapidary::reference
