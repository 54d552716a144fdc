// SPDX-License-Identifier: GPL-3.0-or-later
// The times of a run for the nodes of the shown graph, which is the graph that ran, or the original
// of the variant that ran.
#pragma once

#include <memory>
#include <unordered_map>

#include "workbench/workbench.h"

namespace lapidary::views {

struct NodeCosts {
    app::RunRecordPtr run;
    ModelPtr shown;
    std::unordered_map<NodeId, double> ms;  // in the typical run
    // 0..1; only nodes whose work is known, and only runs on this machine
    std::unordered_map<NodeId, double> shareOfPeak;
    // another variant ran; the times of its nodes are divided among their original nodes
    bool rolledBack = false;
};
using NodeCostsPtr = std::shared_ptr<const NodeCosts>;

/// Slow if the machine's peak is not measured yet or sizes of the original must be inferred.
NodeCostsPtr nodeCosts(const app::RunRecordPtr& run, const ModelPtr& shown,
                       const Progress& progress);

}  // namespace lapidary::views
