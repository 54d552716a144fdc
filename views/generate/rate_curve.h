// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens per second by context: a line for each variant, and below which roof of memory it runs. A
// roof far above the lines is out of the picture, with its value in the legend.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "worker/protocol/decoders_record.h"

namespace lapidary::views {

class RateCurve : public QWidget {
    Q_OBJECT
public:
    explicit RateCurve(QWidget* parent = nullptr);
    /// `names`: of the record's sides. Null: nothing is drawn.
    void setRecord(const app::DecodersRecord* record, const QStringList& names);
    /// What the empty picture says: that figures come, or how to get them.
    void setMeasuring(bool measuring);
    /// What the lines show, in sentences.
    QString description() const;
    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Point {
        double context = 0, rate = 0, low = 0, high = 0;  // tokens per second, with its interval
        double roof = 0;
    };
    struct Line {
        QString name;
        std::vector<Point> points;  // by context
    };
    QRectF plotArea() const;
    QPointF positionOf(double context, double rate) const;
    QColor colorOf(std::size_t line) const;
    void paintAxes(QPainter& painter) const;
    void paintLine(QPainter& painter, std::size_t line) const;
    void paintLegend(QPainter& painter) const;
    QString legendOf(const Line& line) const;
    QString describe(const Line& line, const Point& point) const;

    std::vector<Line> lines_;
    double least_ = 1, most_ = 1, highest_ = 1;  // contexts, and the largest rate or near roof
    bool measuring_ = false;
};

}  // namespace lapidary::views
