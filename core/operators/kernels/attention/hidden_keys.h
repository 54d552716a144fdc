// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention/tiled_attention.h"

namespace lapidary {

/// Keys that a causal attention hides weigh nothing, so that it leaves them out; but NaN and Inf
/// among them or their values come into every sum, as they do where a graph adds a mask to the
/// scores, and in ONNX Runtime. Where there are such, every query is given all keys, and a bias of
/// -infinity (in `holder`, together with the attention's own) hides them. To be called last before
/// run(); nothing happens to attention that is not causal, has a window, or ends by batch.
void keep_odd_hidden_keys(KernelContext& context, TiledAttention& attention, Tensor& holder);

}  // namespace lapidary
