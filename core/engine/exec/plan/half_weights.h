// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Rounds large float32 weights of products to `half`, float16 or bfloat16: in the main graph, and
/// in bodies of control flow, whose own constants they become there. What reads them sees float32
/// still, and kernels that pack weights pack 16 bits. Weights beyond the range of float16 stay as
/// they are, and so do other readers of the same constant. Returns how many products read rounded
/// ones. Throws cancelled.
std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel);

}  // namespace lapidary
