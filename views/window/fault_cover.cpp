// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/fault_cover.h"

#include <QUndoStack>
#include <QVBoxLayout>

#include "models/sorted_table_model.h"
#include "theme/theme.h"
#include "workbench/project/project.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

FaultCover::FaultCover(app::Workbench& workbench, QWidget* parent)
    : EmptyState(parent), workbench_(workbench), undo_(new QPushButton) {
    setObjectName(QStringLiteral("faultCover"));
    setButton(QStringLiteral("graph"), tr("Show the node"));
    connect(this, &EmptyState::clicked, this, [this] {
        if (!workbench_.document() || workbench_.document()->faults.empty()) return;
        workbench_.focusNode(workbench_.document()->faults.front().node);
        emit nodeRequested();
    });
    undo_->setObjectName(QStringLiteral("undoFault"));
    undo_->setMinimumSize(button()->minimumSize());
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(button()) + 1, undo_, 0, Qt::AlignHCenter);
    QUndoStack& history = workbench_.project().undoStack();
    connect(undo_, &QPushButton::clicked, &history, &QUndoStack::undo);
    connect(&history, &QUndoStack::indexChanged, this, &FaultCover::refreshUndo);
    connect(&workbench_, &app::Workbench::documentChanged, this, &FaultCover::refreshUndo);
    refreshUndo();
}

void FaultCover::refreshUndo() {
    const QUndoStack& history = workbench_.project().undoStack();
    undo_->setVisible(history.canUndo() && !workbench_.recipeInForce().edits.empty());
    undo_->setIcon(themedIcon(QStringLiteral("undo")));
    const QString change = labelText(history.undoText(), 48).replace(u'&', QStringLiteral("&&"));
    undo_->setText(tr("Undo “%1”").arg(change));
    undo_->setToolTip(plainToolTip(history.undoText()));
}

void FaultCover::cover(const QString& page) {
    setMessage(QStringLiteral("error"), tr("%1 cannot work on this model").arg(page),
               tr("It is not valid: %1").arg(workbench_.faultText()));
    refreshUndo();
}

}  // namespace lapidary::views
