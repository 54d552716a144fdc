// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the width of a tree's column without asking the delegate about every row.
#pragma once

class QString;
class QTreeView;

namespace lapidary::views {

/// Fixes the column's width, in the view's font in bold letters: that of `widest` or of the
/// column's title, whichever is wider. QHeaderView::ResizeToContents lays out the text of all
/// expanded rows for each change of the model instead, which takes tens of milliseconds for a
/// hundred rows.
void fitColumn(QTreeView& view, int column, const QString& widest);

}  // namespace lapidary::views
