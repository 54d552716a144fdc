// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_overlay.h"
#include "canvas/family_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QLocale>

#include <algorithm>

namespace lapidary::views {
namespace {

constexpr double margin = 12, inset = 4;
constexpr QSizeF mostMap(190, 230);
constexpr QSizeF leastMap(44, 44);
constexpr double mostShare = 0.22;  // of the canvas, each way

/// The drawing's place inside the map; long strips are squeezed so that they stay visible.
QRectF drawingIn(const GraphScene& scene, const QRectF& map) {
    const QRectF room = map.adjusted(inset, inset, -inset, -inset);
    QSizeF size = QSizeF(scene.width, scene.height).scaled(room.size(), Qt::KeepAspectRatio);
    size = size.expandedTo(QSizeF(std::min(room.width(), 14.0), std::min(room.height(), 14.0)));
    return QRectF(room.center() - QPointF(size.width() / 2, size.height() / 2), size);
}

using LegendRows = std::vector<std::pair<QColor, QString>>;

/// The families of operators that are drawn.
LegendRows familyRows(const GraphScene& scene, const QPalette& palette) {
    constexpr int families = static_cast<int>(OperatorFamily::other) + 1;
    std::vector<bool> used(families, false);
    for (const SceneBox& box : scene.boxes)
        if (!box.open && scene.nodesIn(box) > 0) used[static_cast<std::size_t>(scene.familyOf(box))] = true;
    LegendRows rows;
    for (int f = 0; f < families; ++f)
        if (used[static_cast<std::size_t>(f)])
            rows.emplace_back(operatorColor(static_cast<OperatorFamily>(f), palette),
                              nameOf(static_cast<OperatorFamily>(f)));
    return rows;
}

QSizeF sizeOf(const LegendRows& rows, const QFontMetricsF& metrics) {
    double width = 0;
    for (const auto& [color, name] : rows) width = std::max(width, metrics.horizontalAdvance(name));
    return {width + 36, static_cast<double>(rows.size()) * (metrics.height() + 3) + 12};
}

}  // namespace

QRectF familyLegend(const GraphScene& scene, const QPalette& palette, const QFont& font, const QSizeF& widget) {
    const LegendRows rows = familyRows(scene, palette);
    if (rows.empty()) return {};
    const QSizeF size = sizeOf(rows, QFontMetricsF(font));
    return QRectF(QPointF(margin, widget.height() - margin - size.height()), size);
}

QRectF CanvasOverlay::mapRect(const GraphScene& scene, const QSizeF& widget, const QRectF& visible) const {
    if (scene.boxes.empty() || widget.width() < 400 || widget.height() < 300) return {};
    if (visible.contains(QRectF(0, 0, scene.width, scene.height))) return {};
    return mapIn(scene, widget, atTop_);
}

QRectF CanvasOverlay::mapIn(const GraphScene& scene, const QSizeF& widget, bool atTop) {
    const QSizeF most = mostMap.boundedTo(widget * mostShare);
    const QSizeF size = QSizeF(scene.width, scene.height).scaled(most, Qt::KeepAspectRatio).expandedTo(leastMap);
    return QRectF(QPointF(widget.width() - size.width() - margin,
                          atTop ? margin : widget.height() - size.height() - margin), size);
}

void CanvasOverlay::chooseCorner(const GraphScene& scene, const QSizeF& widget, double scale, const QPointF& origin) {
    const auto covered = [&](bool atTop) {
        const QRectF map = mapIn(scene, widget, atTop);
        const QRectF area(map.topLeft() / scale + origin, map.size() / scale);
        std::vector<std::uint32_t> near;
        scene.boxGrid.find(area, near);
        double sum = 0;
        for (const std::uint32_t i : near) {
            if (scene.boxes[i].open) continue;
            const QRectF both = scene.boxes[i].rect().intersected(area);
            if (!both.isEmpty()) sum += both.width() * both.height();
        }
        return sum;
    };
    atTop_ = !scene.boxes.empty() && covered(true) < covered(false);
}

QPointF CanvasOverlay::sceneAt(const GraphScene& scene, const QRectF& map, const QPointF& at) const {
    const QRectF drawing = drawingIn(scene, map);
    return QPointF((at.x() - drawing.x()) / drawing.width() * scene.width,
                   (at.y() - drawing.y()) / drawing.height() * scene.height);
}

void CanvasOverlay::paintMap(QPainter& painter, const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                             const QRectF& map, const QRectF& visible) {
    const ThemeColors& colors = themeColors(palette);
    const QRectF drawing = drawingIn(scene, map);
    const double ratio = painter.device()->devicePixelRatioF();
    if (map_.isNull() || map_.deviceIndependentSize() != map.size() || map_.devicePixelRatio() != ratio) {
        map_ = QPixmap((map.size() * ratio).toSize());
        map_.setDevicePixelRatio(ratio);
        map_.fill(Qt::transparent);
        QPainter p(&map_);
        p.translate(drawing.topLeft() - map.topLeft());
        const double x = drawing.width() / scene.width, y = drawing.height() / scene.height;
        qint64 last = -1;
        for (OutlineIndex i = 0; i < scene.boxes.size(); ++i) {
            const SceneBox& box = scene.boxes[i];
            QRectF r(box.x * x, box.y * y, std::max(1.5, box.width * x), std::max(1.0, box.height * y));
            if (box.open) {
                p.fillRect(r, mixed(colors.card, colors.border, 0.5));
                continue;
            }
            const qint64 cell = static_cast<qint64>(r.y() * ratio) * 65536 + static_cast<qint64>(r.x() * ratio);
            if (cell == last) continue;  // nothing new to see in the same pixel
            last = cell;
            const bool heated = look.colorBy == ColorBy::Value && i < look.heat.size() && look.heat[i] == look.heat[i];
            const bool isOfKind = look.colorBy == ColorBy::Kind && i < look.kinds.size() && look.kinds[i] >= 0;
            p.fillRect(r, heated ? heatColor(look.heat[i], palette)
                          : isOfKind ? kindColor(look.kinds[i], palette)
                          : look.colorBy == ColorBy::Type && scene.nodesIn(box) > 0
                              ? operatorColor(scene.familyOf(box), palette)
                              : colors.mutedText);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.border, 1));
    QColor back = colors.card;
    back.setAlpha(235);
    painter.setBrush(back);
    painter.drawRoundedRect(map, 6, 6);
    painter.drawPixmap(map.topLeft(), map_);
    const QRectF shown = visible.intersected(QRectF(0, 0, scene.width, scene.height));
    QRectF window(drawing.x() + shown.x() / scene.width * drawing.width(),
                  drawing.y() + shown.y() / scene.height * drawing.height(),
                  shown.width() / scene.width * drawing.width(), shown.height() / scene.height * drawing.height());
    if (window.height() < 5) window.adjust(0, (window.height() - 5) / 2, 0, (5 - window.height()) / 2);
    if (window.width() < 5) window.adjust((window.width() - 5) / 2, 0, (5 - window.width()) / 2, 0);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.setBrush(colors.selection);
    painter.drawRect(window.intersected(map));
}

void CanvasOverlay::paintLegend(QPainter& painter, const GraphScene& scene, const GraphLook& look,
                                const QPalette& palette, const QFont& font, const QSizeF& widget,
                                const LeafValues* values, double most, const LeafKinds* kinds) const {
    if (look.colorBy == ColorBy::None || scene.boxes.empty() || widget.width() < 400 || widget.height() < 300) return;
    const ThemeColors& colors = themeColors(palette);
    const QFontMetricsF metrics(font);
    const double line = metrics.height() + 3;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(font);
    auto card = [&](double width, double height) {
        const QRectF r(margin, widget.height() - margin - height, width, height);
        QColor back = colors.card;
        back.setAlpha(235);
        painter.setPen(QPen(colors.border, 1));
        painter.setBrush(back);
        painter.drawRoundedRect(r, 6, 6);
        return r;
    };
    const auto listColors = [&](const LegendRows& rows) {
        const QSizeF size = sizeOf(rows, metrics);
        const double width = size.width() - 36;
        const QRectF r = card(size.width(), size.height());
        double y = r.y() + 6;
        for (const auto& [color, name] : rows) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawRoundedRect(QRectF(r.x() + 10, y + line / 2 - 5, 10, 10), 3, 3);
            painter.setPen(palette.color(QPalette::WindowText));
            painter.drawText(QRectF(r.x() + 27, y, width + 4, line), Qt::AlignVCenter | Qt::AlignLeft, name);
            y += line;
        }
    };
    if (look.colorBy == ColorBy::Kind && kinds) {
        LegendRows rows;
        for (int k = 0; k < kinds->names.size(); ++k) rows.emplace_back(kindColor(k, palette), kinds->names[k]);
        listColors(rows);
        return;
    }
    if (look.colorBy == ColorBy::Type) {
        const LegendRows rows = familyRows(scene, palette);
        if (!rows.empty()) listColors(rows);
        return;
    }
    const QString title =
        values && look.colorBy == ColorBy::Value
            ? values->title
            : QCoreApplication::translate("CanvasOverlay", "No measurements yet: run a profile");
    const double width = std::max(150.0, metrics.horizontalAdvance(title) + 20);
    const QRectF r = card(width, values ? 2 * line + 26 : line + 10);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(QRectF(r.x() + 10, r.y() + 5, width, line), Qt::AlignVCenter | Qt::AlignLeft, title);
    if (!values || look.colorBy != ColorBy::Value) return;
    const QRectF bar(r.x() + 10, r.y() + 8 + line, width - 20, 10);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 6; ++i) gradient.setColorAt(i / 6.0, heatColor(i / 6.0, palette));
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
    const QRectF numbers(bar.x(), bar.bottom() + 2, bar.width(), line);
    painter.setPen(colors.mutedText);
    painter.drawText(numbers, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("%1 %2").arg(QLocale().toString(most, 'g', 3), values->unit));
}

}  // namespace lapidary::views
