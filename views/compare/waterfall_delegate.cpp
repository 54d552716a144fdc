// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/waterfall_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

#include <algorithm>

#include "compare/signed_text.h"
#include "models/rows_model.h"
#include "theme/theme.h"

namespace lapidary::views {

WaterfallDelegate::WaterfallDelegate(QAbstractItemModel& model, int column, QObject* parent)
    : HeatBarDelegate(parent), model_(model), column_(column) {
    const auto forget = [this] { sums_.clear(); };
    connect(&model_, &QAbstractItemModel::modelReset, this, forget);
    connect(&model_, &QAbstractItemModel::layoutChanged, this, forget);
    connect(&model_, &QAbstractItemModel::dataChanged, this, forget);
}

void WaterfallDelegate::sumUp() const {
    const int rows = model_.rowCount();
    sums_.assign(std::size_t(rows) + 1, 0);
    low_ = high_ = 0;
    for (int row = 0; row < rows; ++row) {
        const double sum =
            sums_[std::size_t(row)] + model_.index(row, column_).data(SortRole).toDouble();
        sums_[std::size_t(row) + 1] = sum;
        low_ = std::min(low_, sum);
        high_ = std::max(high_, sum);
    }
}

std::pair<double, double> WaterfallDelegate::barOf(int row) const {
    if (sums_.size() != std::size_t(model_.rowCount()) + 1) sumUp();
    const double range = high_ > low_ ? high_ - low_ : 1;
    const auto place = [&](double sum) { return (sum - low_) / range; };
    return {place(sums_[std::size_t(row)]), place(sums_[std::size_t(row) + 1])};
}

void WaterfallDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const QRectF cell = QRectF(option.rect).adjusted(8, 3, -8, -3);
    const auto [begin, end] = barOf(index.row());
    const double difference = index.data(SortRole).toDouble();
    const auto x = [&](double share) { return cell.left() + share * cell.width(); };
    const ThemeColors& colors = themeColors(option.palette);
    painter->save();
    const double range = high_ > low_ ? high_ - low_ : 1;
    const double zero = x(-low_ / range);
    painter->setPen(QPen(colors.border, 1, Qt::DotLine));
    painter->drawLine(QPointF(zero, option.rect.top()), QPointF(zero, option.rect.bottom()));
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor color = selected ? option.palette.color(QPalette::HighlightedText)
                                  : differenceColor(difference, option.palette);
    QRectF bar(x(std::min(begin, end)), cell.top(),
               std::max(1.5, (std::max(begin, end) - std::min(begin, end)) * cell.width()),
               cell.height());
    painter->fillRect(bar, color);
    painter->setPen(selected ? option.palette.color(QPalette::HighlightedText) : colors.mutedText);
    // on to the next row
    painter->drawLine(QPointF(x(end), cell.bottom()), QPointF(x(end), option.rect.bottom() + 4));
    if (difference != 0) {
        const int side = option.fontMetrics.horizontalAdvance(QStringLiteral("✓")) + 4;
        const bool fitsRight = bar.right() + side < option.rect.right();
        painter->setPen(color);
        painter->drawText(QRectF(fitsRight ? bar.right() + 2 : bar.left() - side, cell.top(), side,
                                 cell.height()),
                          Qt::AlignCenter, betterGlyph(difference));
    }
    painter->restore();
}

}  // namespace lapidary::views
