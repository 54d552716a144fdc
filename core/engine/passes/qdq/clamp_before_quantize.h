// SPDX-License-Identifier: Apache-2.0
// Clips before QuantizeLinear, which also clamps to the range of its integers.
#pragma once

#include "passes/qdq/node_unit.h"

namespace lapidary::passes {

/// Why clamping to [low, high] before `q` changes what it writes; empty when it does not. Exact:
/// QuantizeLinear is monotonic, so a bound that it maps to the end of the integer range makes no
/// difference.
std::string clamp_problem(const Quantization& q, double low, double high);

}  // namespace lapidary::passes
