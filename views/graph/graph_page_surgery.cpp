// SPDX-License-Identifier: GPL-3.0-or-later
// Edits by hand on the Graph page: what they are of, and what is said of them.
#include <algorithm>
#include <optional>
#include <utility>

#include "graph/forms/edit_form_dialog.h"
#include "graph/graph_extract.h"
#include "graph/graph_page.h"
#include "graph/kept_view.h"
#include "graph/surgery/edit_names.h"
#include "graph/surgery/surgery_actions.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

void GraphPage::makeSurgery() {
    QAction* marked =
        addAction(tr("Select what is marked"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                  tr("Select the nodes that a search or a command marked"));
    connect(marked, &QAction::triggered, this, &GraphPage::selectMarked);
    surgery_ = new SurgeryActions(
        workbench_, [this] { return surgerySelection(); }, {canvas_, table_->view()}, this);
    table_->view()->installEventFilter(this);
    table_->view()->viewport()->installEventFilter(this);
    for (QAction* action : surgery_->actions()) {
        actions_ << action;
        if (action->shortcutContext() == Qt::WidgetWithChildrenShortcut) QWidget::addAction(action);
    }
    canvas_->setRewirable(true);
    connect(canvas_, &GraphCanvas::rewireRequested, this, &GraphPage::rewire);
    connect(surgery_, &SurgeryActions::refused, this, &GraphPage::showRefusal);
    connect(table_, &GraphTable::refusalDismissed, this, &GraphPage::hideRefusal);
    connect(surgery_, &SurgeryActions::formRequested, this, &GraphPage::askForLine);
    connect(&surgery_->surgery(), &GraphSurgery::applied, this,
            [this](const QString&, const QString& effect) {
                hideRefusal();
                emit statusMessage(tr("%1 · Ctrl+Z undoes it").arg(effect));
            });
}

/// Whether the graph to be drawn differs by edits alone from the one drawn before.
bool GraphPage::isEdited() {
    const app::DocumentPtr opened = workbench_.opened();
    const app::Recipe recipe = workbench_.recipeInForce();
    app::Recipe before = std::exchange(drawnRecipe_, recipe);
    const bool isSameModel = opened && drawnOf_.lock() == opened;
    drawnOf_ = opened;
    if (!isSameModel || before.edits == recipe.edits) return false;
    before.edits = recipe.edits;
    return before == recipe;
}

/// What stays where it is in the next drawing; nothing is kept of an unrelated graph.
KeptView GraphPage::keptView() {
    const app::DocumentPtr opened = workbench_.opened();
    std::filesystem::path file = opened ? opened->source.file : std::filesystem::path();
    std::error_code failure;  // then it is compared as it is
    if (!file.empty())
        if (auto whole = std::filesystem::absolute(file, failure); !failure)
            file = std::move(whole);
    const bool isReadAgain = !file.empty() && drawnFile_ == file && drawnOf_.lock() != opened;
    drawnFile_ = std::move(file);
    const bool keeps = isEdited() || isReadAgain;
    KeptView kept = keeps ? keepView(*canvas_) : KeptView();
    kept.isReadAgain = isReadAgain;
    return kept;
}

/// The only node of the main graph that the drawn one did not have; none: there are several, or a
/// level made the nodes.
NodeId GraphPage::newNode() const {
    const app::DocumentPtr shown = workbench_.document();
    const app::Recipe recipe = workbench_.recipeInForce();
    if (!outline_ || !shown || recipe.level || recipe.quantization) return {};
    NodeId found;
    for (const NodeId id : shown->model->graph.nodes()) {
        if (outline_->model()->graph.is_alive(id)) continue;
        if (found) return {};
        found = id;
    }
    return found;
}

SurgerySelection GraphPage::surgerySelection() const {
    SurgerySelection selected;
    const app::DocumentPtr shown = workbench_.document();
    if (!outline_ || !shown || outline_->model() != shown->model) return selected;
    const GraphSelection& selection = canvas_->selection();
    std::optional<OutlineIndex> place;  // that all of it is in
    const auto isIn = [&](OutlineIndex other) {
        selected.isMixed = selected.isMixed || (place && *place != other);
        place = other;
    };
    if (selection.group != noIndex) {
        selected.nodes = nodesOf(*outline_, selection);
        isIn(selected.nodes.empty() ? outline_->groups()[selection.group].place : 0);
    }
    for (const OutlineIndex index : selection.leaves()) {
        const OutlineLeaf& leaf = outline_->leaves()[index];
        isIn(leaf.place);
        if (leaf.kind == OutlineLeaf::Kind::Node) selected.nodes.push_back(leaf.node);
        else if (index == selection.leaf) selected.value = leaf.value;
    }
    if (selection.tensor != noIndex) {
        isIn(outline_->tensors()[selection.tensor].place);
        selected.value = outline_->tensors()[selection.tensor].value;
    }
    const OutlinePlace& within = outline_->places()[place.value_or(0)];
    if (!selected.isMixed) selected.body = within.path;
    const app::Focus& focus = workbench_.focus();
    if (selection.isEmpty() && focus.value && !focus.body) selected.value = focus.value;
    if (selected.nodes.size() == 1 && !selected.value && !selected.isMixed)
        for (const ValueId output : within.graph->node(selected.nodes.front()).outputs)
            if (output && !selected.value) selected.value = output;
    return selected;
}

/// Asks for the rest of the line, then applies it.
void GraphPage::askForLine(const QString& form, const QStringList& nodes, const QString& value,
                           const QStringList& keywords) {
    const SurgeryTarget target = surgeryTarget(workbench_, surgerySelection());
    auto* dialog = new EditFormDialog(
        workbench_, form,
        {nodes, value, keywords, target.prefix, target.model, target.graph, surgery_->askedTitle()},
        this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        surgery_->applyLine(dialog->line());
        canvas_->setFocus();
    });
    dialog->open();
}

