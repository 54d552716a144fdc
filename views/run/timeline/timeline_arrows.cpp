// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows along which values flow to the current kernel of the timeline and from it.
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>

#include "run/timeline/timeline_view.h"
#include "run/timeline/value_flow.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr double most_bend = 60;  // pixels that an arrow runs along the time before it turns
constexpr double arrow_head = 5;  // pixels
constexpr double arrow_width = 1.5;

}  // namespace

void TimelineView::findArrows() {
    arrows_.clear();
    if (!current_ || spanOf(*current_).kind != TimelineKind::kernel) return;
    const app::RunRecord& run = *digest_->run;
    const ModelPtr& model = run.executed ? run.executed : run.traced;
    if (!model) return;
    for (const ValueFlow& flow : flowsOf(profile(), model->graph, spanOf(*current_).index)) {
        const auto from = placeOfKernel(flow.from), to = placeOfKernel(flow.to);
        if (from && to) arrows_.push_back({*from, *to});
    }
}

void TimelineView::paintArrows(QPainter& painter) const {
    if (arrows_.empty()) return;
    const QColor color = themeColors(palette()).accent;
    // Ends that are out of sight are drawn near the edge: Qt draws long curves slowly.
    const auto middleOf = [this](const Place& place) {
        const int y = plotTop() + topOf(place.track) + int(place.lane) * laneHeight() +
                      laneHeight() / 2 - verticalScrollBar()->value();
        return std::clamp(double(y), -most_bend, viewport()->height() + most_bend);
    };
    const double left = gutterWidth() - most_bend, right = viewport()->width() + most_bend;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Arrow& arrow : arrows_) {
        const double fromX = xOf(double(spanOf(arrow.from).end)),
                     toX = xOf(double(spanOf(arrow.to).begin));
        if (std::max(fromX, toX) < left || std::min(fromX, toX) > right) continue;
        const QPointF from(std::clamp(fromX, left, right), middleOf(arrow.from)),
            to(std::clamp(toX, left, right), middleOf(arrow.to));
        const double bend = std::clamp((to.x() - from.x()) / 3, arrow_head, most_bend);
        // In one lane it goes below the spans between both.
        const double bow = from.y() == to.y() ? laneHeight() * 1.2 : 0;
        QPainterPath path(from);
        path.cubicTo(from + QPointF(bend, bow), to + QPointF(-bend, bow), to);
        painter.setPen(QPen(color, arrow_width));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({to, to + QPointF(-arrow_head, -arrow_head * 0.7),
                                       to + QPointF(-arrow_head, arrow_head * 0.7)}));
    }
    painter.restore();
}

}  // namespace lapidary::views
