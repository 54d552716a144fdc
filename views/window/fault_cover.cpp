// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/fault_cover.h"

namespace lapidary::views {

FaultCover::FaultCover(app::Workbench& workbench, QWidget* parent)
    : EmptyState(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("faultCover"));
    setButton(QStringLiteral("graph"), tr("Show the node"));
    connect(this, &EmptyState::clicked, this, [this] {
        if (!workbench_.opened() || workbench_.opened()->faults.empty()) return;
        workbench_.focusNode(workbench_.opened()->faults.front().node);
        emit nodeRequested();
    });
}

void FaultCover::cover(const QString& page) {
    setMessage(QStringLiteral("error"), tr("%1 cannot work on this model").arg(page),
               tr("It is not valid: %1").arg(workbench_.faultText()));
}

}  // namespace lapidary::views
