// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/heat_bar_delegate.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QPainter>
#include <QStyle>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int row_padding = 8;
// rows that are compared, spread evenly over the table; what these share, nearly all share
constexpr int most_compared = 400;

}  // namespace

/// Clears the cache when rows of the model change.
void HeatBarDelegate::follow(const QAbstractItemModel* model) const {
    if (model_ == model) return;
    if (model_) disconnect(model_, nullptr, this, nullptr);
    model_ = model;
    ends_.clear();
    using M = QAbstractItemModel;
    const auto forget = [this] { ends_.clear(); };
    connect(model, &M::modelReset, this, forget);
    connect(model, &M::layoutChanged, this, forget);
    connect(model, &M::rowsInserted, this, forget);
    connect(model, &M::rowsRemoved, this, forget);
    connect(model, &M::dataChanged, this, forget);
}

SharedEnds HeatBarDelegate::endsOf(const QModelIndex& index) const {
    follow(index.model());
    const QModelIndex parent = index.parent();
    const quint64 key = (quint64(parent.row() + 1) << 32) | quint64(index.column());
    if (const auto known = ends_.constFind(key); known != ends_.constEnd()) return *known;
    const int rows = index.model()->rowCount(parent), step = std::max(1, rows / most_compared);
    QStringList names;
    for (int row = 0; row < rows; row += step) names << index.siblingAtRow(row).data().toString();
    return *ends_.insert(key, sharedEnds(names));
}

void HeatBarDelegate::initStyleOption(QStyleOptionViewItem* option,
                                      const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->text.size() < 8 || option->rect.width() <= 0) return;
    const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
    const int room =
        option->rect.width() -
        2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1);
    if (option->fontMetrics.horizontalAdvance(option->text) <= room) return;
    const SharedEnds ends = endsOf(index);
    option->text = withoutSharedEnds(option->text, ends, option->fontMetrics, room);
    if (option->fontMetrics.horizontalAdvance(option->text) <= room) return;
    QStringList neighbours;
    for (const int row : {index.row() - 1, index.row() + 1})
        if (const QModelIndex beside = index.siblingAtRow(row); beside.isValid())
            neighbours << withoutSharedEnds(beside.data().toString(), ends, option->fontMetrics,
                                            room);
    option->text =
        distinguished(option->text, neighbours, option->fontMetrics, option->textElideMode, room);
}

QSize HeatBarDelegate::sizeHint(const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    QStyleOptionViewItem unbounded = option;
    unbounded.rect = {};  // the whole text
    QSize size = QStyledItemDelegate::sizeHint(unbounded, index);
    size.setHeight(option.fontMetrics.height() + row_padding);
    size.rwidth() += spacing;
    return size;
}

void HeatBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const QVariant heat = index.data(HeatRole);
    if (heat.isValid() && !option.state.testFlag(QStyle::State_Selected)) {
        const QRectF cell = QRectF(option.rect).adjusted(1, 2, -1, -2);
        const double width = cell.width() * heat.toDouble();
        painter->fillRect(QRectF(cell.right() - width, cell.top(), width, cell.height()),
                          themeColors(option.palette).heat);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

}  // namespace lapidary::views
