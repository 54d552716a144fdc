// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QPointer>
#include <QStyledItemDelegate>

#include "widgets/text/shared_ends.h"

namespace lapidary::views {

/// Paints a proportional bar behind cells whose model answers HeatRole (rows_model.h). Texts that
/// are too long are first shortened by the parts that all rows of the column have in common.
class HeatBarDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    SharedEnds endsOf(const QModelIndex& index) const;
    void follow(const QAbstractItemModel* model) const;

    mutable QHash<quint64, SharedEnds> ends_;  // by parent and column
    mutable QPointer<const QAbstractItemModel> model_;
};

}  // namespace lapidary::views
