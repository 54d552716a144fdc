// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/surgery/surgery_target.h"

#include <algorithm>

#include <lapidary/edit/edit_script.h>

#include "graph/surgery/edit_names.h"
#include "graph/surgery/graph_surgery.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/recipe.h"

namespace lapidary::views {
namespace {

bool isSameNode(const Graph& graph, const Node& shown) {
    if (!graph.is_alive(shown.id)) return false;
    const Node& node = graph.node(shown.id);
    return node.op_type == shown.op_type && node.domain == shown.domain && node.name == shown.name;
}

QString madeByLevel(const Graph& base, const Node& node, Level level) {
    QStringList parts;
    for (const NodeId origin : node.origins) {
        if (!base.is_alive(origin)) continue;
        if (parts.size() == 3) {
            parts << QStringLiteral("…");
            break;
        }
        parts << labelText(base.node(origin).describe(), 60);
    }
    return GraphSurgery::tr(
               "%1 was made by level %2 from: %3. Show the graph without its level to edit those, "
               "or write lines for what the level makes in Model › Edit ….")
        .arg(labelText(node.describe(), 80), app::nameOf(level),
             parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral(", ")));
}

/// The model that the edits in force made; null: not made yet.
ModelPtr editedModel(app::Workbench& workbench, const app::Recipe& alone) {
    if (alone.isOriginal()) return workbench.opened()->model;
    const app::VariantPtr variant = workbench.variants().find(alone);
    return variant ? variant->model : nullptr;
}

/// What a step inward leads to.
struct InnerGraph {
    const Graph* graph = nullptr;        // null: it is not there
    const Function* function = nullptr;  // whose body it is; null: it is the body of a node
};

InnerGraph innerGraph(const Model& model, const Graph& graph, const GraphPath::Step& step) {
    if (!graph.is_alive(step.node)) return {};
    const Node& node = graph.node(step.node);
    if (step.attribute == "function")
        if (const Function* function =
                model.find_function(node.domain, node.op_type, node.overload))
            return {function->body.get(), function};
    GraphPath one;
    one.steps = {step};
    return {find_graph(graph, one), nullptr};
}

/// Goes to the body that the selection is in. Lines about a function begin anew with it.
void enterBody(SurgeryTarget& target, const SurgerySelection& selection) {
    for (const GraphPath::Step& step : selection.body.steps) {
        const InnerGraph inner = innerGraph(*target.model, *target.graph, step);
        if (!inner.graph || step.index > 0) {
            target.refusal = GraphSurgery::tr("This body cannot be edited by hand.");
            return;
        }
        target.prefix =
            inner.function
                ? QStringLiteral("in function %1 ").arg(exactText(edit_word(inner.function->name)))
                : QStringLiteral("%1in %2.%3 ")
                      .arg(target.prefix, editName(*target.graph, step.node),
                           exactText(edit_word(step.attribute)));
        target.graph = inner.graph;
    }
    for (const NodeId id : selection.nodes)
        if (target.graph->is_alive(id)) target.nodes.push_back(id);
    if (selection.value && target.graph->is_alive(selection.value)) target.value = selection.value;
}

}  // namespace

app::Recipe withoutLevel(const app::Recipe& recipe) {
    app::Recipe alone;
    alone.edits = recipe.edits;
    alone.other_model = recipe.other_model;
    return alone;
}

const Graph* selectedGraph(const Model& model, const GraphPath& body) {
    const Graph* graph = &model.graph;
    for (const GraphPath::Step& step : body.steps)
        if (graph) graph = innerGraph(model, *graph, step).graph;
    return graph;
}

std::optional<app::ModelSource> sourceOfEdits(app::Workbench& workbench,
                                              const app::Recipe& recipe) {
    if (!recipe.other_model) return workbench.opened()->source;
    app::Recipe other;
    other.other_model = recipe.other_model;
    const app::VariantPtr made = workbench.variants().find(other);
    return made ? std::optional(workbench.sourceOf(made)) : std::nullopt;
}

SurgeryTarget surgeryTarget(app::Workbench& workbench, const SurgerySelection& selection) {
    SurgeryTarget target;
    const app::DocumentPtr shown = workbench.document();
    if (!shown || !workbench.opened()) {
        target.refusal = GraphSurgery::tr("No model is open.");
        return target;
    }
    if (selection.isMixed) {
        target.refusal = GraphSurgery::tr(
            "Select nodes of one graph: of the main graph, or of one "
            "body.");
        return target;
    }
    const app::Recipe recipe = workbench.recipeInForce(), alone = withoutLevel(recipe);
    if (recipe.quantization) {
        target.refusal = GraphSurgery::tr(
            "A quantized model is not edited by hand: show the graph without its level, edit that, "
            "then quantize it.");
        return target;
    }
    target.model = recipe == alone ? shown->model : editedModel(workbench, alone);
    if (!target.model) {
        target.refusal =
            GraphSurgery::tr("The graph without its level is not made yet: show it first.");
        return target;
    }
    target.graph = &target.model->graph;
    if (!selection.body.is_main()) {
        if (target.model != shown->model)
            target.refusal = GraphSurgery::tr("Show the graph without its level to edit bodies.");
        else enterBody(target, selection);
        return target;
    }
    const Graph& graph = shown->model->graph;
    const Graph& base = target.model->graph;
    for (const NodeId id : selection.nodes) {
        if (!graph.is_alive(id)) continue;
        if (target.model != shown->model && !isSameNode(base, graph.node(id))) {
            target.refusal =
                madeByLevel(base, graph.node(id), recipe.level.value_or(Level::disabled));
            return target;
        }
        target.nodes.push_back(id);
    }
    const ValueId value = selection.value;
    if (!value || !graph.is_alive(value)) return target;
    if (base.is_alive(value) && base.value(value).name == graph.value(value).name)
        target.value = value;
    else
        target.refusal = GraphSurgery::tr(
            "This value was made by a level. Show the graph without its "
            "level to edit what it stands for.");
    return target;
}

NodeId neighbourOf(const Graph& graph, const std::vector<NodeId>& nodes) {
    const auto stays = [&](NodeId id) {
        return id && std::ranges::find(nodes, id) == nodes.end() && graph.is_alive(id);
    };
    for (const NodeId id : nodes)
        for (const ValueId output : graph.node(id).outputs)
            if (output)
                for (const Use& use : graph.value(output).uses)
                    if (stays(use.node)) return use.node;
    for (const NodeId id : nodes)
        for (const ValueId input : graph.node(id).inputs)
            if (input && stays(graph.value(input).producer)) return graph.value(input).producer;
    return {};
}

}  // namespace lapidary::views
