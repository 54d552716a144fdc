// SPDX-License-Identifier: GPL-3.0-or-later
// The times of a run for the nodes of a shown graph: of the graph that ran, or of the original one
// that a variant was made of.
#pragma once

#include <memory>
#include <unordered_map>

#include "workbench/workbench.h"

namespace lapidary::views {

struct NodeCosts {
    app::RunRecordPtr run;
    ModelPtr shown;
    std::unordered_map<NodeId, double> ms;  // in the typical run
    // 0..1; of nodes whose work is known, of runs on this machine
    std::unordered_map<NodeId, double> shareOfPeak;
    // another variant ran; times of its nodes are shared out
    bool rolledBack = false;
};
using NodeCostsPtr = std::shared_ptr<const NodeCosts>;

/// Takes as long as the machine's peak is not measured yet, and as sizes of the original take to be
/// inferred.
NodeCostsPtr nodeCosts(const app::RunRecordPtr& run, const ModelPtr& shown,
                       const Progress& progress);

}  // namespace lapidary::views
