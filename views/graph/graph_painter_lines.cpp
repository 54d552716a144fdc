// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a scene: routed curves, arrow heads, shape labels, and the stubs of cut lines.
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>

#include <cmath>

#include "graph/graph_painter.h"
#include "graph/graph_painter_pass.h"

namespace lapidary::views {
namespace {

constexpr double arrow = 5;

/// Straight along the direction of the drawing; where a line steps aside it does so in an S.
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

void drawArrow(QPainter& painter, const LayoutPoint& tip, bool vertical, bool backward, const QColor& color) {
    const double along = backward ? arrow * 1.3 : -arrow * 1.3;
    QPolygonF head;
    if (vertical) head << QPointF(tip.x, tip.y) << QPointF(tip.x - arrow * 0.6, tip.y + along) << QPointF(tip.x + arrow * 0.6, tip.y + along);
    else head << QPointF(tip.x, tip.y) << QPointF(tip.x + along, tip.y - arrow * 0.6) << QPointF(tip.x + along, tip.y + arrow * 0.6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(head);
}

}  // namespace

void GraphPainter::paintLines(const Pass& pass) {
    found_.clear();
    pass.scene.lineGrid.find(pass.area, found_);
    const QColor plain = mixed(pass.colors.canvas, pass.colors.mutedText, 0.72);
    std::vector<std::uint32_t> marked;
    auto draw = [&](const SceneLine& line, const QColor& color, double width) {
        QPen pen(color, width);
        if (pass.scale < 1) pen.setCosmetic(true);
        if (line.backward) pen.setStyle(Qt::DashLine);
        pass.painter.setPen(pen);
        pass.painter.setBrush(Qt::NoBrush);
        const auto points = pass.scene.pointsOf(line);
        pass.painter.drawPath(curve(points, pass.vertical));
        if (line.arrives && pass.detail >= Detail::Cards) drawArrow(pass.painter, points.back(), pass.vertical, line.backward, color);
    };
    for (std::uint32_t i : found_) {
        const SceneLine& line = pass.scene.lines[i];
        const bool chosen = line.tensor == pass.look.selectedTensor ||
                            (pass.look.selectedBox != noIndex && (line.source == pass.look.selectedBox || line.target == pass.look.selectedBox));
        if (chosen) marked.push_back(i);
        else draw(line, plain, 1.2);
    }
    for (std::uint32_t i : marked) draw(pass.scene.lines[i], pass.colors.accent, 2.2);
    if (pass.detail == Detail::Labels) {
        OutlineIndex last = noIndex;
        for (std::uint32_t i : found_) {
            const SceneLine& line = pass.scene.lines[i];
            if (line.tensor == last) continue;  // one label per bundle
            last = line.tensor;
            paintLabel(pass, line);
        }
    }
}

void GraphPainter::paintLabel(const Pass& pass, const SceneLine& line) {
    if (labels_.size() > 6000) labels_.clear();
    const auto [found, fresh] = labels_.try_emplace(line.tensor);
    QStaticText& text = found->second;
    if (fresh) {
        const OutlineTensor& tensor = pass.scene.outline->tensors()[line.tensor];
        text.setTextFormat(Qt::PlainText);
        text.setText(QFontMetricsF(fonts_.body).elidedText(shapeText(pass.scene.outline->valueOf(tensor).type), Qt::ElideRight, 150));
        text.prepare({}, fonts_.body);
    }
    if (text.text().isEmpty()) return;
    const auto points = pass.scene.pointsOf(line);
    const LayoutPoint end = points.back();  // beside the arrow head, where lines stand apart
    if (line.backward || !line.arrives) return;
    const QPointF at = pass.vertical ? QPointF(end.x + 5, end.y - 19) : QPointF(end.x - text.size().width() - 8, end.y - 16);
    pass.painter.setFont(fonts_.body);
    QColor back = pass.colors.canvas;
    back.setAlpha(190);
    pass.painter.fillRect(QRectF(at, text.size()).adjusted(-1, 1, 1, -1), back);
    pass.painter.setPen(pass.colors.mutedText);
    pass.painter.drawStaticText(at, text);
}

void GraphPainter::paintStubs(const Pass& pass) {
    for (const SceneStub& stub : pass.scene.stubs) {
        if (!pass.area.adjusted(-160, -40, 160, 40).contains(stub.border.x, stub.border.y)) continue;
        const bool chosen = stub.tensor == pass.look.selectedTensor || stub.box == pass.look.selectedBox;
        const QColor color = chosen ? pass.colors.accent : mixed(pass.colors.canvas, pass.colors.mutedText, 0.8);
        QPen pen(color, chosen ? 2 : 1.3);
        pen.setStyle(Qt::DotLine);
        pass.painter.setPen(pen);
        pass.painter.drawLine(QPointF(stub.border.x, stub.border.y), QPointF(stub.tip.x, stub.tip.y));
        pass.painter.setPen(Qt::NoPen);
        pass.painter.setBrush(color);
        pass.painter.drawEllipse(QPointF(stub.tip.x, stub.tip.y), 2.5, 2.5);
        if (pass.detail != Detail::Labels) continue;
        const QString name = pass.scene.titleOf(pass.scene.boxes[stub.other]);
        const QString text = stub.hidden > 1 ? QStringLiteral("→ %1 ×%2").arg(name).arg(stub.hidden)
                             : stub.hidden == 1 ? QStringLiteral("→ %1").arg(name) : QStringLiteral("%1 →").arg(name);
        pass.painter.setFont(fonts_.body);
        pass.painter.setPen(color);
        const QString shown = QFontMetricsF(fonts_.body).elidedText(text, Qt::ElideMiddle, 110);
        pass.painter.drawText(QPointF(stub.tip.x + 5, stub.tip.y + (stub.hidden > 0 ? 8 : 2)), shown);
    }
}

}  // namespace lapidary::views
