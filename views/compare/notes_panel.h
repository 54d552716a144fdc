// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "workbench/workbench.h"

namespace lapidary::views {

/// The project's notes, the same text wherever they are shown; reports carry them.
class NotesPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit NotesPanel(app::Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace lapidary::views
