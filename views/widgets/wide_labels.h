// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QToolBar;

namespace lapidary::views {

/// Shows the texts of these actions beside their icons, of the first ones before the others, as far
/// as the bar is wide enough for all that it holds. The actions are in the bar and have icons;
/// other buttons stay as they are.
void showLabelsWhereWide(QToolBar& bar, const QList<QAction*>& actions);

}  // namespace lapidary::views
