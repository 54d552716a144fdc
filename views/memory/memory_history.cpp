// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_history.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

MemoryHistory::MemoryHistory(QWidget* parent) : StepCanvas(parent) {
    setObjectName(QStringLiteral("memoryHistory"));
    setAccessibleName(tr("Memory over the steps of a run"));
    setAccessibleDescription(
        tr("Arrow keys move the cursor, P goes to the peak, plus and minus zoom, 0 shows all. The "
           "tables below follow "
           "the cursor."));
}

void MemoryHistory::setPicture(MemoryPicturePtr picture) {
    StepCanvas::setPicture(std::move(picture));
    findTop();
}

void MemoryHistory::setWeightsShown(bool shown) {
    weights_ = shown;
    findTop();
}

void MemoryHistory::setWasteShown(bool shown) {
    waste_ = shown;
    findTop();
}

void MemoryHistory::setMeasuredShown(bool shown) {
    measured_ = shown;
    findTop();
}

void MemoryHistory::findTop() {
    top_ = 1;
    if (!picture()) return;
    const MemoryReport& report = picture()->report;
    std::int64_t held = 0;
    if (measured_)
        for (const std::int64_t bytes : picture()->measured) held = std::max(held, bytes);
    top_ = std::max({1.0, double(report.needed_bytes), waste_ ? double(report.block_bytes) : 0.0,
                     double(held)});
    if (weights_) top_ += double(report.weight_bytes);
    top_ *= 1.06;
    update();
}

// Paints at most one column per pixel: of several steps in a pixel the one that uses most memory.
void MemoryHistory::paintPlot(QPainter& painter, const QRectF& plot) {
    const MemoryReport& report = picture()->report;
    const double base = weights_ ? double(report.weight_bytes) : 0;
    if (base > 0)
        painter.fillRect(QRectF(plot.left(), yOf(base), plot.width(), plot.bottom() - yOf(base)),
                         memoryColor(MemoryPart::weights, palette()));
    const auto first = std::size_t(std::max(0.0, std::floor(firstShown())));
    const auto end = std::min(report.moments.size(), std::size_t(std::ceil(endShown())));
    const double perPixel = (endShown() - firstShown()) / plot.width();
    const std::size_t stride = std::max<std::size_t>(1, std::size_t(perPixel));
    for (std::size_t i = first - first % stride; i < end; i += stride) {
        std::size_t most = i;
        for (std::size_t k = i; k < std::min(end, i + stride); ++k)
            if (report.moments[k].used() > report.moments[most].used()) most = k;
        const MemoryMoment& m = report.moments[most];
        const double left = std::floor(xOf(double(i))),
                     right = std::max(left + 1, std::floor(xOf(double(i + stride))));
        double bytes = base;
        const auto band = [&](std::uint64_t part, MemoryPart which) {
            if (part == 0) return;
            const double bottom = yOf(bytes);
            bytes += double(part);
            painter.fillRect(QRectF(left, yOf(bytes), right - left, bottom - yOf(bytes)),
                             memoryColor(which, palette()));
        };
        band(m.activations, MemoryPart::activations);
        band(m.outputs, MemoryPart::outputs);
        band(m.workspace, MemoryPart::workspace);
        if (waste_) band(m.waste, MemoryPart::waste);
    }
    if (!measured_ || picture()->measured.size() != report.moments.size()) return;
    QPainterPath line;
    for (std::size_t i = first - first % stride; i < end; i += stride) {
        std::int64_t held = 0;
        for (std::size_t k = i; k < std::min(end, i + stride); ++k)
            held = std::max(held, picture()->measured[k]);
        const QPointF at(xOf(double(i)), yOf(base + double(held)));
        if (line.isEmpty()) line.moveTo(at);
        else line.lineTo(at);
        line.lineTo(xOf(double(std::min(end, i + stride))), at.y());
    }
    painter.setPen(QPen(themeColors(palette()).error, 1.5, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
}

QString MemoryHistory::sentenceAt(const QPointF& at) const {
    if (!picture()) return {};
    const MemoryReport& report = picture()->report;
    const auto step = std::size_t(std::max(0.0, stepAt(at.x())));
    if (step >= report.moments.size()) return {};
    const MemoryMoment& m = report.moments[step];
    QString text =
        tr("Step %1, %2: %3 in use")
            .arg(formatCount(qint64(step)), labelText(report.steps[step]), formatBytes(m.used()));
    QStringList parts{tr("activations %1").arg(formatBytes(m.activations))};
    if (m.outputs) parts << tr("outputs %1").arg(formatBytes(m.outputs));
    if (m.workspace) parts << tr("working memory %1").arg(formatBytes(m.workspace));
    if (m.waste) parts << tr("held for other steps %1").arg(formatBytes(m.waste));
    text += QStringLiteral(" (") + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
    if (step < picture()->measured.size())
        text += tr("; measured %1")
                    .arg(formatBytes(
                        std::uint64_t(std::max<std::int64_t>(0, picture()->measured[step]))));
    return text;
}

}  // namespace lapidary::views
