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
    std::size_t place = 0;  // from input to output
    LayerAccuracy layer;
    double heat = 0;  // 1: the worst
};

/// SQNR of what each node of the best model gives, from input to output: where accuracy is lost.
/// The table is the curve's twin.
class LayerPanel : public QWidget {
    Q_OBJECT
public:
    explicit LayerPanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);

signals:
    /// A node was double-clicked: its name as NodeDecision has it.
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
