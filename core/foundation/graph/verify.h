// SPDX-License-Identifier: Apache-2.0
// Every invariant of the graph IR, checked after each load and each pass.
#pragma once

#include <lapidary/graph/graph.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Throws Error{internal} naming the first broken invariant: ids alive, names unique, use lists
/// exact, one writer per value, order topological, captures exact, subgraphs likewise. Throws
/// cancelled.
void verify(const Graph& graph, const CancelToken& cancel = {});
void verify(const Model& model, const CancelToken& cancel = {});

}  // namespace lapidary
