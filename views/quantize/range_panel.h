// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include <optional>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

/// A histogram of a tensor's values, with lines at the ends of the range that integers represent.
class RangeHistogram : public QWidget {
    Q_OBJECT
public:
    explicit RangeHistogram(QWidget* parent = nullptr);
    void setRange(std::optional<QuantizedRange> range);
    const std::optional<QuantizedRange>& range() const { return range_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, 100}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawBars(QPainter& painter, const QRectF& area) const;
    void drawEnds(QPainter& painter, const QRectF& area) const;
    double bottom() const;
    double top() const;

    std::optional<QuantizedRange> range_;
};

/// The activations that were quantized: the observed range, the chosen range, the share of values
/// outside it, and a histogram of the current one.
class RangePanel : public QWidget {
    Q_OBJECT
public:
    explicit RangePanel(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);

private:
    RowsModel<QuantizedRange> rows_;
    TableView* table_;
    RangeHistogram* histogram_;
    QLabel* caption_;
    std::vector<QuantizedRange> shown_;
};

}  // namespace lapidary::views
