// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_counter_view.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

#include "run/timeline/timeline_view.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr int counter_gap = 4;
constexpr double fill_strength = 0.45;
constexpr int scale_margin = 4;  // around the figure at the right end of a lane

}  // namespace

TimelineCounterView::TimelineCounterView(const TimelineView& timeline, QWidget* parent)
    : QWidget(parent), timeline_(timeline) {
    setObjectName(QStringLiteral("timelineCounters"));
    setAccessibleName(tr("Counters over time"));
    setToolTip(
        tr("Threads in kernels at the same time; activations alive by the memory plan, or as "
           "they were allocated where there is none; what kernels read and "
           "write by their shapes, whether it comes from memory or from caches"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    installPictureMenu(*this, QStringLiteral("counters"));
    connect(&timeline, &TimelineView::viewChanged, this, qOverload<>(&QWidget::update));
}

void TimelineCounterView::setDigest(RunDigestPtr digest) {
    digest_ = std::move(digest);
    rows_.clear();
    shown_ = {};
    QStringList most;
    const auto add = [&](Kind kind, double top) {
        rows_.push_back({kind, top, {}});
        most << (kind == Kind::moved ? tr("%1: for 99 % of the time at most %2")
                                     : tr("%1: at most %2"))
                    .arg(nameOf(kind), textOf(kind, top));
    };
    if (digest_ && !digest_->timeline.tracks.empty()) {
        const TimelineCounters& counters = digest_->counters;
        const auto threads = std::ranges::count_if(
            digest_->timeline.tracks, [](const TimelineTrack& t) { return t.provider.empty(); });
        add(Kind::threads, double(std::max<std::ptrdiff_t>(1, threads)));
        if (!counters.held.empty() && counters.mostHeld > 0)
            add(Kind::memory, double(counters.mostHeld));
        if (counters.usualMoved > 0) add(Kind::moved, counters.usualMoved);
    }
    setAccessibleDescription(most.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int TimelineCounterView::rowHeight() const { return fontMetrics().height() * 3 / 2 + counter_gap; }

QString TimelineCounterView::nameOf(Kind kind) const {
    switch (kind) {
    case Kind::threads: return tr("Threads busy");
    case Kind::memory: return tr("Activations");
    case Kind::moved: break;
    }
    return tr("Data moved");
}

QString TimelineCounterView::textOf(Kind kind, double value) const {
    switch (kind) {
    case Kind::threads: return QLocale().toString(value, 'f', 1);
    case Kind::memory: return formatBytes(std::uint64_t(std::max(0.0, value)));
    case Kind::moved: break;
    }
    return tr("%1 GB/s").arg(QLocale().toString(value, 'f', 1));
}

TimelineWindow TimelineCounterView::window() const {
    const int width = timeline_.viewport()->width() - timeline_.gutterWidth();
    return {timeline_.viewBegin(), timeline_.nsPerPixel(), std::max(1, width)};
}

void TimelineCounterView::follow() const {
    const TimelineWindow now = window();
    if (!digest_ || now == shown_) return;
    shown_ = now;
    for (Row& row : rows_) {
        switch (row.kind) {
        case Kind::threads: row.values = threadsBusy(digest_->timeline, now); break;
        case Kind::memory: row.values = bytesHeld(digest_->counters, now); break;
        case Kind::moved: row.values = bytesMoved(digest_->counters, now); break;
        }
    }
}

QString TimelineCounterView::sentenceAt(int pixel) const {
    follow();
    QStringList parts;
    for (const Row& row : rows_)
        if (pixel >= 0 && pixel < int(row.values.size()) && row.values[std::size_t(pixel)] >= 0)
            parts << QStringLiteral("%1: %2").arg(nameOf(row.kind),
                                                  textOf(row.kind, row.values[std::size_t(pixel)]));
    return parts.join(QStringLiteral(" · "));
}

void TimelineCounterView::paintEvent(QPaintEvent*) {
    follow();
    const ThemeColors& colors = themeColors(palette());
    const int left = timeline_.gutterWidth(), height = rowHeight();
    QPainter painter(this);
    painter.fillRect(left, 0, shown_.width, this->height(), colors.canvas);
    QColor fill = colors.accent;
    fill.setAlphaF(float(fill_strength));
    int top = 0;
    for (const Row& row : rows_) {
        const int room = height - counter_gap, bottom = top + room;
        for (int x = 0; x < int(row.values.size()); ++x) {
            const double part = std::clamp(row.values[std::size_t(x)] / row.most, 0.0, 1.0);
            const int tall = int(part * room + 0.5);
            if (tall > 0) painter.fillRect(left + x, bottom - tall, 1, tall, fill);
        }
        painter.setPen(colors.border);
        painter.drawLine(0, bottom + counter_gap / 2, width(), bottom + counter_gap / 2);
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect words(8, top, left - 14, room);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(nameOf(row.kind), Qt::ElideRight, words.width()));
        const QString most = row.values.empty() ? tr("more threads than are counted here")
                                                : textOf(row.kind, row.most);
        const int wide = fontMetrics().horizontalAdvance(most) + 2 * scale_margin;
        const QRect scale(left + shown_.width - wide, top, wide, room);
        painter.fillRect(scale, colors.canvas);  // else it is unreadable over a filled lane
        painter.drawText(scale, Qt::AlignCenter, most);
        top += height;
    }
}

void TimelineCounterView::mouseMoveEvent(QMouseEvent* event) {
    emit hovered(sentenceAt(event->pos().x() - timeline_.gutterWidth()));
}

void TimelineCounterView::leaveEvent(QEvent*) { emit hovered({}); }

void TimelineCounterView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    QWidget::changeEvent(event);
}

}  // namespace lapidary::views
