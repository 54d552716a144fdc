// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/noise_meter.h"

#include <QPainter>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr int bars = 3, bar_width = 4, bar_gap = 2, margin = 6;

QString wordOf(Quietness quietness) {
    switch (quietness) {
    case Quietness::quiet: return NoiseMeter::tr("quiet");
    case Quietness::some: return NoiseMeter::tr("some noise");
    case Quietness::loud: break;
    }
    return NoiseMeter::tr("noisy");
}

QString adviceOf(Quietness quietness) {
    switch (quietness) {
    case Quietness::quiet:
        return NoiseMeter::tr(
            "The machine is quiet: measurements are worth what their intervals say.");
    case Quietness::some:
        return NoiseMeter::tr(
            "Other work runs: differences of a few percent may drown, and measuring takes longer.");
    case Quietness::loud: break;
    }
    return NoiseMeter::tr(
        "The machine is busy or slowed down: end other programs or wait before measuring.");
}

}  // namespace

NoiseMeter::NoiseMeter(app::NoiseMonitor* monitor, QWidget* parent)
    : QWidget(parent), monitor_(*monitor) {
    monitor->setParent(this);
    setObjectName(QStringLiteral("noiseMeter"));
    setAccessibleName(tr("Noise of the machine"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(monitor, &app::NoiseMonitor::changed, this, &NoiseMeter::refresh);
    refresh();
}

QString NoiseMeter::sentence() const {
    const auto& noise = monitor_.noise();
    if (!noise) return tr("How quiet the machine is shows in a few seconds.");
    QStringList lines{
        adviceOf(quietness_of(*noise)),
        tr("Speed of a known piece of work: %1 of the best seen").arg(formatPercent(noise->speed))};
    if (noise->others)
        lines << tr("Other programs use %1 of the cores").arg(formatPercent(*noise->others));
    if (noise->stolen && *noise->stolen > 0.001)
        lines << tr("The host of this virtual machine takes %1 of the cores")
                     .arg(formatPercent(*noise->stolen));
    if (monitor_.isHeld()) lines << tr("As it was before the task that runs now.");
    return lines.join(u'\n');
}

void NoiseMeter::refresh() {
    setToolTip(plainToolTip(sentence()));
    setAccessibleDescription(sentence());
    updateGeometry();
    update();
}

QSize NoiseMeter::sizeHint() const {
    const int widest = qMax(fontMetrics().horizontalAdvance(wordOf(Quietness::some)),
                            qMax(fontMetrics().horizontalAdvance(wordOf(Quietness::quiet)),
                                 fontMetrics().horizontalAdvance(wordOf(Quietness::loud))));
    return {margin * 3 + bars * (bar_width + bar_gap) + widest, fontMetrics().height() + 2};
}

void NoiseMeter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const auto& noise = monitor_.noise();
    const int lit = !noise                                     ? 0
                    : quietness_of(*noise) == Quietness::quiet ? 1
                    : quietness_of(*noise) == Quietness::some  ? 2
                                                               : 3;
    QColor color = lit <= 1 ? colors.good : lit == 2 ? colors.warning : colors.error;
    if (monitor_.isHeld()) color = colors.mutedText;
    const double base = height() - 4, full = height() - 8;
    painter.setPen(Qt::NoPen);
    for (int bar = 0; bar < bars; ++bar) {
        const double high = full * (bar + 1) / bars;
        painter.setBrush(bar < lit ? color : colors.border);
        painter.drawRoundedRect(
            QRectF(margin + bar * (bar_width + bar_gap), base - high, bar_width, high), 1, 1);
    }
    if (!noise) return;
    painter.setPen(colors.mutedText);
    painter.drawText(rect().adjusted(margin * 2 + bars * (bar_width + bar_gap), 0, 0, 0),
                     Qt::AlignVCenter | Qt::AlignLeft, wordOf(quietness_of(*noise)));
}

void NoiseMeter::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    monitor_.setActive(true);
}

void NoiseMeter::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    monitor_.setActive(false);
}

}  // namespace lapidary::views
