// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "tune/tune_figures.h"

namespace lapidary::app {
class Tuning;
}

namespace lapidary::views {

/// Speed-up against threads: a line with intervals for every group of cells that differ only in
/// threads, the ideal line, and the machine's number of cores. The heat map of speed-ups shows the
/// same figures.
class ScalingCurve : public QWidget {
    Q_OBJECT
public:
    explicit ScalingCurve(app::Tuning& tuning, QWidget* parent = nullptr);
    /// Emphasizes the line with this cell; -1: with the recommended one.
    void setFocusedCell(std::ptrdiff_t cell);
    /// A description of the plot.
    QString description() const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return {420, 300}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Point {
        int threads;
        FigureValue speedUp;
        std::size_t cell;
    };
    struct Line {
        QString name;
        std::vector<Point> points;  // by threads
        bool focused = false;
    };
    void refresh();
    void paintAxes(QPainter& painter) const;
    void paintLine(QPainter& painter, std::size_t i) const;
    void paintLegend(QPainter& painter) const;
    QRectF plotArea() const;
    QPointF positionOf(double threads, double speedUp) const;
    QColor colorOf(std::size_t line) const;

    app::Tuning& tuning_;
    std::vector<Line> lines_;
    std::ptrdiff_t focused_ = -1;
    int least_ = 1, most_ = 1, cores_ = 0;
    double highest_ = 1;
};

}  // namespace lapidary::views
