// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/heat_bar_delegate.h"

#include <vector>

namespace lapidary::views {

/// Draws the signed number of a column (its SortRole) as a bar that begins where the bar of the row
/// above ends, for any order of rows. The last bar ends at the sum. A glyph shows the sign besides
/// the colour.
class WaterfallDelegate : public HeatBarDelegate {
    Q_OBJECT
public:
    /// `column`: a column of `model`, which must outlive the delegate.
    WaterfallDelegate(QAbstractItemModel& model, int column, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// Begin and end of a row's bar, as shares 0..1 of the column's width.
    std::pair<double, double> barOf(int row) const;

private:
    void sumUp() const;
    QAbstractItemModel& model_;
    int column_;
    // sums before each row, and after the last; empty: not computed yet
    mutable std::vector<double> sums_;
    mutable double low_ = 0, high_ = 0;
};

}  // namespace lapidary::views
