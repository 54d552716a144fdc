// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/runtime_value.h>

#include "worker/engine.h"

namespace lapidary::app {

/// One entry per output of `a`. Floats agree within 1e-3 of the largest magnitude in `a`, integers of 8 bits within one
/// step, all else when equal; NaN agrees with NaN and an infinity with the same. Differences of 0 for what is no tensor of
/// numbers.
std::vector<OutputAgreement> output_agreements(const NamedValues& a, const NamedValues& b);

}  // namespace lapidary::app
