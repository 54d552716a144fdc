// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_overlay.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace lapidary::views {
namespace {

constexpr double margin = CanvasOverlay::margin, inset = 4;
constexpr QSizeF mostMap(190, 230);
constexpr QSizeF leastMap(44, 44);
constexpr double mostShare = 0.22;  // share of the canvas in each direction
constexpr double foldSide = 18;     // side of the square that folds when clicked

QString mapWord() { return QCoreApplication::translate("CanvasOverlay", "Map"); }
QString legendWord() { return QCoreApplication::translate("CanvasOverlay", "Colours"); }

/// False for widgets that are too small for an overlay.
bool hasRoom(const QSizeF& widget) { return widget.width() >= 400 && widget.height() >= 300; }

QSizeF wordSize(const QString& word, const QFontMetricsF& metrics) {
    return {metrics.horizontalAdvance(word) + 16 + foldSide, metrics.height() + 8};
}

/// The drawing's place inside the map; long strips are squeezed so that they stay visible.
QRectF drawingIn(const GraphScene& scene, const QRectF& map) {
    const QRectF room = map.adjusted(inset, inset, -inset, -inset);
    QSizeF size = QSizeF(scene.width, scene.height).scaled(room.size(), Qt::KeepAspectRatio);
    size = size.expandedTo(QSizeF(std::min(room.width(), 14.0), std::min(room.height(), 14.0)));
    return QRectF(room.center() - QPointF(size.width() / 2, size.height() / 2), size);
}

QRectF foldMark(const QRectF& card) {
    return QRectF(card.right() - foldSide, card.top(), foldSide,
                  std::min(foldSide + 2, card.height()));
}

void paintCard(QPainter& painter, const QRectF& card, const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    QColor back = colors.card;
    back.setAlpha(235);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(card, 6, 6);
}

/// Paints the sign for folding (minus) or unfolding (plus).
void paintFoldMark(QPainter& painter, const QRectF& card, bool folded, const QPalette& palette) {
    const QPointF centre = foldMark(card).center();
    painter.setPen(QPen(themeColors(palette).mutedText, 1.5));
    painter.drawLine(centre - QPointF(4, 0), centre + QPointF(4, 0));
    if (folded) painter.drawLine(centre - QPointF(0, 4), centre + QPointF(0, 4));
}

void paintWord(QPainter& painter, const QRectF& card, const QString& word,
               const QPalette& palette) {
    paintCard(painter, card, palette);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(card.adjusted(9, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
    paintFoldMark(painter, card, true, palette);
}

}  // namespace

const CanvasLegend& CanvasOverlay::legendOf(const OverlaySubject& subject) const {
    if (!legend_) legend_ = CanvasLegend::of(subject);
    return *legend_;
}

QRectF CanvasOverlay::mapIn(const OverlaySubject& subject, Place place) {
    const QSizeF most = mostMap.boundedTo(subject.widget * mostShare);
    const QSizeF whole = QSizeF(subject.scene.width, subject.scene.height)
                             .scaled(most, Qt::KeepAspectRatio)
                             .expandedTo(leastMap);
    const QSizeF size = place.folded ? wordSize(mapWord(), QFontMetricsF(subject.font)) : whole;
    return QRectF(QPointF(subject.widget.width() - size.width() - margin,
                          place.atTop ? margin : subject.widget.height() - size.height() - margin),
                  size);
}

QRectF CanvasOverlay::legendIn(const OverlaySubject& subject, Place place) const {
    const QFontMetricsF metrics(subject.font);
    const QSizeF size =
        place.folded ? wordSize(legendWord(), metrics) : legendOf(subject).size(metrics);
    return QRectF(
        QPointF(margin, place.atTop ? margin : subject.widget.height() - margin - size.height()),
        size);
}

/// The area of line labels that a rectangle of the scene would cover.
double CanvasOverlay::coveredLabels(const GraphScene& scene, const QRectF& area) {
    std::vector<std::uint32_t> near;
    // a label stands beside the end of its line
    scene.pieceGrid.find(area.adjusted(-widestLabel, -24, widestLabel, 24), near);
    double sum = 0;
    for (const std::uint32_t i : near) {
        if (!scene.pieces[i].last) continue;
        const QRectF both = scene.labels[scene.pieces[i].line].intersected(area);
        if (!both.isEmpty()) sum += both.width() * both.height();
    }
    return sum;
}

void CanvasOverlay::arrange(const OverlaySubject& subject, double scale, const QPointF& origin) {
    const GraphScene& scene = subject.scene;
    if (scene.boxes.empty()) return;
    const auto covered = [&](const QRectF& card) {
        const QRectF area(card.topLeft() / scale + origin, card.size() / scale);
        std::vector<std::uint32_t> near;
        scene.boxGrid.find(area, near);
        double sum = scale >= labelledScale ? coveredLabels(scene, area) : 0;
        for (const std::uint32_t i : near) {
            const QRectF both =
                scene.boxes[i].open ? QRectF() : scene.boxes[i].rect().intersected(area);
            if (!both.isEmpty()) sum += both.width() * both.height();
        }
        return sum;
    };
    const auto place = [&](Place& at, const std::function<QRectF(Place)>& in) {
        const auto inCorner = [&](bool folded) {  // the lower one by choice
            Place low = at, high = at;
            low.folded = high.folded = folded;
            low.atTop = false, high.atTop = true;
            const double below = covered(in(low)), above = covered(in(high));
            return std::pair(above < below ? high : low, std::min(above, below));
        };
        if (at.chosen) return void(at = inCorner(at.folded).first);
        const auto [open, hidden] = inCorner(false);
        at = hidden > 0 ? inCorner(true).first : open;
    };
    place(mapAt_, [&](Place at) { return mapIn(subject, at); });
    if (!legendOf(subject).isEmpty())
        place(legendAt_, [&](Place at) { return legendIn(subject, at); });
}

QRectF CanvasOverlay::mapRect(const OverlaySubject& subject, const QRectF& visible) const {
    const GraphScene& scene = subject.scene;
    if (scene.boxes.empty() || !hasRoom(subject.widget)) return {};
    if (visible.contains(QRectF(0, 0, scene.width, scene.height))) return {};
    return mapIn(subject, mapAt_);
}

QRectF CanvasOverlay::legendRect(const OverlaySubject& subject) const {
    return !hasRoom(subject.widget) || legendOf(subject).isEmpty() ? QRectF()
                                                                   : legendIn(subject, legendAt_);
}

QRectF CanvasOverlay::usualLegendRect(const OverlaySubject& subject) const {
    return !hasRoom(subject.widget) || legendOf(subject).isEmpty() ? QRectF()
                                                                   : legendIn(subject, {});
}

CanvasOverlay::Part CanvasOverlay::partAt(const OverlaySubject& subject, const QRectF& visible,
                                          const QPointF& at) const {
    if (const QRectF map = mapRect(subject, visible); map.contains(at))
        return mapAt_.folded || foldMark(map).contains(at) ? Part::mapFold : Part::map;
    if (const QRectF legend = legendRect(subject); legend.contains(at))
        return legendAt_.folded || foldMark(legend).contains(at) ? Part::legendFold : Part::legend;
    return Part::none;
}

QPointF CanvasOverlay::sceneAt(const GraphScene& scene, const QRectF& map,
                               const QPointF& at) const {
    const QRectF drawing = drawingIn(scene, map);
    return QPointF((at.x() - drawing.x()) / drawing.width() * scene.width,
                   (at.y() - drawing.y()) / drawing.height() * scene.height);
}

void CanvasOverlay::paint(QPainter& painter, const OverlaySubject& subject, const QRectF& visible) {
    painter.setFont(subject.font);
    if (const QRectF map = mapRect(subject, visible); !map.isEmpty()) {
        if (mapAt_.folded) paintWord(painter, map, mapWord(), subject.palette);
        else paintMap(painter, subject, map, visible);
    }
    const QRectF legend = legendRect(subject);
    if (legend.isEmpty()) return;
    if (legendAt_.folded) return paintWord(painter, legend, legendWord(), subject.palette);
    paintCard(painter, legend, subject.palette);
    legendOf(subject).paint(painter, legend, subject.palette, QFontMetricsF(subject.font));
    paintFoldMark(painter, legend, false, subject.palette);
}

void CanvasOverlay::drawMap(const OverlaySubject& subject, const QRectF& map, double ratio) {
    const GraphScene& scene = subject.scene;
    const GraphLook& look = subject.look;
    const ThemeColors& colors = themeColors(subject.palette);
    const QRectF drawing = drawingIn(scene, map);
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
        const qint64 cell =
            static_cast<qint64>(r.y() * ratio) * 65536 + static_cast<qint64>(r.x() * ratio);
        if (cell == last) continue;  // nothing new to see in the same pixel
        last = cell;
        const bool heated =
            look.colorBy == ColorBy::Value && i < look.heat.size() && look.heat[i] == look.heat[i];
        const bool isOfKind =
            look.colorBy == ColorBy::Kind && i < look.kinds.size() && look.kinds[i] >= 0;
        p.fillRect(r, heated     ? heatColor(look.heat[i], subject.palette)
                      : isOfKind ? kindColor(look.kinds[i], subject.palette)
                      : look.colorBy == ColorBy::Type && scene.nodesIn(box) > 0
                          ? operatorColor(scene.familyOf(box), subject.palette)
                          : colors.mutedText);
    }
}

void CanvasOverlay::paintMap(QPainter& painter, const OverlaySubject& subject, const QRectF& map,
                             const QRectF& visible) {
    const GraphScene& scene = subject.scene;
    const ThemeColors& colors = themeColors(subject.palette);
    const double ratio = painter.device()->devicePixelRatioF();
    if (map_.isNull() || map_.deviceIndependentSize() != map.size() ||
        map_.devicePixelRatio() != ratio)
        drawMap(subject, map, ratio);
    paintCard(painter, map, subject.palette);
    painter.drawPixmap(map.topLeft(), map_);
    const QRectF drawing = drawingIn(scene, map);
    const QRectF shown = visible.intersected(QRectF(0, 0, scene.width, scene.height));
    QRectF window(drawing.x() + shown.x() / scene.width * drawing.width(),
                  drawing.y() + shown.y() / scene.height * drawing.height(),
                  shown.width() / scene.width * drawing.width(),
                  shown.height() / scene.height * drawing.height());
    if (window.height() < 5)
        window.adjust(0, (window.height() - 5) / 2, 0, (5 - window.height()) / 2);
    if (window.width() < 5) window.adjust((window.width() - 5) / 2, 0, (5 - window.width()) / 2, 0);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.setBrush(colors.selection);
    painter.drawRect(window.intersected(map));
    paintFoldMark(painter, map, false, subject.palette);
}

}  // namespace lapidary::views
