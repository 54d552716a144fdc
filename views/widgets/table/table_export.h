// SPDX-License-Identifier: GPL-3.0-or-later
// Any table as text: tab-separated for the clipboard, CSV for files.
#pragma once

#include <QString>

class QTreeView;
class QTableView;
class QAbstractItemModel;
class QAbstractItemView;
class QMenu;

namespace lapidary::views {

/// The shown columns in their order and all shown rows with the header; trees are written depth
/// first. Numbers are written as the program computes with them, so that other programs read them:
/// a point as decimal sign, no unit, times in milliseconds, sizes in bytes, shares from 0 to 1.
/// Anything else as it is shown.
QString csvOf(const QAbstractItemView& view);
/// As shown, tab-separated: the selected rows, or all when none is.
QString shownText(const QAbstractItemView& view);

/// Atomic. Returns why not, empty when it was saved.
QString saveTableTo(const QAbstractItemView& view, const QString& path);
/// Asks for a file name and saves.
void saveTable(QAbstractItemView& view);

/// Adds "Copy" and "Export as CSV …".
void addTableActions(QMenu& menu, QAbstractItemView& view);
/// Ctrl+C and Ctrl+Shift+E while the view has the focus, for one whose own menu has these two.
void installTableKeys(QAbstractItemView& view);
/// Gives a view without a menu one with these two, and the keys.
void installTableMenu(QAbstractItemView& view);
/// Says that a view has a menu and keys of its own for both.
void setOffersTable(QAbstractItemView& view);
bool offersTable(const QAbstractItemView& view);

}  // namespace lapidary::views
