// SPDX-License-Identifier: GPL-3.0-or-later
// How much B differs from A, round by round: a histogram with the interval of the median, and its
// table.
#pragma once

#include <QLabel>
#include <QWidget>

#include <vector>

#include <lapidary/bench/bench.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// One round in which both ran.
struct RoundSample {
    int round = 0;
    double a_ms = 0, b_ms = 0;
    double share() const { return a_ms > 0 ? b_ms / a_ms - 1 : 0; }  // -0.1: B took a tenth less
};

/// Equal bins over all but the farthest 2 % of the samples, which are counted in the outermost
/// bins.
struct Histogram {
    double low = 0, high = 0;
    std::vector<int> counts;
};
Histogram histogramOf(const std::vector<RoundSample>& samples);

class DistributionCanvas : public QWidget {
    Q_OBJECT
public:
    explicit DistributionCanvas(QWidget* parent = nullptr);
    void setSamples(const std::vector<RoundSample>& samples,
                    const std::optional<Difference>& difference);
    QSize minimumSizeHint() const override { return {260, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plotArea() const;
    Histogram histogram_;
    std::optional<Difference> difference_;
};

class DistributionView : public QWidget {
    Q_OBJECT
public:
    explicit DistributionView(QWidget* parent = nullptr);
    /// Null: nothing was measured.
    void setMeasurements(const Measurement* a, const Measurement* b,
                         const std::optional<Difference>& difference);
    const RowsModel<RoundSample>& rows() const { return rows_; }

private:
    RowsModel<RoundSample> rows_;
    DistributionCanvas* canvas_;
    TableView* table_;
    QLabel* sentence_;
};

}  // namespace lapidary::views
