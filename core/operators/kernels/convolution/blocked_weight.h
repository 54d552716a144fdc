// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// f32 [O, I, H, W] to OIHWBiBo (`blocks_inputs`) or OIHWBo of tensor/channel_blocks.h; channels of
/// blocked axes are filled up with zeros. The tensor is deferred, in parts of one square each, so
/// it is never computed for a kernel that packs the weight in another order.
Tensor blocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs);

}  // namespace lapidary
