// SPDX-License-Identifier: Apache-2.0
// Which graph inputs and outputs may lie on a device before and after a run, and why the others may
// not.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "exec/plan/placement.h"

namespace lapidary {

struct ResidentPlan {
    struct Input {
        ValueId id;
        // the only one that reads its elements; null: `reason` says why there is none
        const DeviceProvider* device = nullptr;
        std::string reason;
    };
    struct Output {
        // id: written by the copy to the host; original: read by it
        ValueId id, original;
        // the one that makes the original; null: `reason` says why there is none
        const DeviceProvider* device = nullptr;
        bool is_read_on_host = false;  // the copy is needed anyway
        std::string reason;
    };
    std::vector<Input> inputs;    // all inputs of the graph, in order
    std::vector<Output> outputs;  // all outputs of the graph, in order

    const Input* input(ValueId id) const;    // null: not an input
    const Output* output(ValueId id) const;  // null: not an output
};

/// `graph` already has its copies (insert_copies()).
ResidentPlan make_resident_plan(const Graph& graph, const DevicePlacement& placement);

}  // namespace lapidary
