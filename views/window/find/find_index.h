// SPDX-License-Identifier: GPL-3.0-or-later
// The search index of the shown model: nodes and tensors of the main graph and of all subgraphs.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "models/find_query.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct FindEntry {
    FindSubject subject;
    QString title, detail;  // "encoder/layer.3/MatMul", "MatMul · 1.24 ms"
    NodeId node;            // of a node
    ValueId value;          // of a tensor
    GraphPtr body;          // the subgraph that it is in; null: the main graph
};

struct FindIndex {
    std::vector<FindEntry> nodes, tensors;
};
using FindIndexPtr = std::shared_ptr<const FindIndex>;

/// `run`: of the model, for times; may be null or of another one.
FindIndexPtr makeFindIndex(const ModelPtr& model, const app::RunRecordPtr& run,
                           const Progress& progress);

/// Entries that the query matches, at most `most`: names that begin with the first word come first,
/// then those that take longest, then in model order. `total`: number of matches.
std::vector<const FindEntry*> findIn(const std::vector<FindEntry>& entries, const FindQuery& query,
                                     std::size_t most, std::size_t& total);

}  // namespace lapidary::views
