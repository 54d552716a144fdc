// SPDX-License-Identifier: GPL-3.0-or-later
// Latency against throughput with many simultaneous callers, with and without batching of their
// requests.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "models/rows_model.h"
#include "widgets/plot/plot_scatter.h"
#include "widgets/table/table_view.h"
#include "workbench/tuning/serving_curve.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class ServingPanel : public QWidget {
    Q_OBJECT
public:
    explicit ServingPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    app::ServingCurve& curve() { return curve_; }
    /// Says from how many callers on batching pays, or that it does not; without results, what to
    /// do.
    QString sentence() const;
    const RowsModel<app::ServingPoint>& rows() const { return rows_; }

public slots:
    /// Starts measuring, or stops it.
    void toggle();

private:
    void refresh();
    app::ModelSource source() const;

    app::Workbench& workbench_;
    app::ServingCurve curve_;
    QString failure_;
    QLabel* sentence_;
    QPushButton* start_;
    ScatterPlot* plot_;
    RowsModel<app::ServingPoint> rows_;
    TableView* table_;
};

}  // namespace lapidary::views