/// Which input of a node reads a tensor: its own graph's, or one of the graph around it. -1: none
/// does by itself.
std::ptrdiff_t GraphPage::inputReading(OutlineIndex tensor, const OutlineLeaf& reader) const {
    const OutlineTensor& read = outline_->tensors()[tensor];
    const Graph& graph = *outline_->places()[reader.place].graph;
    const std::vector<ValueId>& inputs = graph.node(reader.node).inputs;
    const auto at = std::ranges::find_if(inputs, [&](ValueId input) {
        if (read.place == reader.place || !input) return input && input == read.value;
        const Value& value = graph.value(input);
        return value.kind == ValueKind::captured && value.outer == read.value;
    });
    return at == inputs.end() ? -1 : at - inputs.begin();
}

/// The reader of a line reads another value of its own graph: that of another line, an input of the
/// model, or what a node writes first.
void GraphPage::rewire(OutlineIndex tensor, OutlineIndex reader, OutlineIndex leaf,
                       OutlineIndex other) {
    if (!outline_) return;
    const OutlineLeaf& end = outline_->leaves()[reader];
    SurgerySelection wanted;
    wanted.body = outline_->places()[end.place].path;
    if (end.kind == OutlineLeaf::Kind::Node) wanted.nodes = {end.node};
    OutlineIndex place = end.place;  // that the new value is of
    if (other != noIndex) {
        place = outline_->tensors()[other].place;
        wanted.value = outline_->tensors()[other].value;
    } else {
        const OutlineLeaf& source = outline_->leaves()[leaf];
        place = source.place;
        if (source.kind == OutlineLeaf::Kind::Input) wanted.value = source.value;
        if (source.kind == OutlineLeaf::Kind::Node)
            for (const ValueId output : outline_->nodeOf(source).outputs)
                if (output && !wanted.value) wanted.value = output;
    }
    if (place != end.place)
        return showRefusal(tr("A line is dragged within one graph: the main graph, or one body."));
    if (wanted.nodes.empty() || !wanted.value)
        return showRefusal(
            tr("Drag the end of a line at a node onto another line, a node or an "
               "input of the model."));
    const SurgeryTarget target = surgeryTarget(workbench_, wanted);
    if (!target.refusal.isEmpty()) return showRefusal(target.refusal);
    const Graph& graph = *target.graph;
    const std::ptrdiff_t at = inputReading(tensor, end);
    if (at < 0) return showRefusal(tr("The node reads this line inside of its body."));
    surgery_->applyLine(target.prefix + QStringLiteral("connect %1 -> %2.%3")
                                            .arg(editName(graph, target.value),
                                                 editName(graph, end.node), QString::number(at)));
}

/// On the selected box and in the status bar; of the table's rows above them, where there is room.
void GraphPage::showRefusal(const QString& reason) {
    refusal_ = reason;
    table_->showRefusal(reason);
    emit statusMessage(asTable_->isChecked() ? tr("The edit is not done; the reason stands above.")
                                             : labelText(reason));
    const OutlineIndex box = canvas_->selectedBox();
    if (canvas_->scene() && box != noIndex) canvas_->setPins({{box, sentenceText(reason)}});
}

void GraphPage::hideRefusal() {
    if (refusal_.isEmpty()) return;
    refusal_.clear();
    table_->showRefusal({});
    canvas_->setPins({});
    showFaults();
}

void GraphPage::selectMarked() {
    if (!outline_) return;
    std::vector<OutlineIndex> nodes;
    for (const OutlineIndex leaf : matches_)
        if (outline_->leaves()[leaf].kind == OutlineLeaf::Kind::Node) nodes.push_back(leaf);
    if (nodes.empty()) return emit statusMessage(tr("Nothing is marked: search for nodes first."));
    canvas_->selectLeaves(nodes);
    emit statusMessage(tr("Selected nodes: %1.").arg(nodes.size()));
}

}  // namespace lapidary::views
