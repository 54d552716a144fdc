// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a span of the timeline: its menu, and the way to the same kernel in other
// runs.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

#include "run/timeline/timeline_view.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/mnemonics.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_operator = 40;  // characters in the menu

}  // namespace

std::optional<TimelineView::Place> TimelineView::placeOfKernel(std::size_t kernel) const {
    const Span& record = profile().kernels[kernel];
    for (std::size_t t = 0; t < timeline()->tracks.size(); ++t) {
        const TimelineTrack& track = timeline()->tracks[t];
        if (track.thread != record.thread) continue;
        for (std::size_t l = 0; l < track.lanes.size(); ++l) {
            const TimelineLane& lane = track.lanes[l];
            auto at = std::ranges::lower_bound(lane, record.begin_ns, {}, &TimelineSpan::begin);
            for (; at != lane.end() && at->begin == record.begin_ns; ++at)
                if (at->kind == TimelineKind::kernel && at->index == kernel)
                    return Place{t, l, std::size_t(at - lane.begin())};
        }
    }
    return std::nullopt;
}

bool TimelineView::showKernel(std::size_t kernel) {
    if (!timeline() || kernel >= profile().kernels.size()) return false;
    const std::optional<Place> place = placeOfKernel(kernel);
    if (place) makeCurrent(*place, true);
    return place.has_value();
}

void TimelineView::stepOccurrence(int by) {
    if (!current_ || spanOf(*current_).kind != TimelineKind::kernel) return;
    const std::vector<std::uint32_t>& groups = digest_->groups.of_kernel;
    const auto from = std::ptrdiff_t(spanOf(*current_).index);
    const std::uint32_t group = groups[std::size_t(from)];
    std::ptrdiff_t to = from + by;
    while (to >= 0 && to < std::ssize(groups) &&
           (groups[std::size_t(to)] != group || !placeOfKernel(std::size_t(to))))
        to += by;
    if (to >= 0 && to < std::ssize(groups)) showKernel(std::size_t(to));
    const auto begin = groups.begin();
    const auto now = begin + std::ptrdiff_t(spanOf(*current_).index) + 1;
    emit hovered(tr("%1: occurrence %2 of %3")
                     .arg(labelText(profile().name(recordOf(spanOf(*current_)))),
                          formatCount(std::count(begin, now, group)),
                          formatCount(std::count(begin, groups.end(), group))));
}

void TimelineView::addSpanActions(QMenu& menu) {
    if (!current_) return;
    const TimelineSpan& span = spanOf(*current_);
    const SpanText words = profile().text(recordOf(span));
    const auto add = [&](const char* name, const char* icon, const QString& text, auto slot) {
        QAction* action =
            menu.addAction(themedIcon(QLatin1String(icon)), text, this, std::move(slot));
        action->setObjectName(QLatin1String(name));
    };
    if (const NodeId node = nodeOf(span))
        add("spanInGraph", "graph", tr("Show in graph"),
            [this, node] { emit nodeActivated(node); });
    add("spanZoom", "zoom-in", tr("Zoom to this span"), [this, begin = span.begin, end = span.end] {
        const double margin = double(end - begin) * 0.05;
        showTimes(double(begin) - margin, double(end) + margin);
    });
    if (span.end > span.begin)
        add("spanSelect", "clock", tr("Select its time"),
            [this, begin = span.begin, end = span.end] {
                setRange(begin, end);
                emit rangeSelected(begin, end);
            });
    if (!words.op.empty()) {
        QString shown = labelText(words.op, longest_operator);
        add("spanOperator", "table",
            tr("Only nodes of %1").arg(shown.replace(u'&', QStringLiteral("&&"))),
            [this, op = exactText(words.op)] { emit operatorWanted(op); });
    }
    if (span.kind == TimelineKind::kernel) {
        add("spanNext", "next", tr("Next occurrence"), [this] { stepOccurrence(1); });
        add("spanPrevious", "previous", tr("Previous occurrence"), [this] { stepOccurrence(-1); });
    }
    add("spanCopyName", "copy", tr("Copy name"),
        [name = exactText(words.name)] { QApplication::clipboard()->setText(name); });
    menu.addSeparator();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto place = placeAt(event->pos())) makeCurrent(*place, false);
        else current_.reset();
        viewport()->update();
    }
    QMenu menu(this);
    addSpanActions(menu);
    if (timeline()) {
        menu.addAction(themedIcon(QStringLiteral("zoom-fit")), tr("Whole recording"), this,
                       &TimelineView::fitAll);
        menu.addAction(themedIcon(QStringLiteral("clock")), tr("One typical run"), this,
                       &TimelineView::fitTypicalRun);
        menu.addSeparator();
    }
    addPictureActions(menu, *this, QStringLiteral("timeline"));
    giveMnemonics(menu);
    menu.exec(event->globalPos());
}

}  // namespace lapidary::views
