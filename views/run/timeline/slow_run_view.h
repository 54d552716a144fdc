// SPDX-License-Identifier: GPL-3.0-or-later
// The slowest run drawn over a typical one on one axis of time: the kernels of both in rows, a band
// from each kernel to itself in the other run, and marks where most was lost. Wheel and plus or
// minus zoom, dragging pans, arrow keys walk from mark to mark.
#pragma once

#include <QWidget>

#include "run/run_digest.h"

namespace lapidary::views {

class SlowRunView : public QWidget {
    Q_OBJECT
public:
    explicit SlowRunView(QWidget* parent = nullptr);

    void setDigest(RunDigestPtr digest);
    void setFocusedNode(NodeId node);
    /// Null: there are not two runs to compare.
    const RunPair* pair() const { return digest_ && digest_->pair ? &*digest_->pair : nullptr; }
    /// What the slowest run lost and where, in a sentence; without a pair why there is none.
    QString headline() const;
    QString sentenceOf(std::size_t kernel) const;        // of pair()->kernels
    std::ptrdiff_t current() const { return current_; }  // into pair()->kernels; -1: none
    QSize sizeHint() const override { return {600, 200}; }
    QSize minimumSizeHint() const override;

public slots:
    void zoomIn() { zoom(0.5, width() / 2.0); }
    void zoomOut() { zoom(2, width() / 2.0); }
    void fitAll();

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);
    void hovered(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Rows {
        // tops, and the height of a row
        int ruler = 0, typical = 0, slowest = 0, marks = 0, height = 0;
    };
    Rows rows() const;
    int gutter() const;
    double plotWidth() const { return std::max(1, width() - gutter() - 12); }
    double xOf(double ns) const { return gutter() + (ns - begin_) / nsPerPixel_; }
    double wholeNs() const;
    void setView(double begin, double nsPerPixel);
    void zoom(double factor, double x);
    std::ptrdiff_t kernelAt(const QPointF& at) const;
    void makeCurrent(std::ptrdiff_t kernel);
    void paintLane(QPainter& painter, const TimelineLane& lane, int top) const;
    void paintBands(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintRuler(QPainter& painter) const;
    const Profile& profile() const { return *digest_->run->profile; }
    const Span& recordOf(std::size_t kernel) const;

    RunDigestPtr digest_;
    NodeId focused_;
    double begin_ = 0, nsPerPixel_ = 1;  // ns at the left end, from the begin of the runs
    std::ptrdiff_t current_ = -1, hover_ = -1;
    bool isFitted_ = true, isDragged_ = false;
    QPointF pressedAt_;
    double pressedBegin_ = 0;
    mutable std::unordered_map<std::string, QColor> colors_;
};

}  // namespace lapidary::views
