// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <QTreeView>

namespace lapidary::views {

/// Breaks the text of cells into lines where their column ends; rows are as high as the longest
/// cell needs, up to a limit. The rest is cut with an ellipsis.
class WrappingDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// Makes the view break lines and follow the widths of its columns.
    WrappingDelegate(QTreeView& view, int mostLines);
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QTreeView& view_;
    int mostLines_;
};

}  // namespace lapidary::views
