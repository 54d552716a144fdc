// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/wrapping_delegate.h"

#include <QApplication>
#include <QHeaderView>
#include <QTimer>

namespace lapidary::views {
namespace {

constexpr int line_padding = 8;

}  // namespace

WrappingDelegate::WrappingDelegate(QTreeView& view, int mostLines)
    : QStyledItemDelegate(&view), view_(view), mostLines_(mostLines) {
    view_.setWordWrap(true);
    view_.setUniformRowHeights(false);
    auto* again = new QTimer(this);  // heights anew, once for all columns that changed
    again->setSingleShot(true);
    connect(again, &QTimer::timeout, &view_, &QTreeView::doItemsLayout);
    connect(view_.header(), &QHeaderView::sectionResized, again, [again] { again->start(0); });
}

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
    const QString text = index.data(Qt::DisplayRole).toString();
    const int margin =
        2 * (QApplication::style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, &view_) + 1);
    const int width = view_.columnWidth(index.column()) - margin;
    const QFontMetrics& metrics = option.fontMetrics;
    const int needed = metrics
                           .boundingRect(QRect(0, 0, qMax(width, 1), QWIDGETSIZE_MAX),
                                         Qt::TextWordWrap | Qt::AlignLeft, text)
                           .height();
    const int lines =
        qBound(1, (needed + metrics.lineSpacing() - 1) / metrics.lineSpacing(), mostLines_);
    return {metrics.horizontalAdvance(text) + 2 * margin,
            lines * metrics.lineSpacing() + line_padding};
}

}  // namespace lapidary::views
