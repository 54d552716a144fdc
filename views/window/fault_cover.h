// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in place of a page that cannot work on the open model, and says why.
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
    /// The node at fault has the focus.
    void nodeRequested();

private:
    app::Workbench& workbench_;
};

}  // namespace lapidary::views
