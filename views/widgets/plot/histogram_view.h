// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace lapidary::views {

/// Bars of how many values lie in equal parts of their range.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);
    /// No counts: nothing is shown.
    void setBins(std::vector<double> counts, double low, double high);
    const std::vector<double>& bins() const { return bins_; }
    QSize sizeHint() const override { return {240, 90}; }
    QSize minimumSizeHint() const override { return {120, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> bins_;
    double low_ = 0, high_ = 0;
};

}  // namespace lapidary::views
