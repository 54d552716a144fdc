// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flow_layout.h"

#include <QStyle>
#include <QWidget>

namespace lapidary::views {

FlowLayout::FlowLayout(QWidget* parent, int horizontalGap, int verticalGap)
    : QLayout(parent), horizontalGap_(horizontalGap), verticalGap_(verticalGap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

QSize FlowLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize hint = item->sizeHint();
        size.rwidth() += (size.width() ? horizontalGap_ : 0) + hint.width();
        size.setHeight(qMax(size.height(), hint.height()));
    }
    return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool apply) const {
    const QRect inner = rect.marginsRemoved(contentsMargins());
    const Qt::LayoutDirection direction =
        parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    QList<std::pair<QLayoutItem*, QSize>> line;
    int x = 0, y = inner.top(), height = 0;
    const auto finishLine = [&] {
        int left = inner.left();
        for (const auto& [item, size] : line) {
            const QRect place(left, y + (height - size.height()) / 2, size.width(), size.height());
            if (apply) item->setGeometry(QStyle::visualRect(direction, inner, place));
            left += size.width() + horizontalGap_;
        }
        line.clear();
    };
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        QSize size = item->sizeHint();
        size.setWidth(qMin(size.width(), qMax(inner.width(), item->minimumSize().width())));
        if (!line.isEmpty() && x + size.width() > inner.width()) {
            finishLine();
            y += height + verticalGap_;
            x = height = 0;
        }
        x += size.width() + horizontalGap_;
        height = qMax(height, size.height());
        line.append({item, size});
    }
    finishLine();
    return y + height - rect.top() + contentsMargins().bottom();
}

}  // namespace lapidary::views
