// SPDX-License-Identifier: GPL-3.0-or-later
// Rewrites in the order in which they were made, a card each: what was done and where, and a
// picture of it before and after.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include <unordered_map>

#include "optimize/review/rewrite_picture.h"
#include "workbench/document/variant.h"

namespace lapidary::views {

class RewriteCardModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    /// Forgets all pictures; null: no rewrites.
    void setVariant(app::VariantPtr variant);
    const app::VariantPtr& variant() const { return variant_; }
    /// `step`: 1-based number of the rewrite.
    void setPicture(std::size_t step, RewritePicture picture);
    /// Null: not made yet.
    const RewritePicture* picture(std::size_t step) const;
    const AppliedRewrite& rewrite(int row) const {
        return variant_->report.rewrites[std::size_t(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    /// The whole text of the card, with the operators of its picture.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    app::VariantPtr variant_;
    std::unordered_map<std::size_t, RewritePicture> pictures_;  // by step
};

class RewriteCardDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    RewriteCardDelegate(const RewriteCardModel& model, QObject* parent)
        : QStyledItemDelegate(parent), model_(model) {}
    /// The same for all cards; the view makes them as wide as it is.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    void paintTitle(QPainter& painter, const QRect& line, const QFont& font,
                    const AppliedRewrite& applied, int row, const QPalette& palette) const;
    void paintPictures(QPainter& painter, const QRect& area, std::size_t step,
                       const QPalette& palette) const;
    const RewriteCardModel& model_;
};

}  // namespace lapidary::views
