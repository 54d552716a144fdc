// SPDX-License-Identifier: GPL-3.0-or-later
// The list of jobs: running ones with progress and Cancel, finished ones with their outcome.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "workbench/workbench.h"

namespace lapidary::views {

class TasksPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit TasksPanel(app::Workbench& workbench, QWidget* parent = nullptr);

private:
    void add(app::Job* job);
    void trim();
    QVBoxLayout* rows_;
    QLabel* empty_;
};

}  // namespace lapidary::views
