// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/rules/rule_checks.h"

namespace lapidary {

/// Outputs Y, Y_h (and Y_c) of a recurrent layer with `gates` gates. `transposed_weights`: W and R
/// are [directions, in, gates * hidden] as DynamicQuantizeLSTM has them.
void infer_recurrent_network(InferenceContext& ctx, std::int64_t gates, bool transposed_weights);

}  // namespace lapidary
