// SPDX-License-Identifier: GPL-3.0-or-later
// Exports any table as text: tab-separated for the clipboard, CSV for files.
#pragma once

#include <QString>

class QTreeView;
class QTableView;
class QAbstractItemModel;
class QAbstractItemView;
class QMenu;

namespace lapidary::views {

/// The shown columns in their order and all shown rows with the header; trees are written depth
/// first. Numbers are written for other programs: a point as decimal sign, no unit, times in
/// milliseconds, sizes in bytes, shares from 0 to 1. All other cells are written as shown.
QString csvOf(const QAbstractItemView& view);
/// The selected rows, or all if none is selected, as shown and tab-separated.
QString shownText(const QAbstractItemView& view);

/// Saves it as a whole or not at all. Returns why it failed; empty: it was saved.
QString saveTableTo(const QAbstractItemView& view, const QString& path);
/// Asks for a file name and saves.
void saveTable(QAbstractItemView& view);

/// Adds "Copy" and "Export as CSV …".
void addTableActions(QMenu& menu, QAbstractItemView& view);
/// Adds the keys Ctrl+C and Ctrl+Shift+E to a view whose own menu has these two actions.
void installTableKeys(QAbstractItemView& view);
/// Gives a view without a menu one with these two actions, and the keys.
void installTableMenu(QAbstractItemView& view);
/// Marks a view that has its own menu and keys for both actions.
void setOffersTable(QAbstractItemView& view);
bool offersTable(const QAbstractItemView& view);

}  // namespace lapidary::views
