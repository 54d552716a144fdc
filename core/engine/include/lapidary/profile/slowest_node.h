// SPDX-License-Identifier: Apache-2.0
// Which node a verdict names as the slowest, and whether its time is its own.
#pragma once

#include <algorithm>
#include <string_view>

#include <lapidary/profile/profile.h>

namespace lapidary {

/// The time of such a node is that of the nodes in its bodies.
inline bool runs_bodies(std::string_view op) {
    return op == "If" || op == "Loop" || op == "Scan" || op == "SequenceMap";
}

/// The slowest of `nodes`, slowest first, that did the work itself; the first where none did. Null
/// of no nodes.
template <typename Nodes>
const NodeTotal* slowest_of(const Nodes& nodes) {
    if (nodes.empty()) return nullptr;
    const auto own =
        std::ranges::find_if(nodes, [](const NodeTotal& node) { return !runs_bodies(node.op); });
    return own == nodes.end() ? &nodes.front() : &*own;
}

/// Something else had the processor while it ran: in the typical run it took more than four times
/// as long as in its fastest one, and a quarter of the run or more by that alone. Of nodes of the
/// main graph, which run once in each run.
inline bool was_held_up(const NodeTotal& node, double wall_ms) {
    return node.node && node.calls > 1 && node.ms > 4 * node.min_ms &&
           node.ms - node.min_ms >= wall_ms / 4;
}

}  // namespace lapidary
