// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_map.h"
#include "memory/memory_words.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double least_label_width = 44, least_outline = 4;  // pixels

}  // namespace

MemoryMap::MemoryMap(QWidget* parent) : StepCanvas(parent) {
    setObjectName(QStringLiteral("memoryMap"));
    setAccessibleName(tr("Map of memory: addresses over the steps of a run"));
    setAccessibleDescription(
        tr("Left and right move the cursor, up and down walk over the tensors alive there, Return "
           "shows the tensor in "
           "the graph. "
           "The table of lifetimes lists the same."));
}

void MemoryMap::setPicture(MemoryPicturePtr picture) {
    StepCanvas::setPicture(std::move(picture));
    selected_ = -1;
    low_ = 0;
    high_ = this->picture() ? std::max(1.0, double(this->picture()->report.address_end)) : 1;
}

void MemoryMap::setColoring(MemoryColoring coloring) {
    coloring_ = coloring;
    update();
}

void MemoryMap::select(std::ptrdiff_t tensor) {
    if (tensor == selected_) return;
    selected_ = tensor;
    update();
}

void MemoryMap::fitAll() {
    if (picture()) showBytes(0, double(picture()->report.address_end));
    StepCanvas::fitAll();
}

void MemoryMap::showBytes(double low, double high) {
    const double all = picture() ? std::max(1.0, double(picture()->report.address_end)) : 1;
    const double length = std::clamp(high - low, std::min(all, 256.0), all);
    low_ = std::clamp(low, 0.0, all - length);
    high_ = low_ + length;
    update();
}

void MemoryMap::zoomedBytes(double factor, const QPointF& at) {
    const double fixed = bytesAt(at.y()), share = (fixed - low_) / std::max(1.0, high_ - low_),
                 length = (high_ - low_) * factor;
    showBytes(fixed - share * length, fixed - share * length + length);
}

void MemoryMap::panned(const QPointF& by) {
    const double bytes = by.y() / plotRect().height() * (high_ - low_);
    showBytes(low_ + bytes, high_ + bytes);
}

QRectF MemoryMap::rectOf(const TensorLifetime& tensor) const {
    return QRectF(
        QPointF(xOf(double(tensor.first_step)), yOf(double(tensor.offset + tensor.bytes))),
        QPointF(xOf(double(tensor.last_step + 1)), yOf(double(tensor.offset))));
}

QPointF MemoryMap::pointOf(std::size_t tensor) const {
    return rectOf(picture()->report.tensors[tensor]).intersected(plotRect()).center();
}

