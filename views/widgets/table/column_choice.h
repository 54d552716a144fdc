// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of a table are shown: a menu with a check mark for each.
#pragma once

class QAbstractItemView;
class QHeaderView;
class QMenu;

namespace lapidary::views {

/// The header of a tree or table view that has the columns' titles; null: the view has none.
QHeaderView* columnsOf(const QAbstractItemView& view);

/// Adds an entry for each column that has a title, which shows or hides it. The first column stays.
/// A view with more than 40 columns gets none.
void addColumns(QMenu& menu, QAbstractItemView& view);

/// Adds these entries as a menu of their own, where the view has at least two titled columns and a
/// header that is shown.
void addColumnMenu(QMenu& menu, QAbstractItemView& view);

}  // namespace lapidary::views
