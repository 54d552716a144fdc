// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Replaces every call of a model-local function by its body, in subgraphs too, until none is left.
/// Inlined nodes take over the call's origins. Throws limit_exceeded past limits.inlined_nodes or
/// nesting.
void inline_functions(Model& model, const Limits& limits, const CancelToken& cancel = {});

}  // namespace lapidary
