// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_view.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "models/rows_model.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double hover_slack_pixels = 2;
constexpr double least_ns_per_pixel = 0.05;
constexpr double scroll_steps = 1'000'000;  // the horizontal scroll bar's resolution

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("timelineView"));
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Arrow keys walk from span to span, W and S zoom, A and D move, F fits, M selects the "
           "time of a span, Return shows the node in the graph. The node table lists the same "
           "figures."));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    // so that filtering never changes the width
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setMinimumHeight(120);
    installPictureKeys(*this, QStringLiteral("timeline"));
}

void TimelineView::setDigest(RunDigestPtr digest) {
    const std::vector<TrackKey> pinned = pinnedKeys();
    digest_ = std::move(digest);
    pinAgain(pinned);
    current_.reset();
    arrows_.clear();
    hover_.reset();
    rangeBegin_ = rangeEnd_ = -1;
    colors_.clear();
    matches_.reset();
    busy_ = digest_ ? digest_->whole.busy : std::vector<double>();
    fitTypicalRun();
}

void TimelineView::setFocusedNode(NodeId node) {
    if (node == focusedNode_) return;
    focusedNode_ = node;
    viewport()->update();
}

void TimelineView::setRange(std::int64_t begin, std::int64_t end) {
    if (begin == rangeBegin_ && end == rangeEnd_) return;
    rangeBegin_ = begin;
    rangeEnd_ = end;
    viewport()->update();
}

void TimelineView::setBusy(std::vector<double> shares) {
    busy_ = std::move(shares);
    viewport()->update();
}

int TimelineView::laneHeight() const { return fontMetrics().height() + 6; }
int TimelineView::gutterWidth() const {
    return fontMetrics().horizontalAdvance(tr("0 (main)")) +
           fontMetrics().horizontalAdvance(tr("%1 % busy").arg(10)) / 2 + 24;
}
int TimelineView::rulerHeight() const { return fontMetrics().height() + 10; }
int TimelineView::plotWidth() const { return qMax(1, viewport()->width() - gutterWidth()); }

int TimelineView::trackHeight(std::size_t track) const {
    return int(timeline()->tracks[track].lanes.size()) * laneHeight() + track_gap;
}

int TimelineView::topOf(std::size_t track) const {
    return first_top + int(timeline()->tracks[track].lanesBefore) * laneHeight() +
           int(track) * track_gap;
}

int TimelineView::bottomOf(std::size_t track) const {
    return topOf(track) + int(timeline()->tracks[track].lanes.size()) * laneHeight();
}

std::size_t TimelineView::firstTrackBelow(int y) const {
    const auto tracks = std::views::iota(std::size_t{0}, timeline()->tracks.size());
    return *std::ranges::partition_point(
        tracks, [&](std::size_t t) { return bottomOf(t) + track_gap <= y; });
}

int TimelineView::contentHeight() const {
    return timeline() && !timeline()->tracks.empty()
               ? bottomOf(timeline()->tracks.size() - 1) + track_gap
               : 0;
}
double TimelineView::timeAt(double x) const {
    return viewBegin_ + (x - gutterWidth()) * nsPerPixel_;
}
double TimelineView::xOf(double time) const {
    return gutterWidth() + (time - viewBegin_) / nsPerPixel_;
}

const TimelineSpan& TimelineView::spanOf(const Place& place) const {
    return timeline()->tracks[place.track].lanes[place.lane][place.span];
}

const Span& TimelineView::recordOf(const TimelineSpan& span) const {
    switch (span.kind) {
    case TimelineKind::phase: return profile().phases[span.index];
    case TimelineKind::run: return profile().run_spans[span.index];
    case TimelineKind::range: return profile().ranges[span.index];
    case TimelineKind::kernel: break;
    }
    return profile().kernels[span.index];
}

NodeId TimelineView::nodeOf(const TimelineSpan& span) const {
    const bool ofNode = span.kind == TimelineKind::kernel || span.kind == TimelineKind::range;
    return ofNode ? recordOf(span).node : NodeId{};
}

QString TimelineView::sentenceOf(const TimelineSpan& span) const {
    const Span& record = recordOf(span);
    const SpanText words = profile().text(record);
    QString text = labelText(words.name);
    if (!words.op.empty()) text += QStringLiteral(" · ") + operatorWords(words.op);
    text += QStringLiteral("\n") + tr("%1, from %2")
                                       .arg(formatNanoseconds(span.end - span.begin),
                                            formatNanoseconds(span.begin - timeline()->begin));
    if (span.kind == TimelineKind::range)
        text += tr(" · what thread %1 did of it").arg(record.thread);
    if (!words.kernel.empty())
        text += QStringLiteral("\n") + tr("kernel %1").arg(labelText(words.kernel));
    if (!words.fallback.empty())
        text += QStringLiteral("\n") +
                tr("ran on the reference kernel: %1").arg(labelText(words.fallback));
    if (!words.shapes.empty()) text += QStringLiteral("\n") + labelText(words.shapes);
    return text;
}

