// SPDX-License-Identifier: GPL-3.0-or-later
// The log of the window, with one line and the time of day for each event.
#pragma once

#include <QPlainTextEdit>

#include "workbench/workbench.h"

namespace lapidary::views {

class LogPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LogPanel(app::Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace lapidary::views
