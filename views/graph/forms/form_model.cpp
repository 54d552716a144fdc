// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/form_model.h"

#include <algorithm>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_select.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// Whether the recipe edits the model and does nothing else.
bool editsAlone(app::Recipe recipe) {
    recipe.edits.clear();
    return recipe == app::Recipe();
}

}  // namespace

NamedWord namedWord(const std::string& name) {
    return {labelText(name), exactText(edit_word(name))};
}

QString nodeWord(const Node& node) {
    return node.name.empty() ? QStringLiteral("index:%1").arg(node.id.index)
                             : exactText(edit_word(node.name));
}

FormModel::FormModel(const app::Workbench& workbench, const EditTarget& target)
    : model_(target.model ? target.model : workbench.opened()->model), graph_(target.graph) {
    if (const app::DocumentPtr shown = workbench.document();
        !target.model && shown && shown->variant && editsAlone(shown->variant->recipe))
        model_ = shown->model;
    if (!graph_ || !target.model) graph_ = &model_->graph;
}

NamedWords FormModel::names(Names kind) const {
    NamedWords words;
    const auto add = [&](const std::string& name) {
        if (words.size() < mostNames && !name.empty()) words.push_back(namedWord(name));
    };
    const Graph& all = graph();
    switch (kind) {
    case Names::none: break;
    case Names::nodes:
        for (const NodeId id : all.nodes()) {
            const Node& node = all.node(id);
            if (words.size() < mostNames)
                words.push_back(
                    {labelText(node.name.empty() ? node.describe() : node.name), nodeWord(node)});
        }
        break;
    case Names::values:
        for (const ValueId id : all.values()) add(all.value(id).name);
        break;
    case Names::inputs:
        for (const ValueId id : all.inputs()) add(all.value(id).name);
        break;
    case Names::outputs:
        for (const ValueId id : all.outputs()) add(all.value(id).name);
        break;
    case Names::constants:
        for (const ValueId id : all.initializers()) add(all.value(id).name);
        break;
    case Names::functions:
        for (const Function& function : model_->functions)
            add(function.domain + "::" + function.name);
        break;
    case Names::metadata:
        for (const auto& [key, text] : model_->metadata) add(key);
        break;
    }
    return words;
}

NamedWords FormModel::namedDimensions() const {
    std::set<std::string> found;
    const auto collect = [&](std::span<const ValueId> ids) {
        for (const ValueId id : ids)
            if (const Type& type = graph().value(id).type; type.shape)
                for (const Dim& dim : *type.shape)
                    if (dim.is_symbolic()) found.insert(dim.symbol());
    };
    collect(graph().inputs());
    collect(graph().outputs());
    NamedWords words;
    for (const std::string& name : found) words.push_back(namedWord(name));
    return words;
}

NamedWords FormModel::fixedDimensions() const {
    NamedWords words;
    for (const ValueId id : graph().inputs()) {
        const Value& value = graph().value(id);
        if (!value.type.shape) continue;
        for (std::size_t axis = 0; axis < value.type.shape->size(); ++axis) {
            const Dim& dim = (*value.type.shape)[axis];
            if (!dim.is_known() || words.size() >= mostNames) continue;
            const QString place = QStringLiteral("[%1]").arg(axis);
            words.push_back(
                {labelText(value.name) + place + QStringLiteral(" = %1").arg(dim.value()),
                 exactText(edit_word(value.name)) + place});
        }
    }
    return words;
}

ValueId FormModel::value(const QString& word) const {
    try {
        return word.isEmpty() ? ValueId() : select_value(graph(), word.toStdString());
    } catch (const Error&) { return {}; }
}

std::vector<NodeId> FormModel::nodes(const QString& selection) const {
    try {
        return selection.isEmpty() ? std::vector<NodeId>()
                                   : select_nodes(graph(), selection.toStdString());
    } catch (const Error&) { return {}; }
}

NodeId FormModel::node(const QString& word) const {
    try {
        return word.isEmpty() ? NodeId() : select_node(graph(), word.toStdString());
    } catch (const Error&) { return {}; }
}

}  // namespace lapidary::views
