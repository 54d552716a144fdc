// SPDX-License-Identifier: GPL-3.0-or-later
// What forms of edits know of the model that their lines are for: its names.
#pragma once

#include <QString>

#include <vector>

#include <lapidary/graph/model.h>

#include "graph/forms/edit_target.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// Something that a word of a line may name.
struct NamedWord {
    QString shown;  // as lists show it
    QString word;   // as the line has it
};
using NamedWords = std::vector<NamedWord>;

class FormModel {
public:
    enum class Names { none, nodes, values, inputs, outputs, constants, functions, metadata };

    /// The model and graph of the target.
    FormModel(const app::Workbench& workbench, const EditTarget& target);

    const Model& model() const { return *model_; }
    const Graph& graph() const { return *graph_; }
    /// The first names of that kind, at most `mostNames`.
    NamedWords names(Names kind) const;
    /// Dimensions that have a name in inputs or outputs.
    NamedWords namedDimensions() const;
    /// Fixed dimensions of inputs: "x[0]", shown with their sizes.
    NamedWords fixedDimensions() const;
    /// The value that a word names; an empty id where there is none.
    ValueId value(const QString& word) const;
    /// The node that a word names; an empty id where there is none, or several.
    NodeId node(const QString& word) const;
    /// The nodes that a selection names; empty where it names none.
    std::vector<NodeId> nodes(const QString& selection) const;

    static constexpr std::size_t mostNames = 5000;

private:
    ModelPtr model_;
    const Graph* graph_;  // of the model
};

/// A name of the model and the word for it.
NamedWord namedWord(const std::string& name);
/// The word for a node: its name, or its number where it has none.
QString nodeWord(const Node& node);

}  // namespace lapidary::views
