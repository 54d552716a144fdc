// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline looks.
#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>

#include "run/timeline/timeline_view.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int least_label_width = 28;  // narrower bars carry no text
constexpr int ruler_mark_distance = 110;
constexpr int pin_width = 3;           // pixels, of the mark at a pinned thread
constexpr double pale_strength = 0.2;  // of the colour of what was not searched

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return int(x * share + y * (1 - share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QString elided(const QFontMetrics& metrics, const QString& text, int width) {
    return metrics.elidedText(text, Qt::ElideRight, width);
}

}  // namespace

QColor TimelineView::colorOf(const TimelineSpan& span) const {
    const ThemeColors& colors = themeColors(palette());
    switch (span.kind) {
    case TimelineKind::phase: return isDark(palette()) ? QColor(0x3f4658) : QColor(0xc9d0de);
    case TimelineKind::run: return isDark(palette()) ? QColor(0x33405f) : QColor(0xd5def7);
    case TimelineKind::kernel:
    case TimelineKind::range: break;
    }
    const std::string& op = profile().op(recordOf(span));
    const QColor color = op.empty() ? colors.mutedText : colorOfOperator(op);
    return span.kind == TimelineKind::range ? mixed(color, colors.canvas, 0.6) : color;
}

bool TimelineView::isPale(const TimelineSpan& span) const {
    const bool isOfNode = span.kind == TimelineKind::kernel || span.kind == TimelineKind::range;
    return matches_ && isOfNode && !matches_->has(recordOf(span).label);
}

QColor TimelineView::colorOfOperator(const std::string& op) const {
    const auto [known, fresh] = colors_.try_emplace(op);
    if (fresh) known->second = operatorColor(labelText(op), palette());
    return known->second;
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(viewport()->rect(), colors.canvas);
    const Timeline* all = timeline();
    if (!all || all->tracks.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("Nothing was recorded."));
        return;
    }
    const QRect plot(gutterWidth(), rulerHeight(), plotWidth(),
                     viewport()->height() - rulerHeight());
    painter.save();
    painter.setClipRect(
        plot.intersected(QRect(0, rulerHeight(), viewport()->width(), pinnedHeight())));
    int top = rulerHeight() + first_top;
    for (const std::size_t track : pinned_) {
        paintTrack(painter, track, top);
        top += trackHeight(track);
    }
    painter.setClipRect(plot.adjusted(0, pinnedHeight(), 0, 0));
    for (std::size_t t = firstTrackBelow(verticalScrollBar()->value()); t < all->tracks.size();
         ++t) {
        top = plotTop() + topOf(t) - verticalScrollBar()->value();
        if (top > viewport()->height()) break;
        paintTrack(painter, t, top);
    }
    paintArrows(painter);
    painter.setClipRect(plot);
    paintRange(painter);
    painter.restore();
    paintGutter(painter);
    paintRuler(painter);
}

void TimelineView::paintTrack(QPainter& painter, std::size_t track, int top) const {
    const std::vector<TimelineLane>& lanes = timeline()->tracks[track].lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l, top += laneHeight())
        if (top + laneHeight() > rulerHeight() && top < viewport()->height())
            paintLane(painter, lanes[l], top, current_, track, l);
    painter.setPen(themeColors(palette()).border);
    painter.drawLine(gutterWidth(), top + 3, viewport()->width(), top + 3);
}

