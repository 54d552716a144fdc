// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heat_bar_delegate.h"

#include <QPainter>

#include "models/rows_model.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int row_padding = 8;

}  // namespace

QSize HeatBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(option.fontMetrics.height() + row_padding);
    size.rwidth() += spacing;
    return size;
}

void HeatBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
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
