// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Rounds large float32 weights of products in the main graph to `half`, float16 or bfloat16. What
/// reads them sees float32 still, and kernels that pack weights pack 16 bits. Weights beyond the
/// range of float16 stay as they are, and so do others that the same constant serves. Returns how
/// many products read rounded ones. Throws cancelled.
std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel);

/// True for a product whose weight is large enough to be rounded, whether it is in the range of
/// float16 or not.
bool has_large_weight(const Graph& graph, const Node& node);

}  // namespace lapidary
