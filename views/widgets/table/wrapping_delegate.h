// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <QTreeView>

namespace lapidary::views {

/// Wraps the text of cells to the width of their column; rows are as high as the longest cell
/// needs, up to a limit. The rest is cut with an ellipsis.
class WrappingDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// Makes the view wrap text, and lay it out again when a column's width changes.
    WrappingDelegate(QTreeView& view, int mostLines);
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QTreeView& view_;
    int mostLines_;
};

}  // namespace lapidary::views
