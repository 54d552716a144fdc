// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QLocale>

#include <algorithm>

namespace lapidary::views {
namespace {

constexpr double least_gradient = 150;
constexpr double beside_rows = 52;  // mark of the colour, margins, and the mark that folds

std::vector<std::pair<QColor, QString>> familyRows(const GraphScene& scene,
                                                   const QPalette& palette) {
    constexpr int families = static_cast<int>(OperatorFamily::other) + 1;
    std::vector<bool> used(families, false);
    for (const SceneBox& box : scene.boxes)
        if (!box.open && scene.nodesIn(box) > 0)
            used[static_cast<std::size_t>(scene.familyOf(box))] = true;
    std::vector<std::pair<QColor, QString>> rows;
    for (int f = 0; f < families; ++f)
        if (used[static_cast<std::size_t>(f)])
            rows.emplace_back(operatorColor(static_cast<OperatorFamily>(f), palette),
                              nameOf(static_cast<OperatorFamily>(f)));
    return rows;
}

double lineOf(const QFontMetricsF& metrics) { return metrics.height() + 3; }

}  // namespace

CanvasLegend CanvasLegend::of(const OverlaySubject& subject) {
    CanvasLegend legend;
    const ColorBy by = subject.look.colorBy;
    if (by == ColorBy::None || subject.scene.boxes.empty()) return legend;
    if (by == ColorBy::Type) {
        legend.rows = familyRows(subject.scene, subject.palette);
    } else if (by == ColorBy::Kind && subject.kinds) {
        for (int k = 0; k < subject.kinds->names.size(); ++k)
            legend.rows.emplace_back(kindColor(k, subject.palette), subject.kinds->names[k]);
    } else if (by == ColorBy::Value && subject.values) {
        legend.title = subject.values->title;
        legend.hasGradient = true;
        legend.upperEnd = QStringLiteral("%1 %2").arg(QLocale().toString(subject.most, 'g', 3),
                                                      subject.values->unit);
    } else {
        legend.title =
            QCoreApplication::translate("CanvasOverlay", "No measurements yet: run a profile");
    }
    return legend;
}

QSizeF CanvasLegend::size(const QFontMetricsF& metrics) const {
    const double line = lineOf(metrics);
    if (rows.empty())
        return {std::max(least_gradient, metrics.horizontalAdvance(title) + 36),
                hasGradient ? 2 * line + 26 : line + 10};
    double width = 0;
    for (const auto& [color, name] : rows) width = std::max(width, metrics.horizontalAdvance(name));
    return {width + beside_rows, static_cast<double>(rows.size()) * line + 12};
}

void CanvasLegend::paint(QPainter& painter, const QRectF& place, const QPalette& palette,
                         const QFontMetricsF& metrics) const {
    const ThemeColors& colors = themeColors(palette);
    const double line = lineOf(metrics);
    double y = place.y() + 6;
    for (const auto& [color, name] : rows) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(place.x() + 10, y + line / 2 - 5, 10, 10), 3, 3);
        painter.setPen(palette.color(QPalette::WindowText));
        painter.drawText(QRectF(place.x() + 27, y, place.width() - 27, line),
                         Qt::AlignVCenter | Qt::AlignLeft, name);
        y += line;
    }
    if (!rows.empty()) return;
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(QRectF(place.x() + 10, place.y() + 5, place.width(), line),
                     Qt::AlignVCenter | Qt::AlignLeft, title);
    if (!hasGradient) return;
    const QRectF bar(place.x() + 10, place.y() + 8 + line, place.width() - 20, 10);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 6; ++i) gradient.setColorAt(i / 6.0, heatColor(i / 6.0, palette));
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
    const QRectF numbers(bar.x(), bar.bottom() + 2, bar.width(), line);
    painter.setPen(colors.mutedText);
    painter.drawText(numbers, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter, upperEnd);
}

}  // namespace lapidary::views
