// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the timeline. W, A, S, D, F and M do what they do in Perfetto.
#include <QKeyEvent>
#include <QScrollBar>

#include <cmath>

#include "run/timeline/timeline_view.h"

namespace lapidary::views {
namespace {

constexpr double zoom_by_letter = 0.7, zoom_by_sign = 0.5;
constexpr double page_part = 0.9, letter_part = 0.15;  // of the width, moved by a key

}  // namespace

void TimelineView::walk(int lanes, int spans) {
    if (!timeline() || timeline()->tracks.empty()) return;
    if (!current_) {  // begin with the first kernel in sight
        for (std::size_t t = 0; t < timeline()->tracks.size(); ++t)
            for (std::size_t l = 0; l < timeline()->tracks[t].lanes.size(); ++l) {
                const TimelineLane& lane = timeline()->tracks[t].lanes[l];
                for (const PixelBar& bar : foldLane(lane, viewBegin_, nsPerPixel_, plotWidth()))
                    if (lane[bar.span].kind == TimelineKind::kernel)
                        return makeCurrent({t, l, bar.span}, true);
            }
        return;
    }
    Place next = *current_;
    const auto& tracks = timeline()->tracks;
    if (spans != 0) {
        const auto last = std::ptrdiff_t(tracks[next.track].lanes[next.lane].size()) - 1;
        next.span = std::size_t(qBound<std::ptrdiff_t>(0, std::ptrdiff_t(next.span) + spans, last));
    } else {
        const double middle = double(spanOf(next).begin + spanOf(next).end) / 2;
        auto lane = std::ptrdiff_t(next.lane) + lanes;
        auto track = std::ptrdiff_t(next.track);
        if (lane < 0 && track > 0)
            lane = std::ptrdiff_t(tracks[std::size_t(--track)].lanes.size()) - 1;
        else if (lane >= std::ptrdiff_t(tracks[next.track].lanes.size()) &&
                 track + 1 < std::ptrdiff_t(tracks.size()))
            ++track, lane = 0;
        if (lane < 0 || lane >= std::ptrdiff_t(tracks[std::size_t(track)].lanes.size())) return;
        const auto found =
            spanAt(tracks[std::size_t(track)].lanes[std::size_t(lane)], middle, 1e300);
        if (found < 0) return;
        next = {std::size_t(track), std::size_t(lane), std::size_t(found)};
    }
    makeCurrent(next, true);
}

/// The place that stays where it is while keys zoom: that of the mouse, else the current span.
std::optional<double> TimelineView::zoomCentre() const {
    if (mouseX_ && *mouseX_ >= gutterWidth()) return double(*mouseX_);
    if (current_) return xOf(double(spanOf(*current_).begin));
    return std::nullopt;
}

void TimelineView::pan(double part) {
    setView(viewBegin_ + nsPerPixel_ * plotWidth() * part, nsPerPixel_);
}

void TimelineView::fitSelected() {
    if (!timeline()) return;
    double begin = 0, end = 0;
    if (rangeBegin_ >= 0) {
        begin = double(rangeBegin_), end = double(rangeEnd_);
    } else if (current_) {
        begin = double(spanOf(*current_).begin), end = double(spanOf(*current_).end);
    } else {
        return fitAll();
    }
    const double margin = (end - begin) * 0.05, before = viewBegin_, scale = nsPerPixel_;
    showTimes(begin - margin, end + margin);
    const bool isFitted = std::abs(before - viewBegin_) < nsPerPixel_ &&
                          std::abs(scale - nsPerPixel_) < nsPerPixel_ / 1000;
    if (isFitted) fitAll();
}

void TimelineView::selectCurrent() {
    if (!current_) return;
    const TimelineSpan& span = spanOf(*current_);
    const bool isSelected = rangeBegin_ == span.begin && rangeEnd_ == span.end;
    if (span.end <= span.begin && !isSelected) return;  // an instant has no time to select
    if (isSelected) setRange(-1, -1);
    else setRange(span.begin, span.end);
    emit rangeSelected(rangeBegin_, rangeEnd_);
}

bool TimelineView::pressMovingKey(int key) {
    switch (key) {
    case Qt::Key_Left: walk(0, -1); return true;
    case Qt::Key_Right: walk(0, 1); return true;
    case Qt::Key_Up: walk(-1, 0); return true;
    case Qt::Key_Down: walk(1, 0); return true;
    case Qt::Key_A: pan(-letter_part); return true;
    case Qt::Key_D: pan(letter_part); return true;
    case Qt::Key_PageUp: pan(-page_part); return true;
    case Qt::Key_PageDown: pan(page_part); return true;
    case Qt::Key_W: zoom(zoom_by_letter, zoomCentre()); return true;
    case Qt::Key_S: zoom(1 / zoom_by_letter, zoomCentre()); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoom_by_sign, zoomCentre()); return true;
    case Qt::Key_Minus: zoom(1 / zoom_by_sign, zoomCentre()); return true;
    case Qt::Key_F: fitSelected(); return true;
    case Qt::Key_Home: fitAll(); return true;
    case Qt::Key_End: fitTypicalRun(); return true;
    default: return false;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const bool isPlain =
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (isPlain && timeline() && pressMovingKey(event->key())) return;
    switch (event->key()) {
    case Qt::Key_M:
        if (!isPlain) break;
        return selectCurrent();
    case Qt::Key_N:
        if (!isPlain) break;
        return stepOccurrence(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    case Qt::Key_P:
        if (!isPlain || !current_) break;
        return togglePin(current_->track);
    case Qt::Key_Escape:
        if (rangeBegin_ < 0) break;
        setRange(-1, -1);
        emit rangeSelected(-1, -1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_)
            if (const NodeId node = nodeOf(spanOf(*current_))) emit nodeActivated(node);
        return;
    default: break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineView::event(QEvent* event) {
    // Escape clears a selected range also while something runs that it would cancel.
    if (event->type() == QEvent::ShortcutOverride && rangeBegin_ >= 0 &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QAbstractScrollArea::event(event);
}

}  // namespace lapidary::views
