// SPDX-License-Identifier: GPL-3.0-or-later
// Any table as text: CSV, tab-separated text, Markdown.
#pragma once

#include <QString>

class QAbstractItemView;

namespace lapidary::views {

/// Which rows are written; `selected` means all if none is selected.
enum class TableRows { all, selected };

/// The shown columns in their order and the shown rows with the header; trees are written depth
/// first. Numbers are written for other programs: a point as decimal sign, no unit, times in
/// milliseconds, sizes in bytes, shares from 0 to 1. All other cells are written as shown.
QString csvOf(const QAbstractItemView& view, TableRows rows = TableRows::all);
/// The selected rows, or all if none is selected, as shown and tab-separated.
QString shownText(const QAbstractItemView& view);
/// The same rows as a table of GitHub Flavored Markdown, cells as shown. Columns that are aligned
/// right in the view are so in Markdown.
QString markdownOf(const QAbstractItemView& view);

}  // namespace lapidary::views
