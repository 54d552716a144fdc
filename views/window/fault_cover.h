// SPDX-License-Identifier: GPL-3.0-or-later
// Shown instead of a page that cannot work on the open model, with the reason. Offers to show the
// node that is at fault, and to undo the newest change where the model was edited.
#pragma once

#include "widgets/cards/empty_state.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class FaultCover : public EmptyState {
    Q_OBJECT
public:
    explicit FaultCover(app::Workbench& workbench, QWidget* parent = nullptr);
    /// `page`: its title.
    void cover(const QString& page);

signals:
    /// The user wants to see the faulty node, which is selected now.
    void nodeRequested();

private:
    void refreshUndo();

    app::Workbench& workbench_;
    QPushButton* undo_;  // shown where an edit by hand left the model invalid
};

}  // namespace lapidary::views
