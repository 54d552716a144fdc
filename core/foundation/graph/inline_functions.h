// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Replaces every call of a model-local function by its body, in subgraphs too, until none is left.
/// Inlined nodes take over the call's origins. Throws limit_exceeded past limits.inlined_nodes or
/// nesting.
void inline_functions(Model& model, const Limits& limits, const CancelToken& cancel = {});

/// Replaces those nodes of the main graph that call a model-local function by its body, calls in
/// the body too. The functions stay in the model. Throws as inline_functions() does.
void inline_calls(Model& model, std::span<const NodeId> calls, const Limits& limits,
                  const CancelToken& cancel = {});

}  // namespace lapidary
