// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "workbench/workbench.h"

namespace lapidary::views {

/// The project's notes, the same text wherever they are shown; reports carry them. Notes that no
/// text edit could hold (of a file made by something else) are shown shortened and cannot be
/// changed.
class NotesPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    NotesPanel(app::Workbench& workbench, const QString& name, QWidget* parent = nullptr);

private:
    void refresh();
    app::Project& project_;
};

}  // namespace lapidary::views
