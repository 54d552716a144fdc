// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>

namespace lapidary::onnx_io {

/// Model-local functions: none defined twice, none missing where its domain is the model's own,
/// calls fit the signature, no recursion (also through subgraphs), call depth and the node count
/// after inlining within the limits (counted without expanding anything). Throws, listing the call
/// chain where that helps.
void check_functions(const Model& model, const Limits& limits, const CancelToken& cancel);

}  // namespace lapidary::onnx_io
