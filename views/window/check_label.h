// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's red line while the newest run gave other outputs than were recorded.
#pragma once

#include <QLabel>

#include "workbench/workbench.h"

namespace lapidary::views {

class CheckLabel : public QLabel {
    Q_OBJECT
public:
    explicit CheckLabel(app::Workbench& workbench, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void paintRed();
    app::Workbench& workbench_;
};

}  // namespace lapidary::views
