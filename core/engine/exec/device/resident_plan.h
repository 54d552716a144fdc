// SPDX-License-Identifier: Apache-2.0
// Which inputs and outputs of a graph may lie on a device before and after a run, and why others
// may not.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "exec/plan/placement.h"

namespace lapidary {

struct ResidentPlan {
    struct Input {
        ValueId id;
        // which alone reads its elements; null: `reason` says why none does
        const DeviceProvider* device = nullptr;
        std::string reason;
    };
    struct Output {
        // what the copy to the host writes, and what it reads
        ValueId id, original;
        // that makes the original; null: `reason` says why none does
        const DeviceProvider* device = nullptr;
        bool is_read_on_host = false;  // the copy is needed anyway
        std::string reason;
    };
    std::vector<Input> inputs;    // all of the graph, in order
    std::vector<Output> outputs;  // likewise

    const Input* input(ValueId id) const;    // null: it is none
    const Output* output(ValueId id) const;  // null: it is none
};

/// Of the graph with its copies.
ResidentPlan make_resident_plan(const Graph& graph, const DevicePlacement& placement);

}  // namespace lapidary
