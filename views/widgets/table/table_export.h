// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and keys that copy a table or save it as CSV.
#pragma once

#include <QString>

#include "widgets/table/table_text.h"

class QTreeView;
class QTableView;
class QAbstractItemModel;
class QAbstractItemView;
class QMenu;

namespace lapidary::views {

/// Saves the table as CSV, as a whole or not at all. Returns why it failed; empty: it was saved.
QString saveTableTo(const QAbstractItemView& view, const QString& path);
/// Asks for a file name and saves.
void saveTable(QAbstractItemView& view);

/// Adds "Copy", "Copy as Markdown", "Copy as CSV", "Export as CSV …" and the menu of columns.
void addTableActions(QMenu& menu, QAbstractItemView& view);
/// Adds the keys Ctrl+C and Ctrl+Shift+E to a view whose own menu has these two actions.
void installTableKeys(QAbstractItemView& view);
/// Gives a view without a menu one with these two actions, and the keys.
void installTableMenu(QAbstractItemView& view);
/// Marks a view that has its own menu and keys for both actions.
void setOffersTable(QAbstractItemView& view);
bool offersTable(const QAbstractItemView& view);

}  // namespace lapidary::views
