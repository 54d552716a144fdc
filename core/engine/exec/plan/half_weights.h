// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Rounds large float32 weights of products to `half`, float16 or bfloat16: in the main graph, and
/// in bodies of control flow, whose own constants they become there. What reads them sees float32
/// still, and kernels that pack weights pack 16 bits. Weights beyond the range of float16 stay as
/// they are, and so do other readers of the same constant. Returns how many products read rounded
/// ones. Throws cancelled.
std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel);

/// The weights that are large enough to be rounded, whether they are in the range of float16 or
/// not: that of the node, which is in the main graph, or those of products in its bodies. Empty:
/// there are none.
std::vector<Tensor> large_weights(const Graph& graph, const Node& node);

}  // namespace lapidary
