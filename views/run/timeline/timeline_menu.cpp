// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of the timeline: what can be done with a span.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

#include "run/timeline/timeline_view.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/mnemonics.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_operator = 40;  // characters in the menu

}  // namespace

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
    const bool isPinned = std::ranges::find(pinned_, current_->track) != pinned_.end();
    add("spanPin", "unfold", isPinned ? tr("Unpin its thread") : tr("Pin its thread to the top"),
        [this, track = current_->track] { togglePin(track); });
    add("spanCopyName", "copy", tr("Copy name"),
        [name = exactText(words.name)] { QApplication::clipboard()->setText(name); });
    menu.addSeparator();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto place = placeAt(event->pos())) {
            makeCurrent(*place, false);
        } else {
            current_.reset();
            arrows_.clear();
        }
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
