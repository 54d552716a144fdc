// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tab_order.h"

#include <QWidget>

namespace lapidary::views {
namespace {

/// The last widget before `place` that takes the focus itself; null: there is none. Qt orders
/// nothing behind a widget that takes no focus or hands it on.
QWidget* focusedBefore(const QWidget* place) {
    QWidget* before = place->previousInFocusChain();
    while (before != place && !before->isWindow()) {
        const bool takesFocus =
            (before->focusPolicy() & Qt::TabFocus) != 0 && !before->focusProxy();
        if (takesFocus && !place->isAncestorOf(before)) return before;
        before = before->previousInFocusChain();
    }
    return nullptr;
}

}  // namespace

void setTabOrderWithin(const QWidget* place, const QList<QWidget*>& fields) {
    QWidget* before = focusedBefore(place);
    if (!before) return;
    for (QWidget* field : fields) {
        QWidget::setTabOrder(before, field);
        before = field;
    }
}

}  // namespace lapidary::views
