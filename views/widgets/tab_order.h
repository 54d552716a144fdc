// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace lapidary::views {

/// Tab goes from what takes the focus before `place` through `fields`, and then on as before. This
/// is for fields inside of `place` that are made later, which Qt puts behind all else of the
/// window. Nothing changes where no widget before `place` takes the focus.
void setTabOrderWithin(const QWidget* place, const QList<QWidget*>& fields);

}  // namespace lapidary::views
