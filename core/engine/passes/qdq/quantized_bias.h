// SPDX-License-Identifier: Apache-2.0
// Biases of integer products: i32, zero point 0, in steps of alpha * x scale * weight scale.
#pragma once

#include "passes/qdq/node_unit.h"

namespace lapidary::passes {

/// One value, or one per channel of the weight.
std::vector<double> expected_bias_scales(const Quantization& x, const Quantization& w,
                                         double alpha);
/// Why the bias cannot be added to the integer sums; empty when it can.
std::string bias_problem(const Scope& scope, const std::optional<Quantization>& bias,
                         const std::vector<double>& expected);

}  // namespace lapidary::passes
