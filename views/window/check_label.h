// SPDX-License-Identifier: GPL-3.0-or-later
// A red text in the status bar while outputs of the newest run differ from the recorded ones.
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
