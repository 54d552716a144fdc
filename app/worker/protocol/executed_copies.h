// SPDX-License-Identifier: Apache-2.0
// Copies between kinds of memory in an executed graph, for a process that does not know the
// provider that they are for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/exec/placement.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

/// A step that copies, as Session::compile() put it into the graph. It makes one value: what it
/// writes on a device, or what it reads there.
struct ExecutedCopy {
    std::string domain, op, name, to;  // of the node; "to" is its attribute
    std::string made_name;
    // ids: of the node, of its new and of its other value
    std::uint32_t node = 0, made = 0, other = 0;
    // that writes the new value; of copies to the host
    std::uint32_t producer = 0, producer_output = 0;
    bool reads_made = false;  // it copies to the host
    // of the new value: node and input, copies left out
    std::vector<std::pair<std::uint32_t, std::uint32_t>> readers;
};

/// In the order in which they were made.
std::vector<ExecutedCopy> copies_of(const Graph& executed, const PlacementReport& placement);
/// Puts them into the graph as it was before, under the same ids. Throws io_failure where they do
/// not fit it.
void add_copies(Graph& graph, const std::vector<ExecutedCopy>& copies);

void write_copies(ByteWriter& out, const std::vector<ExecutedCopy>& copies);
std::vector<ExecutedCopy> read_copies(ByteReader& in);

}  // namespace lapidary::app
