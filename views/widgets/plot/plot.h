// SPDX-License-Identifier: GPL-3.0-or-later
// A thin wrapper of QCustomPlot, whose header only plot.cpp includes.
#pragma once

#include <QPoint>
#include <QVector>
#include <QWidget>

#include <optional>

#include "widgets/plot/plot_axis_ticks.h"

class QCPItemStraightLine;
class QCustomPlot;

namespace lapidary::views {

/// Step curves and lines, the first filled unless it is dense, and any number of labelled levels,
/// in the colours of the palette. Wheel zooms, drag pans, a double click shows everything again.
class Plot : public QWidget {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);

    void setAxisTitles(const QString& x, const QString& y);
    void setAxisKinds(AxisKind x, AxisKind y);
    /// `x` ascending; the value holds until the next one.
    void setSteps(const QVector<double>& x, const QVector<double>& y, const QString& name);
    /// Points without a line between them.
    void setPoints(const QVector<double>& x, const QVector<double>& y, const QString& name);
    /// `x` ascending; the points are marked and joined by straight lines.
    void setLine(const QVector<double>& x, const QVector<double>& y, const QString& name);
    /// Puts the legend above the axes, where it covers no curve; else it is in their upper right
    /// corner.
    void setLegendAbove();
    bool isLegendInside() const;  // in that corner, over the curves
    void addLevel(double y, const QString& name);
    void clear();
    void fit();
    /// Shows the part between two values of the horizontal axis.
    void showKeys(double low, double high);
    /// A click chooses a place of the horizontal axis, and the arrow keys the one beside it.
    void setPickable();
    /// A line across the plot at a place of the horizontal axis; nothing: none.
    void setMark(std::optional<double> x);
    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    /// A click at that place.
    void picked(double x);
    /// An arrow key, Home or End: so many places on.
    void stepped(int places);
    /// Enter.
    void activated();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Steps {
        QVector<double> x, y;
    };
    void applyColors();
    /// Passes only distinguishable steps between these values to the plot, because painting
    /// thousands is slow.
    void showSteps(double low, double high);
    /// Draws in the next turn of the event loop, or when the widget is shown, because drawing many
    /// points is slow.
    void replot();
    void pick(QPoint at);

    QCustomPlot* plot_;
    QCPItemStraightLine* mark_ = nullptr;  // of setMark()
    QPoint pressed_;                       // where the mouse went down
    bool isPickable_ = false;
    QVector<Steps> steps_;  // by graph; empty for levels
    bool stale_ = true;     // changed while it was hidden
};

}  // namespace lapidary::views
