// SPDX-License-Identifier: GPL-3.0-or-later
// A short tour of the program: the user opens a sample, looks at a node, puts a level in force and
// runs the model. Each step waits until the user has done it.
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>
#include <vector>

#include "workbench/workbench.h"

namespace lapidary::views {

class CoachMark;
class MainWindow;

class Tour : public QObject {
    Q_OBJECT
public:
    Tour(MainWindow& window, app::Workbench& workbench);
    bool isRunning() const { return step_ >= 0; }
    /// The step shown, from 0; -1: the tour does not run.
    int step() const { return step_; }
    int steps() const { return int(plan_.size()); }
    /// Called when another model was opened. Ends the tour unless it waits for that, because its
    /// texts are about the previous model.
    void followModel();
    CoachMark* mark() const { return mark_; }

public slots:
    void start();
    void end();

private:
    struct Step {
        QString text;
        std::function<QWidget*()> target;
        std::function<bool()> isDone;  // null: the user goes on by the button
    };
    void makePlan();
    void show(int step);
    void look();
    QWidget* find(const char* name) const;

    MainWindow& window_;
    app::Workbench& workbench_;
    CoachMark* mark_;
    QTimer timer_;
    std::vector<Step> plan_;
    int step_ = -1;
    app::DocumentPtr before_;  // opened when the tour began
};

}  // namespace lapidary::views
