// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, line by line, with the time of day.
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
