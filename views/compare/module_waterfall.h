// SPDX-License-Identifier: GPL-3.0-or-later
// The waterfall by parts of the model, from A as a whole to B as a whole.
#pragma once

#include <memory>

#include "compare/module_differences.h"
#include "models/rows_model.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// Draws the first and the last row as bars from the left end, the rows between as steps from one
/// to the other. The axis begins where it must for the steps to be seen; a bar that is cut there
/// shows it.
class ModuleBars : public HeatBarDelegate {
    Q_OBJECT
public:
    ModuleBars(const RowsModel<ModuleDifference>& rows, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// Where the bar of a row begins and ends, as shares 0..1 of the column's width.
    std::pair<double, double> barOf(int row) const;

private:
    void sumUp() const;
    const RowsModel<ModuleDifference>& rows_;
    mutable std::vector<std::pair<double, double>> bars_;  // ms; empty: to be summed up
    mutable double low_ = 0, high_ = 1;
};

class ModuleWaterfall : public TableView {
    Q_OBJECT
public:
    explicit ModuleWaterfall(QWidget* parent = nullptr);
    /// Null: nothing was compared yet.
    void setRows(std::shared_ptr<const std::vector<ModuleDifference>> rows);
    const RowsModel<ModuleDifference>& rows() const { return rows_; }
    const ModuleBars& bars() const { return *bars_; }

signals:
    void modulePicked(const QString& scope);  // to filter the nodes by

private:
    RowsModel<ModuleDifference> rows_;
    ModuleBars* bars_;
};

}  // namespace lapidary::views
