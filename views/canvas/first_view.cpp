// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the position and scale of a drawing that was just opened.
#include <algorithm>

#include "canvas/graph_canvas.h"

namespace lapidary::views {
namespace {

constexpr double nearlyFits = 0.55;  // scale of the whole

/// Square pixels of cards under an area of the widget.
double cardsUnder(const GraphScene& scene, const QRectF& place, double scale,
                  const QPointF& origin) {
    const QRectF area(place.topLeft() / scale + origin, place.size() / scale);
    std::vector<std::uint32_t> near;
    scene.boxGrid.find(area, near);
    double sum = 0;
    for (const std::uint32_t i : near) {
        const QRectF both = scene.boxes[i].rect().intersected(area);
        if (!scene.boxes[i].open && !both.isEmpty())
            sum += both.width() * both.height() * scale * scale;
    }
    return sum;
}

/// How far a drawing that fits can be moved to the right, so that the legend covers less of it.
double asideOfLegend(const GraphScene& scene, const QRectF& legend, double free, double scale,
                     const QPointF& origin) {
    if (legend.isEmpty() || free <= 0 || cardsUnder(scene, legend, scale, origin) == 0) return 0;
    const QPointF shifted = origin - QPointF(free / scale, 0);
    return cardsUnder(scene, legend, scale, shifted) < cardsUnder(scene, legend, scale, origin)
               ? free
               : 0;
}

}  // namespace

void GraphCanvas::firstView() {
    if (!scene_ || width() < 50 || height() < 50) return;
    const double whole = fittingScale(*scene_, size());
    if (whole >= readableScale) {
        fit();
        const QRectF legend = overlay_.usualLegendRect(overlaySubject());
        const double free = (width() - scene_->width * scale_) / 2 - sceneBorder;
        if (const double aside = asideOfLegend(*scene_, legend, free, scale_, origin_); aside > 0)
            setView(scale_, origin_ - QPointF(aside / scale_, 0));
    } else {  // too large to read as a whole: shows the beginning of the data flow, as wide as
              // remains readable readable
        const bool down = scene_->options.direction == LayoutDirection::down;
        const double across = down ? (width() - 2 * sceneBorder) / scene_->width
                                   : (height() - 2 * sceneBorder) / scene_->height;
        // a drawing that nearly fits is shown as small as is readable, so that most of it is
        // visible
        const double scale =
            whole >= nearlyFits ? readableScale : std::clamp(across, readableScale, 1.0);
        QPointF start;  // the input's box, or the first
        for (const SceneBox& box : scene_->boxes) {
            if (box.frame != noIndex || box.open) continue;
            start = box.rect().center();
            break;
        }
        // no empty space beside the drawing while part of it is hidden
        const auto from = [&](double length, double room, double centre) {
            if (across >= readableScale) return length / 2 - room / 2;
            return std::clamp(centre - room / 2, -sceneBorder / scale,
                              length + sceneBorder / scale - room);
        };
        if (down)
            setView(scale,
                    QPointF(from(scene_->width, width() / scale, start.x()), -sceneBorder / scale));
        else
            setView(scale, QPointF(-sceneBorder / scale,
                                   from(scene_->height, height() / scale, start.y())));
    }
    overlay_.arrange(overlaySubject(), scale_, origin_);
    if (const double above = roomForWords(); above > 0) {
        setView(scale_, origin_ - QPointF(0, above / scale_));
        overlay_.arrange(overlaySubject(), scale_, origin_);
    }
    viewChosen_ = false;
}

/// How far a drawing at the upper edge has to move down to leave room for the folded overlay above
/// it.
double GraphCanvas::roomForWords() const {
    const OverlaySubject subject = overlaySubject();
    const double top = -origin_.y() * scale_;
    double above = 0;
    const auto clear = [&](const QRectF& word, bool folded) {
        if (folded && top >= 0 && cardsUnder(*scene_, word, scale_, origin_) > 0)
            above = std::max(above, word.height() + 2 * CanvasOverlay::margin - top);
    };
    clear(overlay_.legendRect(subject), overlay_.isLegendFolded());
    clear(overlay_.mapRect(subject, visibleArea()), overlay_.isMapFolded());
    return above;
}

}  // namespace lapidary::views
