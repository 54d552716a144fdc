// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/notes_panel.h"

#include "workbench/project.h"

namespace lapidary::views {

NotesPanel::NotesPanel(app::Workbench& workbench, QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("compareNotes"));
    setAccessibleName(tr("Notes of the project"));
    setPlaceholderText(tr("What you want to remember of this model. Saved with the project and put into reports."));
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false);  // the project's history has it
    app::Project* project = &workbench.project();
    setPlainText(project->notes());
    connect(project, &app::Project::notesChanged, this, [this, project] {
        if (toPlainText() != project->notes()) setPlainText(project->notes());
    });
    connect(this, &QPlainTextEdit::textChanged, this, [this, project] { project->setNotes(toPlainText()); });
}

}  // namespace lapidary::views
