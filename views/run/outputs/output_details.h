// SPDX-License-Identifier: GPL-3.0-or-later
// One output of a run: its values as a table, how they are distributed, the picture where it is
// one, the largest with their labels, and how it compares with what was recorded.
#pragma once

#include <QAbstractTableModel>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "models/rows_model.h"
#include "run/run_digest.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// A tensor in rows of its last dimension; read where it is shown.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// An empty tensor: nothing. Rows beyond two million and columns beyond 512 are left out.
    void setTensor(Tensor tensor);
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : rows_;
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : columns_;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    Tensor tensor_;
    std::int64_t width_ = 1;  // of the last dimension
    int rows_ = 0, columns_ = 0;
};

/// Bars of how many values lie in equal parts of their range.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);
    void setRow(const OutputRow* row);  // null: nothing
    QSize sizeHint() const override { return {240, 90}; }
    QSize minimumSizeHint() const override { return {120, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::size_t> bins_;
    double low_ = 0, high_ = 0;
};

/// One of the largest values along the last dimension.
struct TopRow {
    std::int64_t index = 0;
    double value = 0;
    QString label;  // empty: no labels are known
};

class OutputDetails : public QWidget {
    Q_OBJECT
public:
    explicit OutputDetails(QWidget* parent = nullptr);
    /// Of the digest's outputs; -1: none.
    void showOutput(const RunDigestPtr& digest, int output);
    /// A text file, a label per line; says why it cannot be read on the page.
    void loadLabels(const QString& path);

private:
    void refresh();
    void chooseLabels();

    RunDigestPtr digest_;
    int output_ = -1;
    QStringList labels_;
    QString labelFailure_;
    TensorModel values_;
    RowsModel<TopRow> top_;
    QTableView* table_;
    TableView* topTable_;
    HistogramView* histogram_;
    QLabel *picture_, *check_, *topTitle_;
    QPushButton* labelButton_;
};

}  // namespace lapidary::views
