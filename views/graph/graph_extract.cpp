// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_extract.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <QRegularExpression>

#include <algorithm>
#include <filesystem>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "graph/graph_page.h"
#include "graph/surgery/surgery_actions.h"
#include "widgets/table/table_export.h"
#include "widgets/text/mnemonics.h"
#include "workbench/text/bounded_text.h"
#include "worker/jobs/export_job.h"
#include "worker/protocol/bytes/weight_bytes.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_listed = 12;  // constants in the menu

void collect(const GraphOutline& outline, OutlineIndex group, std::vector<NodeId>& nodes) {
    for (const OutlineIndex index : outline.groups()[group].leaves) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        if (leaf.kind == OutlineLeaf::Kind::Node && leaf.place == 0) nodes.push_back(leaf.node);
    }
    for (const OutlineIndex inner : outline.groups()[group].groups) collect(outline, inner, nodes);
}

}  // namespace

std::vector<NodeId> nodesOf(const GraphOutline& outline, const GraphSelection& selection) {
    std::vector<NodeId> nodes;
    if (selection.group != noIndex) {
        collect(outline, selection.group, nodes);
        // of control flow: the node that owns it
        const OutlineGroup& group = outline.groups()[selection.group];
        if (group.leaf != noIndex && outline.leaves()[group.leaf].place == 0 &&
            std::ranges::find(nodes, outline.leaves()[group.leaf].node) == nodes.end())
            nodes.push_back(outline.leaves()[group.leaf].node);
    }
    for (const OutlineIndex index : selection.leaves()) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        if (leaf.kind == OutlineLeaf::Kind::Node && leaf.place == 0) nodes.push_back(leaf.node);
    }
    return nodes;
}

std::vector<const Value*> constantsOf(const GraphOutline& outline,
                                      const GraphSelection& selection) {
    std::vector<const Value*> constants;
    if (selection.leaf == noIndex ||
        outline.leaves()[selection.leaf].kind != OutlineLeaf::Kind::Node)
        return constants;
    const OutlineLeaf& leaf = outline.leaves()[selection.leaf];
    const Graph& graph = *outline.places()[leaf.place].graph;
    for (const ValueId input : outline.nodeOf(leaf).inputs)
        if (input && graph.value(input).constant) constants.push_back(&graph.value(input));
    return constants;
}

QString fileNameFrom(const QString& text) {
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    QString name = text.left(80);
    name.replace(unsafe, QStringLiteral("_"));
    while (name.startsWith(u'_') || name.startsWith(u'.')) name.remove(0, 1);
    return name.isEmpty() ? QStringLiteral("part") : name;
}

void GraphPage::addToMenu(QMenu* menu) {
    if (workbench_.faultText().isEmpty() && (workbench_.focus().node || workbench_.focus().value))
        menu->addAction(tr("Look inside …"), this, &GraphPage::insideRequested);
    menu->addSeparator();
    for (QAction* action : actions_)
        if (action->objectName().startsWith(QLatin1String("trace"))) menu->addAction(action);
    menu->addSeparator();
    surgery_->addTo(menu);
    menu->addSeparator();
    menu->addAction(extract_);
    const std::vector<const Value*> constants = constantsOf(*outline_, canvas_->selection());
    for (std::size_t i = 0; i < std::min(constants.size(), most_listed); ++i) {
        const Value& value = *constants[i];
        QString name = labelText(value.name, 60);
        menu->addAction(tr("Save %1 as .npy …").arg(name.replace(u'&', QStringLiteral("&&"))), this,
                        [this, model = outline_->model(), name = value.name,
                         tensor = *value.constant] { chooseArrayFile(model, name, tensor); });
    }
}

void GraphPage::showTableMenu(const QPoint& at) {
    QMenu menu(table_->view());
    menu.setObjectName(QStringLiteral("graphTableMenu"));
    if (outline_ && !canvas_->selection().isEmpty()) {
        addToMenu(&menu);
        menu.addSeparator();
    }
    addTableActions(menu, *table_->view());
    giveMnemonics(menu);
    menu.exec(at);
}

void GraphPage::chooseArrayFile(const ModelPtr& model, const std::string& name,
                                const Tensor& tensor) {
    auto* dialog = new QFileDialog(this, tr("Save the tensor"));
    dialog->setObjectName(QStringLiteral("saveTensorDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("npy"));
    dialog->setNameFilters({tr("NumPy arrays (*.npy)")});
    dialog->selectFile(fileNameFrom(labelText(name, 80)) + QStringLiteral(".npy"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, model, tensor](const QString& path) {
        // the model keeps the file mapped that it lies in
        saveInJob(path, [model, tensor, path](const Progress&) {
            save_npy(path.toStdU16String(), app::with_values(tensor));
            return QStringList();
        });
    });
    dialog->open();
}

void GraphPage::chooseExtract() {
    if (!outline_ || !workbench_.document()) return;
    const std::vector<NodeId> nodes = nodesOf(*outline_, canvas_->selection());
    if (nodes.empty()) return;
    auto* dialog = new QFileDialog(this, tr("Save the selection as a model"));
    dialog->setObjectName(QStringLiteral("extractDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("onnx"));
    dialog->setNameFilters({tr("ONNX models (*.onnx)")});
    const GraphSelection& selection = canvas_->selection();
    const QString part =
        selection.group != noIndex
            ? outline_->groups()[selection.group].label
            : labelText(workbench_.document()->model->graph.node(nodes.front()).name, 60);
    const QString whole = QFileInfo(workbench_.opened()->title).completeBaseName();
    dialog->selectFile(fileNameFrom(whole + u'.' + part) + QStringLiteral(".onnx"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, nodes](const QString& path) { extractTo(nodes, path); });
    dialog->open();
}

void GraphPage::extractTo(const std::vector<NodeId>& nodes, const QString& path) {
    if (!workbench_.document()) return;
    saveInJob(path, [engine = &workbench_.engine(),
                     job = app::ExportJob{workbench_.document()->source,
                                          nodes,
                                          {},
                                          std::filesystem::path(path.toStdU16String())}](
                        const Progress& progress) {
        QStringList notes;
        for (const std::string& note : engine->call(job, progress).notes)
            notes << sentenceText(note);
        return notes;
    });
}

void GraphPage::saveInJob(const QString& path, std::function<QStringList(const Progress&)> save) {
    workbench_.jobs().start<QStringList>(
        tr("Save %1").arg(path), std::move(save),
        [this, self = QPointer(this), path](const QStringList& notes) {
            if (!self) return;
            emit statusMessage(
                (QStringList{tr("Wrote %1").arg(path)} + notes).join(QStringLiteral("; ")));
            emit exported(path, {});
        },
        [this, self = QPointer(this), path](const Error& error) {
            if (!self || error.code() == ErrorCode::cancelled) return;
            emit statusMessage(tipText(error.what()));
            emit exported(path, tipText(error.what()));
        });
}

}  // namespace lapidary::views
