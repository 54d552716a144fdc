// SPDX-License-Identifier: GPL-3.0-or-later
// The waterfall chart by parts of the model, from the total of A to the total of B.
#pragma once

#include <memory>

#include "compare/module_differences.h"
#include "models/rows_model.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// Draws the first and the last row as bars from the left end, the rows between as steps from one
/// to the other. The axis does not begin at zero if the steps would be too small to see; bars that
/// are cut there are marked.
class ModuleBars : public HeatBarDelegate {
    Q_OBJECT
public:
    ModuleBars(const RowsModel<ModuleDifference>& rows, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// Begin and end of a row's bar, as shares 0..1 of the column's width.
    std::pair<double, double> barOf(int row) const;

private:
    void sumUp() const;
    const RowsModel<ModuleDifference>& rows_;
    mutable std::vector<std::pair<double, double>> bars_;  // ms; empty: not computed yet
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
