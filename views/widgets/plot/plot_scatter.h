// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

#include "widgets/plot/plot_axis_ticks.h"

class QCustomPlot;
class QLabel;

namespace lapidary::views {

/// A scatter plot with a line through the points of a front. A click picks the nearest; the wheel
/// zooms, a double click shows everything again. Colours are those of the palette.
class ScatterPlot : public QWidget {
    Q_OBJECT
public:
    struct Point {
        double x = 0, y = 0;
        QString text;           // tool tip, plain text
        bool isFront = false;   // on the front: in the colour of the line, which is sorted by x
        bool isMarked = false;  // drawn as a star
        // on the front because of a quantity that is not shown: the line does not pass through it
        bool isOffLine = false;
        int series = 0;  // gives the shape, as marks in scatter_marks
        // what others are compared with: drawn as a diamond, and on no line
        bool isReference = false;
        QString label = {};  // drawn beside it
    };
    /// Disc, square, triangle and diamond as characters, for a legend. Further series begin again.
    static constexpr char16_t scatter_marks[] = {u'●', u'■', u'▲', u'◆'};
    explicit ScatterPlot(const QString& name, QWidget* parent = nullptr);

    void setAxisTitles(const QString& x, const QString& y);
    void setAxisKinds(AxisKind x, AxisKind y);
    void setPoints(std::vector<Point> points);
    /// Draws a vertical line at `x`, named beside it; nothing: none.
    void setTarget(std::optional<double> x, const QString& name = {});
    /// Draws a ring around a point; -1: around none.
    void setCurrent(int point);
    /// Sets the text that is shown while there are no points.
    void setEmptyText(const QString& text);
    /// The point near a position in the widget; -1: none.
    int pointAt(const QPointF& place) const;
    QPointF placeOf(int point) const;
    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    void pointPicked(int point);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void addTarget();
    void drawLabels();
    void fit();
    std::pair<double, double> horizontalEnds() const;
    void replot();
    QCustomPlot* plot_;
    std::vector<Point> points_;
    QLabel* empty_;
    int current_ = -1;
    std::optional<double> target_;
    QString targetName_;
    bool stale_ = true;  // changed while it was hidden
};

}  // namespace lapidary::views
