// SPDX-License-Identifier: Apache-2.0
// Copies between kinds of memory, as nodes of the graph that runs: lapidary::Copy, from input 0 to
// output 0. Plan, profile and memory planner treat them as ordinary steps.
#pragma once

#include <string_view>

#include <lapidary/graph/graph.h>

#include "exec/plan/placement.h"

namespace lapidary {

inline constexpr std::string_view copy_operator = "Copy";

bool is_copy(const Node& node);
CopyDirection copies_to(const Node& copy);

/// Where the values of the main graph lie, by ValueId::index; null: in host memory. Constants are
/// always in host memory.
using ValueMemory = std::vector<const DeviceProvider*>;

/// Inserts a copy for each value that is read in another memory than it is made in: one to the host
/// for all its readers there, and one to each device. A value that the host needs keeps its id and
/// name there, so that graph outputs and readers in subgraphs stay as they are; the device's
/// original is then named "NAME@PROVIDER". A reader of only the shape needs no copy, because the
/// device's value has a shape in host memory. Copies are assigned to the provider that is not the
/// CPU.
void insert_copies(Graph& graph, DevicePlacement& placement, const CancelToken& cancel);

/// Call after insert_copies().
ValueMemory memory_of_values(const Graph& graph, const DevicePlacement& placement);

/// `graph` already has its copies.
PlacementReport report_placement(const Graph& graph, const DevicePlacement& placement);

}  // namespace lapidary