QString TimelineView::currentSentence() const {
    return current_ ? sentenceOf(spanOf(*current_)) : QString();
}

void TimelineView::setView(double begin, double nsPerPixel) {
    if (!timeline()) return;
    const double whole = qMax(1.0, double(timeline()->end - timeline()->begin));
    nsPerPixel_ = qBound(least_ns_per_pixel, nsPerPixel,
                         qMax(least_ns_per_pixel, whole * 1.04 / plotWidth()));
    const double shown = nsPerPixel_ * plotWidth();
    const double margin = whole * 0.02;
    const double low = double(timeline()->begin) - margin;
    viewBegin_ = qBound(low, begin, qMax(low, double(timeline()->end) + margin - shown));
    updateScrollBars();
    viewport()->update();
    emit viewChanged();
}

void TimelineView::showTimes(double begin, double end) {
    setView(begin, qMax(1.0, end - begin) / plotWidth());
}

void TimelineView::fitAll() {
    if (timeline()) showTimes(double(timeline()->begin) - 1, double(timeline()->end) + 1);
}

void TimelineView::fitTypicalRun() {
    if (!timeline()) return;
    if (profile().run_spans.empty()) return fitAll();
    showRun(*typical_run(profile()).index);
}

void TimelineView::showRun(std::size_t run) {
    if (!timeline() || run >= profile().run_spans.size()) return;
    const Span& span = profile().run_spans[run];
    const double margin = double(span.duration_ns()) * 0.02;
    showTimes(double(span.begin_ns) - margin, double(span.end_ns) + margin);
}

void TimelineView::zoom(double factor, std::optional<double> atPixel) {
    const double x = atPixel.value_or(gutterWidth() + plotWidth() / 2.0);
    const double fixed = timeAt(x);
    const double before = nsPerPixel_;
    setView(viewBegin_, before * factor);
    setView(fixed - (x - gutterWidth()) * nsPerPixel_, nsPerPixel_);
}

void TimelineView::updateScrollBars() {
    if (!timeline()) return;
    const QScopedValueRollback guard(settingScrollBars_, true);
    const double whole = qMax(1.0, double(timeline()->end - timeline()->begin)) * 1.04;
    const double shown = nsPerPixel_ * plotWidth();
    const double low = double(timeline()->begin) - whole / 1.04 * 0.02;
    horizontalScrollBar()->setRange(0, int(qMax(0.0, 1 - shown / whole) * scroll_steps));
    horizontalScrollBar()->setPageStep(qMax(1, int(shown / whole * scroll_steps)));
    horizontalScrollBar()->setSingleStep(qMax(1, horizontalScrollBar()->pageStep() / 20));
    horizontalScrollBar()->setValue(int((viewBegin_ - low) / whole * scroll_steps));
    const int room = viewport()->height() - plotTop();
    verticalScrollBar()->setRange(0, qMax(0, contentHeight() - room));
    verticalScrollBar()->setPageStep(qMax(1, room));
    verticalScrollBar()->setSingleStep(laneHeight());
}

void TimelineView::scrollContentsBy(int dx, int) {
    if (dx != 0 && !settingScrollBars_ && timeline()) {
        const double whole = qMax(1.0, double(timeline()->end - timeline()->begin)) * 1.04;
        viewBegin_ = double(timeline()->begin) - whole / 1.04 * 0.02 +
                     horizontalScrollBar()->value() / scroll_steps * whole;
        emit viewChanged();
    }
    viewport()->update();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    const int before = qMax(1, event->oldSize().width() - gutterWidth());
    // Keeps the times shown, as far as that is possible.
    if (event->oldSize().width() > gutterWidth())
        setView(viewBegin_, nsPerPixel_ * before / plotWidth());
    else if (digest_) fitTypicalRun();
    updateScrollBars();
    emit viewChanged();
}

