// SPDX-License-Identifier: GPL-3.0-or-later
// Sets widths of a tree's columns without asking the delegate about every row.
#pragma once

class QString;
class QTreeView;

namespace lapidary::views {

/// Fixes the column's width, in the view's font in bold letters: that of `widest` or of the
/// column's title, whichever is wider. QHeaderView::ResizeToContents lays out the text of all
/// expanded rows for each change of the model instead, which takes tens of milliseconds for a
/// hundred rows.
void fitColumn(QTreeView& view, int column, const QString& widest);

/// Widens the shown columns whose titles would be cut. Titles of other languages are often longer.
void showWholeTitles(QTreeView& view);

}  // namespace lapidary::views
