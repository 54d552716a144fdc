// SPDX-License-Identifier: Apache-2.0
// Removes what an edit left without readers.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "edit/edit_context.h"

namespace lapidary {

/// Removes the constants among these values that nothing reads any more.
void erase_unused_constants(GraphEdit& edit, const std::vector<ValueId>& values);
/// Constants of the graph that nothing reads, by name.
std::set<std::string> names_of_unused_constants(const Graph& graph);
/// Removes constants that nothing reads, but for those that were so before.
void erase_newly_unused_constants(GraphEdit& edit, const std::set<std::string>& before);
/// Removes the nodes, and then constants, that only what is no output any more needed: those that
/// led to these values. Returns how many nodes.
std::size_t erase_unused_producers(GraphEdit& edit, std::vector<ValueId> values);

}  // namespace lapidary
