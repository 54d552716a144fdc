// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a scene: routed curves, arrow heads, shape labels, and the stubs of cut lines.
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "canvas/graph_painter.h"
#include "canvas/graph_painter_pass.h"
#include "canvas/line_curve.h"

namespace lapidary::views {
namespace {

constexpr double arrow = 5;
constexpr std::size_t mostSmoothPieces = 500, mostCurvedPieces = 6000;

/// The path of a line: straight along the drawing's direction, with an S-shaped curve where it
/// moves sideways.
QPainterPath curve(std::span<const LayoutPoint> points, bool vertical) {
    QPainterPath path(QPointF(points[0].x, points[0].y));
    for (std::size_t i = 1; i < points.size(); ++i) {
        const LayoutPoint a = points[i - 1], b = points[i];
        const float aside = vertical ? std::abs(b.x - a.x) : std::abs(b.y - a.y);
        if (aside < 1) {
            path.lineTo(b.x, b.y);
        } else if (vertical) {
            const float middle = (a.y + b.y) / 2;
            path.cubicTo(a.x, middle, b.x, middle, b.x, b.y);
        } else {
            const float middle = (a.x + b.x) / 2;
            path.cubicTo(middle, a.y, middle, b.y, b.x, b.y);
        }
    }
    return path;
}

/// Adds the same path as straight lines, without those outside `area`. Each sideways curve becomes
/// `steps` lines.
void addStraight(QList<QLineF>& lines, std::span<const LayoutPoint> points, bool vertical,
                 const QRectF& area, int steps) {
    auto add = [&](const QPointF& a, const QPointF& b) {
        if (std::max(a.x(), b.x()) < area.left() || std::min(a.x(), b.x()) > area.right()) return;
        if (std::max(a.y(), b.y()) < area.top() || std::min(a.y(), b.y()) > area.bottom()) return;
        lines << QLineF(a, b);
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF a(points[i - 1].x, points[i - 1].y), b(points[i].x, points[i].y);
        const double aside = vertical ? std::abs(b.x() - a.x()) : std::abs(b.y() - a.y());
        if (steps == 1 || aside < 4) {
            add(a, b);
            continue;
        }
        QPointF last = a;
        for (int k = 1; k <= steps; ++k) {
            const QPointF next = onCurve(a, b, vertical, static_cast<double>(k) / steps);
            add(last, next);
            last = next;
        }
    }
}

void drawArrow(QPainter& painter, const LayoutPoint& tip, bool vertical, bool backward,
               const QColor& color) {
    const double along = backward ? arrow * 1.3 : -arrow * 1.3;
    QPolygonF head;
    if (vertical)
        head << QPointF(tip.x, tip.y) << QPointF(tip.x - arrow * 0.6, tip.y + along)
             << QPointF(tip.x + arrow * 0.6, tip.y + along);
    else
        head << QPointF(tip.x, tip.y) << QPointF(tip.x + along, tip.y - arrow * 0.6)
             << QPointF(tip.x + along, tip.y + arrow * 0.6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(head);
}

}  // namespace

void GraphPainter::setLinePen(const Pass& pass, const QColor& color, double width,
                              bool dashed) const {
    QPen pen(color, width);
    if (pass.scale < 1 || found_.size() > mostSmoothPieces) pen.setCosmetic(true);
    if (dashed) pen.setStyle(Qt::DashLine);
    pass.painter.setPen(pen);
    pass.painter.setBrush(Qt::NoBrush);
}

/// The arrow head of a piece that ends at a box.
void GraphPainter::paintArrow(const Pass& pass, const LinePiece& piece, const QColor& color) {
    const SceneLine& line = pass.scene.lines[piece.line];
    if (piece.last && line.arrives && pass.detail >= Detail::Cards)
        drawArrow(pass.painter, pass.scene.pointsOf(piece).back(), pass.vertical, line.backward,
                  color);
}

/// Paints thousands of lines as thin polygons without antialiasing, which is much faster.
void GraphPainter::paintManyLines(const Pass& pass, const std::vector<std::uint32_t>& pieces,
                                  const QColor& color) {
    pass.painter.setRenderHint(QPainter::Antialiasing, false);
    QList<QLineF> lines;
    const int steps = found_.size() > mostCurvedPieces ? 1 : 6;
    for (std::uint32_t i : pieces) {
        const LinePiece& piece = pass.scene.pieces[i];
        if (!isLeftOut(pass, pass.scene.lines[piece.line]))
            addStraight(lines, pass.scene.pointsOf(piece), pass.vertical, pass.area, steps);
    }
    setLinePen(pass, color, 0, false);
    pass.painter.drawLines(lines);
    pass.painter.setRenderHint(QPainter::Antialiasing, true);
    if (pass.look.onlyMarked) return;
    for (std::uint32_t i : found_) paintArrow(pass, pass.scene.pieces[i], color);
}

void GraphPainter::paintPlainLine(const Pass& pass, const LinePiece& piece, const QColor& color) {
    const SceneLine& line = pass.scene.lines[piece.line];
    if (isLeftOut(pass, line)) return;
    setLinePen(pass, color, 1.2, line.backward);
    const auto points = pass.scene.pointsOf(piece);
    const double aside = pass.vertical ? std::abs(points.back().x - points.front().x)
                                       : std::abs(points.back().y - points.front().y);
    if (aside * pass.scale > 700) {  // mostly out of sight: stroke only what is in sight
        QList<QLineF> lines;
        addStraight(lines, points, pass.vertical, pass.area, 32);
        pass.painter.drawLines(lines);
    } else {
        pass.painter.drawPath(curve(points, pass.vertical));
    }
    paintArrow(pass, piece, color);
}

/// Lines at boxes that a rewrite added or removed.
void GraphPainter::paintChangedLines(const Pass& pass, const std::vector<std::uint32_t>& pieces) {
    for (std::uint32_t i : pieces) {
        const LinePiece& piece = pass.scene.pieces[i];
        const BoxMark mark = markOf(pass, pass.scene.lines[piece.line]);
        const QColor color = markColor(mark, pass.palette);
        setLinePen(pass, color, mark == BoxMark::Removed || mark == BoxMark::Added ? 2 : 1.3,
                   isRemoval(mark));
        if (pieces.size() > mostSmoothPieces) {
            QList<QLineF> lines;
            addStraight(lines, pass.scene.pointsOf(piece), pass.vertical, pass.area, 4);
            pass.painter.drawLines(lines);
        } else {
            pass.painter.drawPath(curve(pass.scene.pointsOf(piece), pass.vertical));
        }
        paintArrow(pass, piece, color);
    }
}

void GraphPainter::paintLines(const Pass& pass) {
    found_.clear();
    pass.scene.pieceGrid.find(pass.area, found_);
    const bool diff = !pass.look.marks.empty();
    std::vector<std::uint32_t> plain, changed, marked;  // drawn in this order
    for (std::uint32_t i : found_) {
        const SceneLine& line = pass.scene.lines[pass.scene.pieces[i].line];
        if (isMarked(pass, line)) marked.push_back(i);
        else if (diff && markOf(pass, line) != BoxMark::None) changed.push_back(i);
        else plain.push_back(i);
    }
    const QColor color = mixed(pass.colors.canvas, pass.colors.mutedText, 0.72);
    if (found_.size() > mostSmoothPieces) paintManyLines(pass, plain, color);
    else
        for (std::uint32_t i : plain) paintPlainLine(pass, pass.scene.pieces[i], color);
    paintChangedLines(pass, changed);
    for (std::uint32_t i : marked) {
        const LinePiece& piece = pass.scene.pieces[i];
        setLinePen(pass, pass.colors.accent, 2.2, pass.scene.lines[piece.line].backward);
        pass.painter.drawPath(curve(pass.scene.pointsOf(piece), pass.vertical));
        paintArrow(pass, piece, pass.colors.accent);
    }
    if (pass.detail == Detail::Labels && !pass.look.onlyMarked) {
        for (std::uint32_t i : found_) {
            if (pass.scene.pieces[i].last) paintLabel(pass, pass.scene.pieces[i].line);
        }
    }
}

void GraphPainter::paintLabel(const Pass& pass, OutlineIndex index) {
    constexpr double unlike = 2;  // pixels by which the text may be wider than computed
    const SceneLine& line = pass.scene.lines[index];
    const QRectF& place = pass.scene.labels[index];
    if (place.isEmpty()) return;
    if (labels_.size() > 6000) labels_.clear();
    const auto [found, fresh] = labels_.try_emplace(line.tensor);
    QStaticText& text = found->second;
    if (fresh) {
        const OutlineTensor& tensor = pass.scene.outline->tensors()[line.tensor];
        text.setTextFormat(Qt::PlainText);
        text.setText(QFontMetricsF(fonts_.body)
                         .elidedText(shapeText(pass.scene.outline->valueOf(tensor).type),
                                     Qt::ElideRight, widestLabel));
        text.prepare({}, fonts_.body);
    }
    pass.painter.setFont(fonts_.body);
    QColor back = pass.colors.canvas;
    back.setAlpha(190);
    pass.painter.fillRect(place.adjusted(-1, 1, 1, -1), back);
    pass.painter.setPen(pass.colors.mutedText);
    if (place.width() + unlike >= text.size().width())
        return pass.painter.drawStaticText(place.topLeft(), text);
    pass.painter.drawText(
        place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(fonts_.body).elidedText(text.text(), Qt::ElideRight, place.width()));
}

void GraphPainter::paintStubs(const Pass& pass) {
    for (const SceneStub& stub : pass.scene.stubs) {
        if (!pass.area.adjusted(-160, -40, 160, 40).contains(stub.border.x, stub.border.y))
            continue;
        const bool chosen =
            stub.tensor == pass.look.selectedTensor || stub.box == pass.look.selectedBox;
        const QColor color =
            chosen ? pass.colors.accent : mixed(pass.colors.canvas, pass.colors.mutedText, 0.8);
        QPen pen(color, chosen ? 2 : 1.3);
        pen.setStyle(Qt::DotLine);
        pass.painter.setPen(pen);
        pass.painter.drawLine(QPointF(stub.border.x, stub.border.y),
                              QPointF(stub.tip.x, stub.tip.y));
        pass.painter.setPen(Qt::NoPen);
        pass.painter.setBrush(color);
        pass.painter.drawEllipse(QPointF(stub.tip.x, stub.tip.y), 2.5, 2.5);
        if (pass.detail != Detail::Labels) continue;
        const QString name = pass.scene.titleOf(pass.scene.boxes[stub.other]);
        const QString text = stub.hidden > 1 ? QStringLiteral("→ %1 ×%2").arg(name).arg(stub.hidden)
                             : stub.hidden == 1 ? QStringLiteral("→ %1").arg(name)
                                                : QStringLiteral("%1 →").arg(name);
        pass.painter.setFont(fonts_.body);
        pass.painter.setPen(color);
        const QString shown = QFontMetricsF(fonts_.body).elidedText(text, Qt::ElideMiddle, 110);
        pass.painter.drawText(QPointF(stub.tip.x + 5, stub.tip.y + (stub.hidden > 0 ? 8 : 2)),
                              shown);
    }
}

}  // namespace lapidary::views
