// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

/// The error of each output, and notes about the result.
class OutputPanel : public QWidget {
    Q_OBJECT
public:
    explicit OutputPanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);

private:
    RowsModel<OutputAccuracy> outputs_;
    TableView* table_;
    QLabel* notes_;
};

}  // namespace lapidary::views
