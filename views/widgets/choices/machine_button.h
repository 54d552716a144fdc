// SPDX-License-Identifier: GPL-3.0-or-later
// A button that chooses the machine on which jobs of the open model run: this computer, or a
// target.
#pragma once

#include <QToolButton>

#include "workbench/workbench.h"

namespace lapidary::views {

class MachineButton : public QToolButton {
    Q_OBJECT
public:
    explicit MachineButton(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Narrower than the text: a bar of a narrow window cuts it in the middle.
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void fillMenu();

    app::Workbench& workbench_;
};

/// "This computer" or the target's name, for sentences and lists.
QString machineName(const QString& host);
/// For places with little room: of a long name the host without user and folder.
QString shortMachineName(const QString& host);

}  // namespace lapidary::views
