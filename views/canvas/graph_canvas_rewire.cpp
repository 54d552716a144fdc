// SPDX-License-Identifier: GPL-3.0-or-later
// Dragging the arrow head of a line onto what its reader is to read instead.
#include <cmath>
#include <utility>

#include "canvas/graph_canvas.h"

namespace lapidary::views {
namespace {

constexpr double wire_reach = 9;  // pixels around an arrow head

}  // namespace

/// The line whose arrow head is there and ends at a card; noIndex: none.
OutlineIndex GraphCanvas::arrowAt(const QPointF& at) const {
    if (!isRewirable_ || !scene_ || detailAt(scale_) < Detail::Cards) return noIndex;
    const QPointF p = toScene(at);
    const double reach = wire_reach / scale_;
    std::vector<std::uint32_t> found;
    scene_->pieceGrid.find(QRectF(p.x() - reach, p.y() - reach, 2 * reach, 2 * reach), found);
    OutlineIndex best = noIndex;
    double nearest = reach;
    for (const std::uint32_t i : found) {
        const LinePiece& piece = scene_->pieces[i];
        const SceneLine& line = scene_->lines[piece.line];
        if (!piece.last || !line.arrives || scene_->boxes[line.target].leaf == noIndex) continue;
        const LayoutPoint end = scene_->pointsOf(piece).back();
        const double distance = std::hypot(end.x - p.x(), end.y - p.y());
        if (distance >= nearest) continue;
        nearest = distance;
        best = piece.line;
    }
    return best;
}

void GraphCanvas::dropWire(const QPointF& at) {
    update();
    if (wire_ == noIndex) return;
    const SceneLine line = scene_->lines[std::exchange(wire_, noIndex)];
    const OutlineIndex reader = scene_->boxes[line.target].leaf;
    const OutlineIndex box = boxAt(at);
    const bool solid = box != noIndex && !scene_->boxes[box].open;
    const OutlineIndex leaf = solid ? scene_->boxes[box].leaf : noIndex;
    const OutlineIndex other = solid ? noIndex : tensorAt(at);
    if (leaf == reader || other == line.tensor) return;  // dropped where it was
    if (leaf != noIndex || other != noIndex) emit rewireRequested(line.tensor, reader, leaf, other);
}

void GraphCanvas::paintWire(QPainter& painter) const {
    if (drag_ != Drag::Wire || wire_ == noIndex) return;
    const SceneLine& line = scene_->lines[wire_];
    const LayoutPoint end = scene_->pointsOf(line).back();
    QPen pen(themeColors(palette()).accent, 2, Qt::DashLine);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(pen);
    painter.drawLine(fromScene(QPointF(end.x, end.y)), dragEnd_);
    painter.setBrush(pen.color());
    painter.drawEllipse(dragEnd_, 4, 4);
}

}  // namespace lapidary::views
