// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the Compare page: differences by operator, by node, in numbers of nodes, and of
// outputs.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>

#include <lapidary/exec/compute.h>

#include "compare/compare_digest.h"
#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class OperatorDifferences : public TableView {
    Q_OBJECT
public:
    explicit OperatorDifferences(QWidget* parent = nullptr);
    /// Null: nothing to show.
    void setRows(std::shared_ptr<const std::vector<OperatorDifference>> rows);
    const RowsModel<OperatorDifference>& rows() const { return rows_; }

signals:
    void operatorPicked(const QString& op);

private:
    RowsModel<OperatorDifference> rows_;
};

class NodeDifferences : public QWidget {
    Q_OBJECT
public:
    explicit NodeDifferences(QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const std::vector<NodeDifference>> rows);
    void setFilter(const QString& text) { filter_->setText(text); }
    const RowsModel<NodeDifference>& rows() const { return rows_; }
    QCheckBox* significantOnly() const { return significantOnly_; }
    TableView* table() const { return table_; }

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);

private:
    void refresh();
    std::shared_ptr<const std::vector<NodeDifference>> all_;
    RowsModel<NodeDifference> rows_;
    TableView* table_;
    QLineEdit* filter_;
    QCheckBox* significantOnly_;
    QLabel* note_;
};

class CountDifferences : public TableView {
    Q_OBJECT
public:
    explicit CountDifferences(QWidget* parent = nullptr);
    void setRows(std::vector<OperatorCount> rows);
    const RowsModel<OperatorCount>& rows() const { return rows_; }

private:
    RowsModel<OperatorCount> rows_;
};

/// An output, and what one side alone holds its weights in; exact: neither, or both do.
struct ComparedOutputRow : OutputComparison {
    Compute rounded = Compute::exact;
    /// Floats that are not the same by float32, and no further away than rounding of these weights
    /// explains: least_rounded_sqnr_db().
    bool isWithinRounding() const;
};

class OutputDifferences : public TableView {
    Q_OBJECT
public:
    explicit OutputDifferences(QWidget* parent = nullptr);
    /// `rounded`: see ComparedOutputRow.
    void setRows(std::vector<OutputComparison> rows, bool compared,
                 Compute rounded = Compute::exact);
    const RowsModel<ComparedOutputRow>& rows() const { return rows_; }

signals:
    /// Of an output that differs.
    void outputPicked(const QString& name);
    void outputActivated(const std::string& name);

private:
    RowsModel<ComparedOutputRow> rows_;
};

}  // namespace lapidary::views
