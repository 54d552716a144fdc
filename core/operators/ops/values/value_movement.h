// SPDX-License-Identifier: Apache-2.0
// Following small values through operators that move, repeat or reduce elements. See
// value_propagation.h.
#pragma once

#include "ops/values/small_value.h"

namespace lapidary {

/// The output's type and static shape with no elements yet; nothing when it is not small and
/// static.
std::optional<SmallValue> small_output_frame(InferenceContext& context, std::size_t index);
/// For each element of `target` in row-major order the element of `shape` it shows; empty when
/// `shape` does not broadcast to it (or there are no elements).
std::vector<std::int64_t> broadcast_index(const std::vector<std::int64_t>& shape,
                                          const std::vector<std::int64_t>& target);

void follow_same_elements(InferenceContext& context);
void follow_gather(InferenceContext& context);
void follow_slice(InferenceContext& context);
void follow_concat(InferenceContext& context);
void follow_split(InferenceContext& context);
void follow_transpose(InferenceContext& context);
void follow_expand(InferenceContext& context);
void follow_tile(InferenceContext& context);
void follow_scatter_nd(InferenceContext& context);
void follow_reduce(InferenceContext& context);
void follow_nonzero(InferenceContext& context);

}  // namespace lapidary
