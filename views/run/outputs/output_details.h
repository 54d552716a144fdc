// SPDX-License-Identifier: GPL-3.0-or-later
// One output of a run: its values as a table, how they are distributed, the picture where it is
// one, the largest with their labels, and how it compares with what was recorded.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "models/rows_model.h"
#include "run/run_digest.h"
#include "widgets/plot/histogram_view.h"
#include "widgets/table/table_view.h"
#include "widgets/table/tensor_model.h"

namespace lapidary::views {

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
