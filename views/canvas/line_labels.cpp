// SPDX-License-Identifier: GPL-3.0-or-later
// Places the shape of a tensor beside the end of its line, where it covers no card, arrow head,
// label or other line.
#include <algorithm>
#include <cmath>
#include <optional>

#include "canvas/graph_scene.h"
#include "canvas/line_curve.h"

namespace lapidary::views {
namespace {

constexpr double narrowestLabel = 30;  // a narrower label would say nothing
constexpr double leastShare = 0.6;     // least visible share of a cut text
constexpr double labelHeight = 15;
constexpr double besideDrawing = 20;  // less than sceneBorder
constexpr double besideLine = 6;      // distance from a label to what follows
// labels of lines that end up to this far below may overlap a label
constexpr double underHeads = 19;
constexpr int curveSteps = 8;  // of a curve, straight between

bool isOverCard(const GraphScene& scene, const QRectF& place) {
    std::vector<std::uint32_t> near;
    scene.boxGrid.find(place, near);
    return std::ranges::any_of(near, [&](std::uint32_t i) {
        return !scene.boxes[i].open && scene.boxes[i].rect().intersects(place);
    });
}

/// The leftmost x of the curve between two points inside an area; empty if it does not cross it.
std::optional<double> entersAt(const QPointF& a, const QPointF& b, bool vertical,
                               const QRectF& place) {
    if (std::max(a.x(), b.x()) <= place.left() || std::min(a.x(), b.x()) >= place.right())
        return {};
    if (std::max(a.y(), b.y()) <= place.top() || std::min(a.y(), b.y()) >= place.bottom())
        return {};
    const bool isStraight = std::abs(vertical ? b.x() - a.x() : b.y() - a.y()) < 1;
    std::optional<double> at;
    QPointF last = a;
    for (int k = 1; k <= (isStraight ? 1 : curveSteps); ++k) {
        const QPointF next = isStraight ? b : onCurve(a, b, vertical, double(k) / curveSteps);
        const double left = std::max(std::min(last.x(), next.x()), place.left());
        if (left < std::min(std::max(last.x(), next.x()) + 0.5, place.right()) &&
            std::max(last.y(), next.y()) > place.top() &&
            std::min(last.y(), next.y()) < place.bottom())
            at = std::min(at.value_or(left), left);
        last = next;
    }
    return at;
}

/// Whether the line is the first or the last that enters its box, or both; neither if the place is
/// taken.
std::pair<bool, bool> isAtSide(const GraphScene& scene, const SceneLine& line,
                               const LayoutPoint& end, bool vertical) {
    bool first = true, last = true;
    for (const OutlineIndex other : scene.linesIn[line.target]) {
        const LayoutPoint p = scene.pointsOf(scene.lines[other]).back();
        if (scene.lines[other].first < line.first &&
            std::abs(p.x - end.x) + std::abs(p.y - end.y) < 8)
            return {false, false};
        first = first && (vertical ? p.x >= end.x : p.y >= end.y);
        last = last && (vertical ? p.x <= end.x : p.y <= end.y);
    }
    return {first, last};
}

class LabelPlacer {
public:
    explicit LabelPlacer(const GraphScene& scene)
        : scene_(scene), vertical_(scene.options.direction == LayoutDirection::down),
          labels_(scene.lines.size()) {}

    std::vector<QRectF> place() {
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            const SceneLine& line = scene_.lines[i];
            if (line.backward || !line.arrives) continue;
            const QString shape =
                shapeText(scene_.outline->valueOf(scene_.outline->tensors()[line.tensor]).type);
            const double width = std::min<double>(scene_.options.body.of(shape), widestLabel);
            if (width > 0) labels_[i] = beside(line, {width, labelHeight});
        }
        return std::move(labels_);
    }

private:
    /// Beside the arrow head, where lines stand apart.
    QRectF beside(const SceneLine& line, const QSizeF& text) const {
        const LayoutPoint end = scene_.pointsOf(line).back();
        const auto [first, last] = isAtSide(scene_, line, end, vertical_);
        if (!first && !last) return {};  // those between have no room for a label
        const double width = text.width();
        if (!vertical_)
            return QRectF(QPointF(end.x - width - 8, last && !first ? end.y + 1 : end.y - 16),
                          text);
        QRectF right, left;
        if (last) right = beforeOthers(line, QRectF(QPointF(end.x + 5, end.y - 19), text));
        if (isOverCard(scene_, right)) right = {};
        if (first && right.width() < width) {
            const QRectF whole(QPointF(end.x - width - 5, end.y - 19), text);
            if (!isOverCard(scene_, whole) && beforeOthers(line, whole) == whole) left = whole;
        }
        return left.isEmpty() ? right : left;
    }

    /// The area inside the frame around the card, or of the drawing with its border.
    QRectF roomFor(const SceneLine& line) const {
        const OutlineIndex frame = scene_.boxes[line.target].frame;
        if (frame != noIndex)
            return scene_.boxes[frame].rect().adjusted(besideLine, 0, -besideLine, 0);
        return QRectF(-besideDrawing, 0, scene_.width + 2 * besideDrawing, scene_.height);
    }

    /// The part of an area before other lines, arrow heads and labels in it.
    QRectF beforeOthers(const SceneLine& line, QRectF place) const {
        std::vector<std::uint32_t> near;
        scene_.pieceGrid.find(place.adjusted(-widestLabel, -underHeads, widestLabel, underHeads),
                              near);
        const double least =
            std::min(std::max(narrowestLabel, leastShare * place.width()), place.width());
        const auto endBefore = [&](double x) { place.setRight(x - besideLine); };
        const QRectF room = roomFor(line);
        if (place.left() < room.left()) return {};
        if (place.right() > room.right()) place.setRight(room.right());
        if (place.width() < least) return {};
        for (const std::uint32_t i : near) {
            const LinePiece& piece = scene_.pieces[i];
            if (&scene_.lines[piece.line] == &line) continue;
            const auto points = scene_.pointsOf(piece);
            const LayoutPoint end = points.back();
            if (piece.last && end.x > place.left() && end.x < place.right() &&
                end.y > place.top() && end.y < place.bottom() + underHeads)
                endBefore(end.x);
            if (const QRectF& label = labels_[piece.line]; piece.last && label.intersects(place))
                endBefore(label.left());
            for (std::size_t p = 1; p < points.size() && place.width() > 0; ++p)
                if (const auto at = entersAt({points[p - 1].x, points[p - 1].y},
                                             {points[p].x, points[p].y}, vertical_, place))
                    endBefore(*at);
            if (place.width() < least) return {};
        }
        return place;
    }

    const GraphScene& scene_;
    bool vertical_;
    std::vector<QRectF> labels_;
};

}  // namespace

std::vector<QRectF> placeLabels(const GraphScene& scene) { return LabelPlacer(scene).place(); }

}  // namespace lapidary::views
