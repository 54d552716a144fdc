// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/surgery/graph_surgery.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <lapidary/base/error.h>

#include "graph/surgery/surgery_target.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"
#include "workbench/text/recipe.h"
#include "worker/jobs/edit_job.h"

namespace lapidary::views {

QString editEffect(const EditLineReport& line) {
    QStringList parts;
    const auto count = [&](const QString& text, std::size_t number) {
        if (number > 0) parts << text.arg(number);
    };
    count(GraphSurgery::tr("removed: %1"), line.nodes_removed);
    count(GraphSurgery::tr("added: %1"), line.nodes_added);
    count(GraphSurgery::tr("changed: %1"), line.nodes_changed);
    QString text = labelText(line.text, 120);
    if (!parts.isEmpty())
        text = GraphSurgery::tr("%1 (nodes %2)").arg(text, parts.join(QStringLiteral(", ")));
    for (const std::string& note : line.notes) text += u' ' + labelText(app::editReason(note), 200);
    return text;
}

namespace {

/// Why an edit by hand cannot be done. Nobody wrote its line, so the places leave out the lines
/// after the first `before` ones.
QString reasonByHand(const Error& error, int before) {
    std::string text;
    for (const std::string& place : error.where()) {
        int line = 0;
        const bool isLine = std::sscanf(place.c_str(), "line %d", &line) == 1;
        if (!isLine || line <= before) text += place + ": ";
    }
    return sentenceText(app::editReason(text + error.message()));
}

}  // namespace

GraphSurgery::GraphSurgery(app::Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench) {
    // later, when all views have the new graph
    connect(
        &workbench_, &app::Workbench::documentChanged, this,
        [this] {
            const NodeId next = std::exchange(next_, NodeId());
            const app::DocumentPtr shown = workbench_.document();
            const app::Focus& focus = workbench_.focus();
            if (next && shown && !focus.node && !focus.value && shown->model->graph.is_alive(next))
                workbench_.focusNode(next);
        },
        Qt::QueuedConnection);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        trial_.drop();
        next_ = {};
    });
}

bool GraphSurgery::isBusy() const {
    return trial_.isRunning() || workbench_.recipeWanted() != workbench_.recipeInForce();
}

bool GraphSurgery::hasLevel() const {
    const app::Recipe recipe = workbench_.recipeInForce();
    return recipe != withoutLevel(recipe);
}

void GraphSurgery::showWithoutLevel() {
    if (workbench_.opened() && hasLevel())
        workbench_.choose(withoutLevel(workbench_.recipeInForce()), tr("show it without a level"));
}

void GraphSurgery::apply(const QString& line, NodeId next) {
    if (!workbench_.opened()) return;
    if (isBusy()) return emit refused(tr("The edit before is still being made."));
    app::Recipe recipe = workbench_.recipeInForce();
    int before = 0;  // lines in force
    try {
        const EditScript script = parse_edit_script(recipe.edits);
        before = int(script.lines.size());
        recipe.edits = to_string(script) + to_string(parse_edit_script(line.toStdString()));
    } catch (const Error& error) { return emit refused(reasonByHand(error, before)); }
    const std::optional<app::ModelSource> source = sourceOfEdits(workbench_, recipe);
    if (!source) return emit refused(tr("The model that is edited is not made yet."));
    next_ = next;
    trial_.start<EditReport>(
        workbench_.jobs(), tr("Try %1").arg(labelText(line, 60)),
        [engine = &workbench_.engine(), job = app::EditJob{*source, recipe.edits}](
            const Progress& progress) { return engine->call(job, progress); },
        [this, recipe, line](const EditReport& report) { choose(recipe, line, report); },
        [this, before](const Error& error) {
            next_ = {};
            if (error.code() != ErrorCode::cancelled) emit refused(reasonByHand(error, before));
        });
}

void GraphSurgery::choose(const app::Recipe& recipe, const QString& line,
                          const EditReport& report) {
    QString effect = report.lines.empty() ? line : editEffect(report.lines.back());
    if (!report.problems.empty()) {
        const EditProblem& problem = report.problems.front();
        const QString what =
            tr("the model is not valid then: %1: %2")
                .arg(labelText(problem.node, 80), sentenceText(app::editReason(problem.reason)));
        const bool isShown = std::ranges::any_of(
            report.problems, [](const EditProblem& one) { return one.node_id >= 0; });
        // an invalid model has no level, and only nodes can be shown in red
        if (!recipe.isEditedAlone() || !isShown) {
            next_ = {};
            return emit refused(tr("It is not done, because %1").arg(what));
        }
        effect = tr("%1; %2").arg(effect, what);
    }
    workbench_.choose(recipe, tr("edit: %1").arg(labelText(line, 60)));
    emit applied(line, effect);
}

}  // namespace lapidary::views
