// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes under the roofs of the machine, or of the device that ran them: operations per byte against
// operations per second, both logarithmic, dots as large as the node's time. Click or arrow keys
// pick, Return or a double click shows the node in the graph. The node table is its table twin.
#pragma once

#include <QPixmap>
#include <QWidget>

#include "run/nodes/log_axis.h"
#include "run/run_digest.h"

namespace lapidary::views {

class RooflinePlot : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePlot(QWidget* parent = nullptr);

    void setDigest(RunDigestPtr digest);
    /// Shows only what is in `nodes`, sized by their times; null: the whole recording.
    void setNodes(std::shared_ptr<const std::vector<NodeRow>> nodes);
    void setFocusedNode(NodeId node);

    struct Dot {
        std::size_t point = 0;  // into RunDigest::roofline
        QPointF at;
        double radius = 0;
        double ms = 0;
    };
    /// A slope of memory that ends in a flat roof of arithmetic.
    struct Roof {
        // "tf32 on cuda: 300,000 GOP/s"; empty: the slope is that of the roof before
        QString label, memoryLabel;
        double gops = 0, gbPerS = 0;
        bool isInteger = false;
    };
    /// Of the processor and of devices, as far as dots are under them.
    const std::vector<Roof>& roofs() const { return roofs_; }
    // largest first; those that only move data are not among them
    const std::vector<Dot>& dots() const { return dots_; }
    int current() const { return current_; }  // into dots(); -1: none
    QString sentenceOf(int dot) const;
    /// What stands below: the nodes that only move data, or why nothing is drawn.
    QString note() const { return note_; }
    /// Where it stands, in as many lines as it takes, a third of the plot's height at most; the
    /// tool tip has it all.
    QRectF noteArea() const;
    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);
    void hovered(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const RooflinePoint& pointOf(int dot) const {
        return digest_->roofline[dots_[std::size_t(dot)].point];
    }
    void layOut();
    void raiseRoofs();
    QString noteOf(int movers, double shareOfMovers) const;
    void paintRoof(QPainter& painter, const Roof& roof) const;
    int dotAt(const QPointF& at) const;
    void makeCurrent(int dot);
    void paintAxes(QPainter& painter) const;
    void paintRoofs(QPainter& painter) const;
    void drawDots(double ratio);
    QRectF plotArea() const;

    RunDigestPtr digest_;
    std::shared_ptr<const std::vector<NodeRow>> nodes_;
    std::vector<Dot> dots_;
    std::vector<Roof> roofs_;
    QPixmap dotsDrawn_;  // null: to be made when next painted
    LogAxis x_, y_;
    QString note_;
    NodeId focused_;
    int current_ = -1, hover_ = -1;
    bool hasInteger_ = false;
};

}  // namespace lapidary::views
