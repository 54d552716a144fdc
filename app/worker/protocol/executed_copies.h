// SPDX-License-Identifier: Apache-2.0
// The copies between kinds of memory in an executed graph, for a process that does not have the
// provider they belong to.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/exec/placement.h>

namespace lapidary::app {

/// A copying step that Session::compile() added to the graph. It makes one new value: on the device
/// for a copy to the device, in host memory for a copy to the host.
struct ExecutedCopy {
    std::string domain, op, name, to;  // of the node; "to" is its attribute
    std::string made_name;
    // ids of the node, its new value and its other value
    std::uint32_t node = 0, made = 0, other = 0;
    // for copies to the host: the node and output that make the device's value
    std::uint32_t producer = 0, producer_output = 0;
    bool reads_made = false;  // true: a copy to the host
    // readers of the new value, as node and input, without copies
    std::vector<std::pair<std::uint32_t, std::uint32_t>> readers;
};

/// In the order in which they were added.
std::vector<ExecutedCopy> copies_of(const Graph& executed, const PlacementReport& placement);
/// Adds them to the graph without copies, with the same ids. Throws io_failure if they do not fit.
void add_copies(Graph& graph, const std::vector<ExecutedCopy>& copies);

}  // namespace lapidary::app
