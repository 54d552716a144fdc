// SPDX-License-Identifier: Apache-2.0
// Every invariant of the graph IR, checked after each load and each pass.
#pragma once

#include <lapidary/graph.h>
#include <lapidary/model.h>

namespace lapidary {

/// Throws Error{internal} naming the first broken invariant: ids alive, names unique, use lists exact, one
/// writer per value, order topological, captures exact, subgraphs likewise.
void verify(const Graph& graph);
void verify(const Model& model);

}  // namespace lapidary
