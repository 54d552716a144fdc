// SPDX-License-Identifier: GPL-3.0-or-later
// Many callers at the same time: latency against throughput, requests put together and each by
// itself.
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
    /// From how many callers on grouping pays, or that it does not; what to do while nothing is
    /// measured.
    QString sentence() const;
    const RowsModel<app::ServingPoint>& rows() const { return rows_; }

public slots:
    /// Starts, or stops what runs.
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
