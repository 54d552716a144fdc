// SPDX-License-Identifier: Apache-2.0
// Where each node of a session runs, why not elsewhere, and what is copied between kinds of memory
// because of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/ids.h>

namespace lapidary {

/// Which nodes may run on the CPU when a session has other providers.
enum class Fallback : std::uint8_t {
    allow,   // every node that no provider takes
    shapes,  // only nodes that compute with shapes
    forbid   // none
};

/// Why a provider does not run a node: a noun phrase or a short sentence without a full stop.
struct PlacementReason {
    std::string provider, reason;  // "CUDA", "no kernel for i64"
};

/// Where one node runs.
struct NodePlacement {
    NodeId node;             // in Session::model()
    std::string name, op;    // of the node, "MatMul_17" where it has none; "com.microsoft::Gelu"
    std::string provider;    // that runs it
    std::size_t island = 0;  // in PlacementReport::islands; meaningless on the CPU
    bool is_shape_computation = false;  // it computes sizes for other nodes
    /// of each provider that was asked before and does not run it
    std::vector<PlacementReason> reasons;
};

/// Nodes of one provider, joined by values that stay in its memory, with no path that leaves them
/// and comes back.
struct PlacementIsland {
    std::string provider;   // that runs them
    std::size_t nodes = 0;  // how many
    /// time won over the CPU and lost to copies, as the provider estimates them
    double gain_ns = 0, copies_ns = 0;
};

/// A value copied from one kind of memory to another while the model runs.
struct PlannedCopy {
    NodeId node;                  // the step of the session that copies
    std::string value, from, to;  // the value's name and two providers
    std::string cause;            // who needs it there: "node 'MatMul_3'", "graph output"
    std::int64_t bytes = -1;      // -1: the shape is known only when the model runs
};

/// Main graph alone: the bodies of control flow run where their nodes run, on the CPU.
struct PlacementReport {
    std::vector<NodePlacement> nodes;      // in the order of the steps; copies are not among them
    std::vector<PlacementIsland> islands;  // in the order of their first node
    std::vector<PlannedCopy> copies;       // in the order of the steps

    bool uses_cpu_alone() const { return islands.empty(); }  // no other provider took a node
};

}  // namespace lapidary
