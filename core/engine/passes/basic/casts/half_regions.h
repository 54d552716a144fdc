// SPDX-License-Identifier: Apache-2.0
// Finds regions that compute in float16 or bfloat16 only because of Casts around them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "patterns/scope.h"

namespace lapidary {

/// Operators connected by half values that could compute in float32: all half values that they read
/// come from Casts of float32, from constants of one element, or from one another.
struct HalfRegion {
    std::vector<NodeId> members;  // in the order given
    // Casts that are unnecessary in float32: those in front that only members read, and those
    // behind that convert back
    std::vector<NodeId> dropped;
    // results of members that are also read as halves elsewhere; each needs a Cast
    std::vector<ValueId> kept;
    bool computes = false;  // some member does more than move elements
};

struct HalfRegions {
    std::vector<HalfRegion> regions;
    /// A Cast of float32 to half that is needed because something outside of the regions reads it.
    struct Kept {
        NodeId cast;
        NodeId reader;  // none: a graph output, or a subgraph
        std::string reason;
    };
    std::vector<Kept> kept;
};

/// `nodes`: of scope.graph, in topological order. Throws cancelled.
HalfRegions half_regions(const Scope& scope, std::span<const NodeId> nodes,
                         const CancelToken& cancel);

/// The float32 value that a Cast to float16 or bfloat16 rounds, when `value` is the result of one;
/// else an empty id.
ValueId before_rounding(const Scope& scope, ValueId value);

}  // namespace lapidary
