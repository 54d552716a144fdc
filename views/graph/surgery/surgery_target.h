// SPDX-License-Identifier: GPL-3.0-or-later
// What a gesture on the drawn graph means: nodes and a value of the graph that edits are applied
// to. That graph has no level; a level's own nodes are not in it.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include <lapidary/graph/graph_path.h>

#include "workbench/workbench.h"

namespace lapidary::views {

/// What is selected on the graph that is shown.
struct SurgerySelection {
    GraphPath body;             // the graph that they are in: the main graph, or a body
    std::vector<NodeId> nodes;  // of that graph
    ValueId value;              // of that graph: the selected line, input or output; of one node:
                                // its first output
    bool isMixed = false;       // things of several graphs are selected
};

/// The same on the graph that edits are applied to.
struct SurgeryTarget {
    ModelPtr model;                // null: there is none
    const Graph* graph = nullptr;  // of `model`: the main graph, or a body
    QString prefix;                // of lines about a body: "in If_3.then_branch "
    std::vector<NodeId> nodes;     // of `graph`
    ValueId value;                 // of `graph`
    QString refusal;               // why nothing of it can be edited; empty: it can
};

/// The graph of the model that the path leads to, also into functions; null: it is not there.
const Graph* selectedGraph(const Model& model, const GraphPath& body);

/// The edits of a recipe alone, of the model that they are applied to: no level, no quantization.
app::Recipe withoutLevel(const app::Recipe& recipe);

/// The model that the first of the recipe's edits is applied to: the opened one, or the other file
/// that takes its place. Nothing: that one is not made yet.
std::optional<app::ModelSource> sourceOfEdits(app::Workbench& workbench, const app::Recipe& recipe);

/// Finds what is selected in the graph that the edits in force made.
SurgeryTarget surgeryTarget(app::Workbench& workbench, const SurgerySelection& selection);

/// A node to select once these are gone: one that reads what they wrote, or that wrote what they
/// read. Invalid: there is none.
NodeId neighbourOf(const Graph& graph, const std::vector<NodeId>& nodes);

}  // namespace lapidary::views
