// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

class ScatterPlot;

struct LayerRow {
    std::size_t place = 0;  // position from input to output
    LayerAccuracy layer;
    double heat = 0;  // 1: the worst
};

/// SQNR of the output of each node of the best model, from input to output, which shows where
/// accuracy is lost. The table shows the same figures as the curve.
class LayerPanel : public QWidget {
    Q_OBJECT
public:
    explicit LayerPanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);

signals:
    /// A node was double-clicked; `name` is NodeDecision::name.
    void nodeActivated(const QString& name);

private:
    void select(std::size_t place);

    RowsModel<LayerRow> rows_;
    ScatterPlot* plot_;
    TableView* table_;
    QLabel* text_;
    std::vector<LayerAccuracy> shown_;
};

}  // namespace lapidary::views