std::optional<TimelineView::Place> TimelineView::placeAt(const QPoint& at) const {
    if (!timeline() || at.x() < gutterWidth() || at.y() < rulerHeight()) return std::nullopt;
    const auto row = rowAt(at.y());
    if (!row) return std::nullopt;
    const auto [t, lane] = *row;
    const auto found = spanAt(timeline()->tracks[t].lanes[lane], timeAt(at.x() + 0.5),
                              hover_slack_pixels * nsPerPixel_);
    if (found < 0) return std::nullopt;
    return Place{t, lane, std::size_t(found)};
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier)
        setView(viewBegin_ - (turn.y() + turn.x()) * nsPerPixel_, nsPerPixel_);
    else if (event->modifiers() & Qt::AltModifier || event->position().x() < gutterWidth())
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      (turn.y() != 0 ? turn.y() : turn.x()) / 4);
    else if (turn.y() != 0) zoom(std::pow(0.5, turn.y() / 240.0), event->position().x());
    else setView(viewBegin_ - turn.x() * nsPerPixel_, nsPerPixel_);
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !timeline()) return;
    pressedAt_ = event->pos();
    pressedBegin_ = viewBegin_;
    pressedScroll_ = verticalScrollBar()->value();
    const bool onRuler = event->pos().y() < rulerHeight() && event->pos().x() >= gutterWidth();
    drag_ = event->modifiers() & Qt::ShiftModifier || onRuler ? Drag::range : Drag::pressed;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    mouseX_ = event->pos().x();
    if (drag_ == Drag::pressed &&
        (event->pos() - pressedAt_).manhattanLength() > QApplication::startDragDistance()) {
        drag_ = Drag::pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (drag_ == Drag::pan) {
        setView(pressedBegin_ - (event->pos().x() - pressedAt_.x()) * nsPerPixel_, nsPerPixel_);
        verticalScrollBar()->setValue(pressedScroll_ - (event->pos().y() - pressedAt_.y()));
    } else if (drag_ == Drag::range) {
        const double a = timeAt(qMax(gutterWidth(), pressedAt_.x())),
                     b = timeAt(qMax(gutterWidth(), event->pos().x()));
        const double low = double(timeline()->begin), high = double(timeline()->end);
        rangeBegin_ = std::int64_t(qBound(low, qMin(a, b), high));
        rangeEnd_ = std::int64_t(qBound(low, qMax(a, b), high));
        viewport()->update();
    } else {
        const auto place = placeAt(event->pos());
        if (!place && event->pos().y() < rulerHeight() && event->pos().x() >= gutterWidth())
            viewport()->setCursor(Qt::IBeamCursor);
        else if (!place && !hover_) viewport()->setCursor(Qt::ArrowCursor);
        if (place != hover_) {
            hover_ = place;
            viewport()->setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
            emit hovered(place ? sentenceOf(spanOf(*place))
                                     .section(QLatin1Char('\n'), 0, 1)
                                     .replace(QLatin1Char('\n'), QStringLiteral(" · "))
                               : QString());
        }
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const Drag ended = std::exchange(drag_, Drag::none);
    viewport()->unsetCursor();
    if (ended == Drag::range) {
        if ((event->pos() - pressedAt_).manhattanLength() <= QApplication::startDragDistance())
            rangeBegin_ = rangeEnd_ = -1;
        viewport()->update();
        emit rangeSelected(rangeBegin_, rangeEnd_);
    } else if (ended == Drag::pressed && event->pos().x() < gutterWidth()) {
        if (const auto row = rowAt(event->pos().y())) togglePin(row->first);
    } else if (ended == Drag::pressed) {
        if (const auto place = placeAt(event->pos())) makeCurrent(*place, false);
        else if (rangeBegin_ >= 0) {
            rangeBegin_ = rangeEnd_ = -1;
            viewport()->update();
            emit rangeSelected(-1, -1);
        }
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto place = placeAt(event->pos()))
        if (const NodeId node = nodeOf(spanOf(*place))) emit nodeActivated(node);
}

void TimelineView::makeCurrent(const Place& place, bool reveal) {
    current_ = place;
    findArrows();
    const TimelineSpan& span = spanOf(place);
    if (reveal) {
        const double shown = nsPerPixel_ * plotWidth();
        const double middle = double(span.begin + span.end) / 2;
        if (double(span.begin) < viewBegin_ || double(span.end) > viewBegin_ + shown)
            setView(middle - shown / 2, nsPerPixel_);
        const int top = topOf(place.track) + int(place.lane) * laneHeight();
        const int room = viewport()->height() - plotTop();
        if (top < verticalScrollBar()->value()) verticalScrollBar()->setValue(top);
        if (top + laneHeight() > verticalScrollBar()->value() + room)
            verticalScrollBar()->setValue(top + laneHeight() - room);
    }
    const QString sentence = sentenceOf(span);
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    emit hovered(sentence.section(QLatin1Char('\n'), 0, 1)
                     .replace(QLatin1Char('\n'), QStringLiteral(" · ")));
    viewport()->update();
    if (const NodeId node = nodeOf(span)) emit nodePicked(node);
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto place = placeAt(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(sentenceOf(spanOf(*place))),
                               viewport());
        else if (help->pos().x() < gutterWidth() && rowAt(help->pos().y()))
            QToolTip::showText(help->globalPos(), tr("A click pins this thread to the top (P)"),
                               viewport());
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave) mouseX_.reset();
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateScrollBars();
    if (event->type() == QEvent::PaletteChange) {
        colors_.clear();
        viewport()->update();
    }
    QAbstractScrollArea::changeEvent(event);
}

}  // namespace lapidary::views
