// SPDX-License-Identifier: GPL-3.0-or-later
// Base of the memory curve and the memory map: steps of the plan from left to right, a cursor at
// one step, bytes from bottom to top. Wheel zooms at the pointer, Shift-drag pans, arrow keys move
// the cursor.
#pragma once

#include <QWidget>

#include "memory/memory_picture.h"

namespace lapidary::views {

class StepCanvas : public QWidget {
    Q_OBJECT
public:
    explicit StepCanvas(QWidget* parent = nullptr);

    virtual void setPicture(MemoryPicturePtr picture);
    const MemoryPicturePtr& picture() const { return picture_; }
    /// The steps shown, step i from i to i + 1.
    void setSteps(double begin, double end);
    double firstShown() const { return begin_; }
    double endShown() const { return end_; }
    void setCursorStep(int step);
    int cursorStep() const { return cursor_; }
    QSize minimumSizeHint() const override { return {260, 110}; }

public slots:
    void zoomIn() { zoomSteps(0.5); }
    void zoomOut() { zoomSteps(2); }
    virtual void fitAll();

signals:
    void cursorMoved(int step);
    void stepsShown(double begin, double end);
    void hovered(const QString& sentence);
    void stepActivated(int step);

protected:
    /// Paints the area within the axes, clipped.
    virtual void paintPlot(QPainter& painter, const QRectF& plot) = 0;
    /// Top and bottom of the byte axis.
    virtual std::pair<double, double> bytesShown() const = 0;
    virtual QString sentenceAt(const QPointF& at) const = 0;
    /// True if the click was handled; otherwise the cursor moves there.
    virtual bool clicked(const QPointF&) { return false; }
    virtual void panned(const QPointF&) {}
    virtual void zoomedBytes(double, const QPointF&) {}
    virtual bool dragsCursorAnywhere() const = 0;

    QRectF plotRect() const;
    double xOf(double step) const;
    double stepAt(double x) const;
    double yOf(double bytes) const;
    double bytesAt(double y) const;
    void zoomSteps(double factor, double atStep = -1);
    void moveCursor(int step);

    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintAxes(QPainter& painter, const QRectF& plot) const;
    void paintCursor(QPainter& painter, const QRectF& plot) const;

    MemoryPicturePtr picture_;
    double begin_ = 0, end_ = 1;
    int cursor_ = 0;
    enum class Drag { none, pressed, cursor, pan } drag_ = Drag::none;
    QPointF pressedAt_, lastAt_;
    mutable int gutter_ = 0;  // width of the byte axis in this font; 0: not measured yet
};

}  // namespace lapidary::views