void MemoryMap::paintPlot(QPainter& painter, const QRectF& plot) {
    const MemoryPicture& all = *picture();
    const QFontMetrics metrics = fontMetrics();
    const QColor canvas = themeColors(palette()).canvas;
    // Of rectangles narrower than a pixel only those that add something to their column are drawn,
    // however many there are.
    const int columns = int(plot.width()) + 1;
    const int rows = int(plot.height()) + 1;
    std::vector<bool> taken(std::size_t(columns) * std::size_t(rows));
    const double stepWidth = plot.width() / (endShown() - firstShown()),
                 byteHeight = plot.height() / std::max(1.0, high_ - low_);
    for (std::size_t i = 0; i < all.report.tensors.size(); ++i) {
        const TensorLifetime& t = all.report.tensors[i];
        if (double(t.first_step) >= endShown()) break;  // in order of the first step
        if (double(t.last_step + 1) <= firstShown() || double(t.offset) >= high_ ||
            double(t.offset + t.bytes) <= low_)
            continue;
        QRectF body =
            QRectF(QPointF(plot.left() + (double(t.first_step) - firstShown()) * stepWidth,
                           plot.bottom() - (double(t.offset + t.bytes) - low_) * byteHeight),
                   QPointF(plot.left() + (double(t.last_step + 1) - firstShown()) * stepWidth,
                           plot.bottom() - (double(t.offset) - low_) * byteHeight))
                .intersected(plot);
        if (body.width() < 1) {
            const auto column =
                std::size_t(std::clamp(int(body.left() - plot.left()), 0, columns - 1)) *
                std::size_t(rows);
            bool adds = false;
            for (int y = std::clamp(int(body.top() - plot.top()), 0, rows - 1),
                     end = std::clamp(int(body.bottom() - plot.top()), 0, rows - 1);
                 y <= end; ++y) {
                adds = adds || !taken[column + std::size_t(y)];
                taken[column + std::size_t(y)] = true;
            }
            if (!adds) continue;
        }
        body.setWidth(std::max(1.0, body.width()));
        if (body.height() < 1) body.setTop(body.bottom() - 1);
        const QColor color = tensorColor(all, i, coloring_, palette());
        painter.fillRect(body, color);
        if (body.width() < least_outline || body.height() < least_outline) continue;
        painter.setPen(canvas);
        painter.drawRect(body.adjusted(0, 0, -0.5, -0.5));
        if (body.width() < least_label_width || body.height() < metrics.height() + 2) continue;
        painter.setPen(color.lightness() > 125 || (color.green() > 150 && color.lightness() > 110)
                           ? QColor(0x10131c)
                           : QColor(Qt::white));
        const QString name = nameOf(t);
        painter.drawText(body.adjusted(4, 0, -3, 0),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(name, Qt::ElideMiddle, int(body.width()) - 7));
    }
    if (selected_ < 0 || std::size_t(selected_) >= all.report.tensors.size()) return;
    const QRectF body = rectOf(all.report.tensors[std::size_t(selected_)]);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.drawRect(body.adjusted(1, 1, -1, -1));
}

QString MemoryMap::sentenceAt(const QPointF& at) const {
    if (!picture()) return {};
    const auto tensor = picture()->tensorAt(stepAt(at.x()), bytesAt(at.y()));
    return tensor < 0 ? QString() : sentenceOf(picture()->report, std::size_t(tensor));
}

bool MemoryMap::clicked(const QPointF& at) {
    const auto tensor =
        plotRect().contains(at) ? picture()->tensorAt(stepAt(at.x()), bytesAt(at.y())) : -1;
    if (tensor < 0) return false;
    select(tensor);
    emit tensorPicked(int(tensor));
    return true;
}

/// To the neighbour, by address, of the selected tensor among those alive at the cursor.
void MemoryMap::walk(bool up) {
    if (!picture()) return;
    const auto& tensors = picture()->report.tensors;
    std::vector<std::size_t> alive = picture()->report.alive_at(std::size_t(cursorStep()));
    std::ranges::sort(alive, {}, [&](std::size_t i) { return tensors[i].offset; });
    if (alive.empty()) return;
    const auto at = std::ranges::find(alive, std::size_t(std::max<std::ptrdiff_t>(0, selected_)));
    std::size_t next = up ? 0 : alive.size() - 1;
    if (selected_ >= 0 && at != alive.end()) {
        const auto index = std::size_t(at - alive.begin());
        next = up ? std::min(index + 1, alive.size() - 1) : index - std::min<std::size_t>(index, 1);
    }
    select(std::ptrdiff_t(alive[next]));
    const QString sentence = sentenceOf(picture()->report, alive[next]);
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    emit hovered(sentence);
    emit tensorPicked(int(alive[next]));
}

void MemoryMap::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up: return walk(true);
    case Qt::Key_Down: return walk(false);
    case Qt::Key_BracketRight: return zoomedBytes(0.5, plotRect().center());
    case Qt::Key_BracketLeft: return zoomedBytes(2, plotRect().center());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selected_ >= 0) {
            emit tensorActivated(int(selected_));
            return;
        }
        break;
    default: break;
    }
    StepCanvas::keyPressEvent(event);
}

void MemoryMap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!picture()) return;
    const auto tensor =
        picture()->tensorAt(stepAt(event->position().x()), bytesAt(event->position().y()));
    if (tensor >= 0) emit tensorActivated(int(tensor));
    else StepCanvas::mouseDoubleClickEvent(event);
}

}  // namespace lapidary::views
