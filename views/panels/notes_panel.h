// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "workbench/workbench.h"

namespace lapidary::views {

/// The project's notes. All notes panels show the same text, and reports include it. Notes that are
/// too long for a text editor, from a file that another program wrote, are shown shortened and
/// cannot be changed.
class NotesPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    NotesPanel(app::Workbench& workbench, const QString& name, QWidget* parent = nullptr);

private:
    void refresh();
    app::Project& project_;
};

}  // namespace lapidary::views
