// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/step_canvas.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr double least_steps = 4;   // shown at once
constexpr double cursor_slack = 5;  // pixels beside the line that still take hold of it
constexpr int mark_distance = 90;   // pixels between figures of the step axis

/// 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least) {
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-9))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least) return power * factor;
    return power * 10;
}

}  // namespace

StepCanvas::StepCanvas(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StepCanvas::setPicture(MemoryPicturePtr picture) {
    const bool sameLength = picture_ && picture && picture_->steps() == picture->steps();
    picture_ = std::move(picture);
    if (!sameLength) {
        begin_ = 0;
        end_ = picture_ ? std::max(1.0, double(picture_->steps())) : 1;
    }
    cursor_ = picture_ ? std::clamp(cursor_, 0, std::max(0, int(picture_->steps()) - 1)) : 0;
    update();
}

void StepCanvas::setSteps(double begin, double end) {
    const double all = picture_ ? std::max(1.0, double(picture_->steps())) : 1;
    const double length = std::clamp(end - begin, std::min(least_steps, all), all);
    begin = std::clamp(begin, 0.0, all - length);
    if (begin == begin_ && begin + length == end_) return;
    begin_ = begin;
    end_ = begin + length;
    update();
    emit stepsShown(begin_, end_);
}

void StepCanvas::fitAll() {
    if (picture_) setSteps(0, double(picture_->steps()));
}

void StepCanvas::zoomSteps(double factor, double atStep) {
    if (!picture_) return;
    const double fixed = atStep >= 0 ? atStep : std::clamp(cursor_ + 0.5, begin_, end_);
    const double all = std::max(1.0, double(picture_->steps()));
    const double length = std::clamp((end_ - begin_) * factor, std::min(least_steps, all), all);
    const double share = (fixed - begin_) / (end_ - begin_);
    setSteps(fixed - share * length, fixed - share * length + length);
}

void StepCanvas::setCursorStep(int step) {
    if (!picture_ || picture_->steps() == 0) return;
    step = std::clamp(step, 0, int(picture_->steps()) - 1);
    if (step == cursor_) return;
    cursor_ = step;
    if (step < begin_ || step + 1 > end_)
        setSteps(step + 0.5 - (end_ - begin_) / 2, step + 0.5 + (end_ - begin_) / 2);
    update();
}

void StepCanvas::moveCursor(int step) {
    const int before = cursor_;
    setCursorStep(step);
    if (cursor_ == before) return;
    emit cursorMoved(cursor_);
    if (!QAccessible::isActive()) return;
    setAccessibleDescription(sentenceAt({xOf(cursor_ + 0.5), plotRect().bottom() - 1}));
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
}

QRectF StepCanvas::plotRect() const {
    if (gutter_ == 0) gutter_ = fontMetrics().horizontalAdvance(QStringLiteral("88.88 MB")) + 18;
    return QRectF(gutter_, 8, std::max(1, width() - gutter_ - 14),
                  std::max(1, height() - 8 - fontMetrics().height() - 10));
}

double StepCanvas::xOf(double step) const {
    const QRectF plot = plotRect();
    return plot.left() + (step - begin_) / (end_ - begin_) * plot.width();
}

double StepCanvas::stepAt(double x) const {
    const QRectF plot = plotRect();
    return begin_ + (x - plot.left()) / plot.width() * (end_ - begin_);
}

double StepCanvas::yOf(double bytes) const {
    const QRectF plot = plotRect();
    const auto [low, high] = bytesShown();
    return plot.bottom() - (bytes - low) / std::max(1.0, high - low) * plot.height();
}

double StepCanvas::bytesAt(double y) const {
    const QRectF plot = plotRect();
    const auto [low, high] = bytesShown();
    return low + (plot.bottom() - y) / plot.height() * std::max(1.0, high - low);
}

void StepCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.canvas);
    if (!picture_ || picture_->steps() == 0) return;
    const QRectF plot = plotRect();
    paintAxes(painter, plot);
    painter.save();
    painter.setClipRect(plot);
    paintPlot(painter, plot);
    painter.restore();
    paintCursor(painter, plot);
}

void StepCanvas::paintAxes(QPainter& painter, const QRectF& plot) const {
    const ThemeColors& colors = themeColors(palette());
    const QFontMetrics metrics = fontMetrics();
    const auto [low, high] = bytesShown();
    const double byteStep =
        roundStep((high - low) / std::max(1.0, plot.height() / (metrics.height() * 2.2)));
    for (double bytes = std::ceil(low / byteStep) * byteStep; bytes <= high; bytes += byteStep) {
        const double y = std::round(yOf(bytes)) + 0.5;
        painter.setPen(QPen(colors.border, 0, Qt::DotLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.mutedText);
        painter.drawText(
            QRectF(0, y - metrics.height(), plot.left() - 6, 2 * metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter,
            bytes < 0.5 ? QStringLiteral("0") : formatBytes(std::uint64_t(std::llround(bytes))));
    }
    painter.setPen(colors.border);
    painter.drawRect(plot.adjusted(-0.5, -0.5, 0.5, 0.5));
    const double stepStep =
        std::max(1.0, roundStep((end_ - begin_) * mark_distance / plot.width()));
    for (double step = std::ceil(begin_ / stepStep) * stepStep; step <= end_; step += stepStep) {
        const double x = std::round(xOf(step)) + 0.5;
        painter.setPen(colors.border);
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        const QString text = formatCount(qint64(std::llround(step)));
        const double width = metrics.horizontalAdvance(text) + 4;
        const double left = std::clamp(x - width / 2, plot.left(), plot.right() - width);
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(left, plot.bottom() + 4, width, metrics.height() + 2),
                         Qt::AlignCenter, text);
    }
    painter.setPen(colors.mutedText);
    painter.drawText(QRectF(0, plot.bottom() + 4, plot.left() - 6, metrics.height() + 2),
                     Qt::AlignRight | Qt::AlignVCenter, tr("Step"));
}

void StepCanvas::paintCursor(QPainter& painter, const QRectF& plot) const {
    const double left = xOf(cursor_), right = xOf(cursor_ + 1);
    if (right < plot.left() || left > plot.right()) return;
    const ThemeColors& colors = themeColors(palette());
    const QRectF band =
        QRectF(QPointF(left, plot.top()), QPointF(right, plot.bottom())).intersected(plot);
    if (band.width() > 3) painter.fillRect(band, colors.selection);
    const double x = std::round(std::clamp((left + right) / 2, plot.left(), plot.right())) + 0.5;
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Text));
    // a handle
    painter.drawConvexPolygon(
        QPolygonF({{x - 5, plot.top() - 6}, {x + 5, plot.top() - 6}, {x, plot.top() + 1}}));
}

void StepCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const double amount = turn.y() != 0 ? turn.y() : turn.x();
    if (event->modifiers() & Qt::ControlModifier)
        zoomedBytes(std::pow(0.5, amount / 240.0), event->position());
    else if (event->modifiers() & Qt::ShiftModifier || turn.y() == 0)
        setSteps(begin_ - amount / 1000 * (end_ - begin_), end_ - amount / 1000 * (end_ - begin_));
    else zoomSteps(std::pow(0.5, amount / 240.0), stepAt(event->position().x()));
    event->accept();
}

void StepCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !picture_) return;
    pressedAt_ = lastAt_ = event->position();
    const bool onCursor = std::abs(event->position().x() - xOf(cursor_ + 0.5)) <= cursor_slack;
    if (event->modifiers() & Qt::ShiftModifier) drag_ = Drag::pan;
    else if (onCursor || dragsCursorAnywhere()) {
        drag_ = Drag::cursor;
        if (dragsCursorAnywhere()) moveCursor(int(std::floor(stepAt(event->position().x()))));
    } else drag_ = Drag::pressed;
}

void StepCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (drag_ == Drag::pressed &&
        (at - pressedAt_).manhattanLength() > QApplication::startDragDistance())
        drag_ = Drag::pan;
    switch (drag_) {
    case Drag::cursor:
        moveCursor(
            int(std::floor(stepAt(std::clamp(at.x(), plotRect().left(), plotRect().right() - 1)))));
        break;
    case Drag::pan: {
        setCursor(Qt::ClosedHandCursor);
        const double steps = (at.x() - lastAt_.x()) / plotRect().width() * (end_ - begin_);
        setSteps(begin_ - steps, end_ - steps);
        panned(at - lastAt_);
        lastAt_ = at;
        break;
    }
    case Drag::none:
        setCursor(std::abs(at.x() - xOf(cursor_ + 0.5)) <= cursor_slack ? Qt::SplitHCursor
                                                                        : Qt::ArrowCursor);
        emit hovered(plotRect().contains(at) ? sentenceAt(at) : QString());
        break;
    case Drag::pressed: break;
    }
}

void StepCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const Drag ended = std::exchange(drag_, Drag::none);
    unsetCursor();
    // A click without movement also reaches items below the cursor line.
    const bool stayed =
        (event->position() - pressedAt_).manhattanLength() <= QApplication::startDragDistance();
    if (ended == Drag::cursor && !dragsCursorAnywhere() && stayed && picture_)
        clicked(event->position());
    if (ended != Drag::pressed || !picture_) return;
    if (!clicked(event->position()) && plotRect().contains(event->position()))
        moveCursor(int(std::floor(stepAt(event->position().x()))));
}

void StepCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (picture_ && plotRect().contains(event->position()))
        emit stepActivated(int(std::floor(stepAt(event->position().x()))));
}

void StepCanvas::leaveEvent(QEvent* event) {
    emit hovered({});
    QWidget::leaveEvent(event);
}

void StepCanvas::keyPressEvent(QKeyEvent* event) {
    const int page = std::max(1, int((end_ - begin_) / 10));
    switch (event->key()) {
    case Qt::Key_Left: return moveCursor(cursor_ - 1);
    case Qt::Key_Right: return moveCursor(cursor_ + 1);
    case Qt::Key_PageUp: return moveCursor(cursor_ - page);
    case Qt::Key_PageDown: return moveCursor(cursor_ + page);
    case Qt::Key_Home: return moveCursor(0);
    case Qt::Key_End: return moveCursor(picture_ ? int(picture_->steps()) - 1 : 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomSteps(0.5);
    case Qt::Key_Minus: return zoomSteps(2);
    case Qt::Key_0: return fitAll();
    case Qt::Key_P: return moveCursor(picture_ ? int(picture_->report.peak_step) : 0);
    case Qt::Key_Return:
    case Qt::Key_Enter: emit stepActivated(cursor_); return;
    default: QWidget::keyPressEvent(event);
    }
}

void StepCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) gutter_ = 0;
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    QWidget::changeEvent(event);
}

bool StepCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && picture_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString sentence =
            plotRect().contains(help->pos()) ? sentenceAt(help->pos()) : QString();
        if (sentence.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), plainToolTip(sentence), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace lapidary::views
