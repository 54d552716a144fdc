// SPDX-License-Identifier: GPL-3.0-or-later
// Docks that stay closed until they have something to say, so that pages have the window: the
// variants until one is made that is no plain level, the problems until something is wrong. Each
// opens by itself once for a model at most; what the user closes stays closed.
#pragma once

#include <QDockWidget>
#include <QPointer>
#include <QTabWidget>
#include <QToolButton>

#include "panels/problems_panel.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class QuietDocks : public QObject {
    Q_OBJECT
public:
    QuietDocks(app::Workbench& workbench, QDockWidget& variants, QDockWidget& problems,
               QTabWidget& tabs, ProblemsPanel& panel, QObject* parent);
    /// For the status bar: how many problems there are; hidden while there is none. Pressed, the
    /// list opens or closes.
    QToolButton* button() const { return button_; }

private:
    void forget();
    void lookAtVariants();
    void lookAtProblems();
    void refreshButton();

    app::Workbench& workbench_;
    QDockWidget &variants_, &problems_;
    QTabWidget& tabs_;
    QPointer<ProblemsPanel> panel_;  // docks emit that they hide while the window is destroyed
    QPointer<QToolButton> button_;
    app::DocumentPtr opened_;  // that the docks have spoken of
    bool reportedVariants_ = false, reportedProblems_ = false;
};

}  // namespace lapidary::views
