// SPDX-License-Identifier: Apache-2.0
// Elements that may be rounded to either of two neighbouring quantization steps.
//
// A QuantizeLinear rounds x / scale. Where that is halfway between two whole numbers, as far as the
// arithmetic in front of it is exact, a graph that computes the same otherwise may round the other
// way. For example, an average of bytes is exactly halfway in integers and beside it in floats, or
// float16 that is rounded less often comes out on the other side. Such elements, and no others, are
// found by looking at every value in front of a QuantizeLinear:
//   float32   the tie is within 1/256 of a step
//   16 bits   the tie is within twice the largest rounding there: what values differ by from the
//             same model held in float32
// The model is run several times with such elements set to the lower or to the upper step. The
// values of an element of an output in these runs, and a quarter of their range more, are accepted.
// An element that no tie changes has no range and is compared as usual.
#pragma once

#include <functional>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary::lapgen {

/// Runs a model on the tested inputs.
using RunModel = std::function<NamedValues(const Model&)>;

/// `found` with those elements replaced by `expected` that ties of `model` may explain; others are
/// unchanged. Looks at QuantizeLinear to integers, without blocks, in the main graph.
NamedValues with_ties_settled(NamedValues found, const NamedValues& expected, const Model& model,
                              const RunModel& run);

}  // namespace lapidary::lapgen
