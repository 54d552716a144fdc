// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

/// Checks run inputs against the graph's declarations: names, kinds, element types, ranks, fixed dimensions,
/// equal sizes for equal symbols. Throws invalid_input naming the input, expected and found. Returns a key
/// that is equal for equal input shapes.
std::string check_inputs(const Graph& graph, const NamedValues& inputs);

}  // namespace lapidary
