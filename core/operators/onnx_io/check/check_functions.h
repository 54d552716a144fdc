// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>

namespace lapidary::onnx_io {

/// Checks model-local functions: none is defined twice, none is missing in a domain of the model's
/// own, calls fit the signature, and there is no recursion (also not through subgraphs). Call depth
/// and the node count after inlining must be within the limits; they are computed without expanding
/// anything. Errors list the call chain where that helps.
void check_functions(const Model& model, const Limits& limits, const CancelToken& cancel);

}  // namespace lapidary::onnx_io
