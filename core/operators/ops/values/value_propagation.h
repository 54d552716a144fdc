// SPDX-License-Identifier: Apache-2.0
// Values of small tensors followed through shape arithmetic: Shape -> Gather -> Mul -> Concat ->
// Reshape ...
#pragma once

#include "ops/inference/shape_rule.h"

namespace lapidary {

/// Tensors with more elements are not followed.
inline constexpr std::int64_t max_followed_elements = 64;

/// Sets the value of the node's outputs where the operator is understood, the outputs are small and
/// of static shape, and enough of the inputs is known. Call after the shape rule.
void propagate_values(InferenceContext& context);

}  // namespace lapidary
