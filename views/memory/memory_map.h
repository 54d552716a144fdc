// SPDX-License-Identifier: GPL-3.0-or-later
// Every tensor of a run as a rectangle: its steps from left to right, its addresses from bottom to
// top. Neighbours in memory are neighbours in the picture. The table of lifetimes shows the same
// figures.
#pragma once

#include "memory/step_canvas.h"

namespace lapidary::views {

class MemoryMap : public StepCanvas {
    Q_OBJECT
public:
    explicit MemoryMap(QWidget* parent = nullptr);
    void setPicture(MemoryPicturePtr picture) override;
    void setColoring(MemoryColoring coloring);
    /// -1: none.
    void select(std::ptrdiff_t tensor);
    std::ptrdiff_t selected() const { return selected_; }
    void fitAll() override;
    /// The centre of the visible part of a tensor.
    QPointF pointOf(std::size_t tensor) const;

signals:
    void tensorPicked(int tensor);
    void tensorActivated(int tensor);

protected:
    void paintPlot(QPainter& painter, const QRectF& plot) override;
    std::pair<double, double> bytesShown() const override { return {low_, high_}; }
    QString sentenceAt(const QPointF& at) const override;
    bool clicked(const QPointF& at) override;
    void panned(const QPointF& by) override;
    void zoomedBytes(double factor, const QPointF& at) override;
    bool dragsCursorAnywhere() const override { return false; }
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QRectF rectOf(const TensorLifetime& tensor) const;
    void showBytes(double low, double high);
    void walk(bool up);
    double low_ = 0, high_ = 1;
    std::ptrdiff_t selected_ = -1;
    MemoryColoring coloring_ = MemoryColoring::role;
};

}  // namespace lapidary::views