void TimelineView::paintLane(QPainter& painter, const TimelineLane& lane, int top,
                             const std::optional<Place>& current, std::size_t track,
                             std::size_t laneIndex) const {
    const int left = gutterWidth(), height = laneHeight() - 2;
    const QFontMetrics metrics(font());
    const QColor canvas = themeColors(palette()).canvas;
    for (const PixelBar& bar : foldLane(lane, viewBegin_, nsPerPixel_, plotWidth())) {
        const TimelineSpan& span = lane[bar.span];
        // Where many spans share a pixel it is as strong as they fill it: threads that wait show as
        // pale.
        double strength = bar.merged ? 0.2 + 0.8 * double(bar.density) : 1;
        if (isPale(span)) strength *= pale_strength;
        const QColor color = strength < 1 ? mixed(colorOf(span), canvas, strength) : colorOf(span);
        // A pixel of space between neighbours, where there is room for it.
        const QRect body(left + bar.x, top, bar.width > 3 ? bar.width - 1 : bar.width, height);
        painter.fillRect(body, color);
        const NodeId node = nodeOf(span);
        const bool isCurrent = current && *current == Place{track, laneIndex, bar.span};
        if (isCurrent || (node && node == focusedNode_)) {
            painter.setPen(QPen(palette().color(QPalette::Text), isCurrent ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(body.adjusted(0, 0, -1, -1));
        }
        if (bar.width < least_label_width) continue;
        const SpanText text = profile().text(recordOf(span));
        const bool hasOp = span.kind == TimelineKind::kernel && !text.op.empty();
        painter.setPen(color.lightness() > 150 || (color.green() > 150 && color.lightness() > 110)
                           ? QColor(0x10131c)
                           : QColor(Qt::white));
        const QRect words = body.adjusted(4, 0, -2, 0);
        const QString name = span.kind == TimelineKind::run && text.name.starts_with("run ")
                                 ? tr("run %1").arg(labelText(text.name.substr(4)))
                                 : labelText(text.name);
        const QString label = elided(
            metrics, hasOp && words.width() < 110 ? operatorWords(text.op) : name, words.width());
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label);
    }
}

void TimelineView::paintRuler(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const int height = rulerHeight(), left = gutterWidth();
    painter.fillRect(0, 0, viewport()->width(), height, palette().color(QPalette::Window));
    painter.setPen(colors.border);
    painter.drawLine(0, height - 1, viewport()->width(), height - 1);
    const std::int64_t step = rulerStep(nsPerPixel_ * ruler_mark_distance);
    const std::int64_t origin = timeline()->begin;
    const double first = (viewBegin_ - double(origin)) / double(step);
    painter.setClipRect(left, 0, plotWidth(), height);
    for (std::int64_t mark = std::int64_t(first) - 1;; ++mark) {
        const double x = xOf(double(origin) + double(mark) * double(step));
        if (x > viewport()->width()) break;
        if (x < left - ruler_mark_distance) continue;
        painter.setPen(colors.border);
        painter.drawLine(int(x), height - 7, int(x), height);
        for (int tenth = 1; tenth < 5; ++tenth) {
            const int small = int(x + double(step) / nsPerPixel_ * tenth / 5);
            painter.drawLine(small, height - 4, small, height);
        }
        if (mark < 0 || x < left - 1) continue;  // the gutter would cut the label
        painter.setPen(colors.mutedText);
        painter.drawText(QRect(int(x) + 4, 0, 200, height - 3), Qt::AlignLeft | Qt::AlignVCenter,
                         rulerLabel(mark * step, step));
    }
    painter.setClipping(false);
    painter.setPen(colors.mutedText);
    painter.drawText(QRect(8, 0, left - 8, height - 2), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Thread"));
}

namespace {

QString trackName(const TimelineTrack& track) {
    if (!track.provider.empty()) return labelText(track.provider);
    return track.thread == 0 ? TimelineView::tr("0 (main)") : QString::number(track.thread);
}

}  // namespace

void TimelineView::paintGutter(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const int width = gutterWidth();
    painter.fillRect(0, rulerHeight(), width, viewport()->height(),
                     palette().color(QPalette::Window));
    painter.setPen(colors.border);
    painter.drawLine(width - 1, 0, width - 1, viewport()->height());
    int top = rulerHeight() + first_top;
    for (const std::size_t track : pinned_) {
        painter.fillRect(0, top, pin_width, trackHeight(track) - track_gap, colors.accent);
        paintTrackName(painter, track, top, top);
        top += trackHeight(track);
    }
    painter.save();
    painter.setClipRect(0, plotTop(), width, viewport()->height());
    for (std::size_t t = firstTrackBelow(verticalScrollBar()->value());
         t < timeline()->tracks.size(); ++t) {
        top = plotTop() + topOf(t) - verticalScrollBar()->value();
        if (top > viewport()->height()) break;
        paintTrackName(painter, t, top, plotTop());
    }
    painter.restore();
    if (pinned_.empty()) return;
    painter.setPen(colors.accent);
    painter.drawLine(0, plotTop() - 1, viewport()->width(), plotTop() - 1);
}

/// The name and how busy the thread is, within the track and not above `highest`.
void TimelineView::paintTrackName(QPainter& painter, std::size_t track, int top,
                                  int highest) const {
    const ThemeColors& colors = themeColors(palette());
    const TimelineTrack& of = timeline()->tracks[track];
    const int width = gutterWidth(), at = qMax(top, highest);
    const QRect line(8, at, width - 14, laneHeight());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, trackName(of));
    if (track < busy_.size()) {
        const QString busy = tr("%1 % busy").arg(qRound(busy_[track] * 100));
        const QFontMetrics metrics = painter.fontMetrics();
        const int taken = metrics.horizontalAdvance(trackName(of) + QLatin1Char(' '));
        painter.setPen(colors.mutedText);
        if (of.lanes.size() > 1)
            painter.drawText(line.translated(0, laneHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                             busy);
        else if (taken + metrics.horizontalAdvance(busy) <= width - 14)
            painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, busy);
    }
    const int bottom = top + trackHeight(track) - track_gap;
    painter.setPen(colors.border);
    painter.drawLine(0, bottom + 3, width, bottom + 3);
}

void TimelineView::paintRange(QPainter& painter) const {
    if (rangeBegin_ < 0 || rangeEnd_ <= rangeBegin_) return;
    const ThemeColors& colors = themeColors(palette());
    const QRectF band(QPointF(xOf(double(rangeBegin_)), rulerHeight()),
                      QPointF(xOf(double(rangeEnd_)), viewport()->height()));
    painter.fillRect(band, colors.selection);
    painter.setPen(colors.accent);
    painter.drawLine(band.topLeft(), band.bottomLeft());
    painter.drawLine(band.topRight(), band.bottomRight());
    const QString length = formatNanoseconds(rangeEnd_ - rangeBegin_);
    const int textWidth = fontMetrics().horizontalAdvance(length) + 12;
    QRectF tag(band.center().x() - textWidth / 2.0,
               viewport()->height() - fontMetrics().height() - 8, textWidth,
               fontMetrics().height() + 4);
    painter.fillRect(tag, colors.accent);
    painter.setPen(colors.onAccent);
    painter.drawText(tag, Qt::AlignCenter, length);
}

}  // namespace lapidary::views
