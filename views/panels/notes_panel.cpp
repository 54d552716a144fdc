// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/notes_panel.h"

#include <QLocale>

#include <algorithm>

#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

// A text edit lays out whole lines, and all of them when it is given a text.
constexpr qsizetype most_characters = 500'000, longest_line = 20'000;

bool canBeEdited(const QString& notes) {
    if (notes.size() > most_characters) return false;
    const auto lines = QStringView(notes).split(u'\n');
    return std::ranges::all_of(lines, [](QStringView line) { return line.size() <= longest_line; });
}

}  // namespace

NotesPanel::NotesPanel(app::Workbench& workbench, const QString& name, QWidget* parent)
    : QPlainTextEdit(parent), project_(workbench.project()) {
    setObjectName(name);
    setAccessibleName(tr("Notes of the project"));
    setPlaceholderText(tr(
        "What you want to remember of this model. Saved with the project and put into reports."));
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false);  // the project's history has it
    connect(&project_, &app::Project::notesChanged, this, &NotesPanel::refresh);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!isReadOnly()) project_.setNotes(toPlainText());
    });
    refresh();
}

void NotesPanel::refresh() {
    const QString notes = project_.notes();
    const bool editable = canBeEdited(notes);
    if (editable && !isReadOnly() && toPlainText() == notes) return;
    setReadOnly(true);  // what follows is no edit
    setPlainText(editable ? notes
                          : tr("These notes are too long to be edited here (%1 characters); they "
                               "stay in the project "
                               "as they are. Shortened:")
                                    .arg(QLocale().toString(notes.size())) +
                                QStringLiteral("\n\n") + tipText(notes));
    setReadOnly(!editable);
}

}  // namespace lapidary::views
