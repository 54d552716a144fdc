// SPDX-License-Identifier: GPL-3.0-or-later
// Docks that stay closed until they have something to show, so that pages have more room: the
// variants until one is made that is neither a plain level nor edited and the window is wide, the
// problems until there is one. Each opens by itself at most once for a model; a dock that the user
// closed stays closed. Problems that opened by themselves close when they are gone.
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
    /// The button for the status bar with the number of problems, which opens or closes the list.
    /// Hidden if there are none.
    QToolButton* button() const { return button_; }

private:
    void forget();
    void lookAtVariants();
    void lookAtProblems();
    void refreshButton();

    app::Workbench& workbench_;
    QDockWidget &variants_, &problems_;
    QTabWidget& tabs_;
    QPointer<ProblemsPanel>
        panel_;  // may be null, because docks emit signals while the window is destroyed
    QPointer<QToolButton> button_;
    app::DocumentPtr opened_;  // the model that the docks have reported on
    bool reportedVariants_ = false, reportedProblems_ = false;
    bool openedProblems_ = false;  // by itself: it closes when there are none any more
};

}  // namespace lapidary::views
