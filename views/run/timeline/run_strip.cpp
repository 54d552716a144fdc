// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/run_strip.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "run/timeline/timeline_view.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr int row_gap = 4, least_width_with_gap = 4;  // pixels
constexpr double usual_strength = 0.55;

}  // namespace

RunStrip::RunStrip(const TimelineView& timeline, QWidget* parent)
    : QWidget(parent), timeline_(timeline) {
    setObjectName(QStringLiteral("runStrip"));
    setAccessibleName(tr("Recorded runs"));
    setToolTip(tr("Recorded runs, as tall as they took long; a click shows one in the timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    installPictureMenu(*this, QStringLiteral("runs"));
    // which is narrower when it gets a scroll bar
    connect(&timeline, &TimelineView::viewChanged, this, qOverload<>(&QWidget::update));
    hide();
}

void RunStrip::setDigest(RunDigestPtr digest) {
    digest_ = std::move(digest);
    current_ = -1;
    if (count() > 0) {
        typical_ = typical_run(*digest_->run->profile).index.value_or(0);
        slowest_ =
            std::size_t(std::ranges::max_element(runs(), {}, &Span::duration_ns) - runs().begin());
        setAccessibleDescription(
            tr("%1 runs; the slowest is run %2")
                .arg(formatCount(qint64(count())), formatCount(qint64(slowest_) + 1)));
    }
    setVisible(count() >= least_runs);
    update();
}

QSize RunStrip::minimumSizeHint() const { return {240, fontMetrics().height() * 2 + row_gap}; }

int RunStrip::plotWidth() const {
    return std::max(1, timeline_.viewport()->width() - timeline_.gutterWidth());
}

std::pair<std::size_t, std::size_t> RunStrip::runsIn(int column) const {
    const double perPixel = double(count()) / plotWidth();
    const auto first = std::min(count() - 1, std::size_t(column * perPixel));
    const auto end = std::min(count(), std::size_t(std::ceil((column + 1) * perPixel)));
    return {first, std::max(first + 1, end)};
}

std::size_t RunStrip::longestIn(int column) const {
    const auto [first, end] = runsIn(column);
    if (count() <= std::size_t(plotWidth())) return first;
    const auto from = runs().begin() + std::ptrdiff_t(first);
    return std::size_t(std::max_element(from, runs().begin() + std::ptrdiff_t(end),
                                        [](const Span& a, const Span& b) {
                                            return a.duration_ns() < b.duration_ns();
                                        }) -
                       runs().begin());
}

std::ptrdiff_t RunStrip::runAt(int x) const {
    const int column = x - timeline_.gutterWidth();
    if (count() == 0 || column < 0 || column >= plotWidth()) return -1;
    return std::ptrdiff_t(longestIn(column));
}

QString RunStrip::sentenceOf(std::size_t run) const {
    QString text = tr("Run %1 of %2: %3")
                       .arg(formatCount(qint64(run) + 1), formatCount(qint64(count())),
                            formatNanoseconds(runs()[run].duration_ns()));
    if (run == typical_) text += QStringLiteral(" · ") + tr("the typical run");
    else if (run == slowest_) text += QStringLiteral(" · ") + tr("the slowest run");
    return text;
}

void RunStrip::choose(std::ptrdiff_t run) {
    if (run < 0 || run >= std::ptrdiff_t(count())) return;
    current_ = run;
    const QString sentence = sentenceOf(std::size_t(run));
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    update();
    emit hovered(sentence);
    emit runChosen(run);
}

void RunStrip::paintEvent(QPaintEvent*) {
    if (count() == 0) return;
    const ThemeColors& colors = themeColors(palette());
    const int left = timeline_.gutterWidth(), room = height() - row_gap;
    QPainter painter(this);
    painter.fillRect(left, 0, plotWidth(), room, colors.canvas);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(8, 0, left - 14, room), Qt::AlignLeft | Qt::AlignVCenter, tr("Runs"));
    QColor usual = colors.mutedText;
    usual.setAlphaF(float(usual_strength));
    const double most = double(std::max<std::int64_t>(1, runs()[slowest_].duration_ns()));
    const bool hasGaps = plotWidth() >= int(count()) * least_width_with_gap;
    for (int x = 0; x < plotWidth(); ++x) {
        const std::size_t run = longestIn(x);
        const bool isLast = x + 1 == plotWidth() || longestIn(x + 1) != run;
        if (hasGaps && isLast) continue;
        const int tall = std::max(1, int(double(runs()[run].duration_ns()) / most * room));
        const QColor color = std::ptrdiff_t(run) == current_ ? palette().color(QPalette::Text)
                             : run == slowest_               ? colors.warning
                             : run == typical_               ? colors.accent
                                                             : usual;
        painter.fillRect(left + x, room - tall, 1, tall, color);
    }
    painter.setPen(hasFocus() ? colors.accent : colors.border);
    painter.drawLine(0, room + row_gap / 2, width(), room + row_gap / 2);
}

void RunStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(runAt(event->pos().x()));
}

void RunStrip::mouseMoveEvent(QMouseEvent* event) {
    const std::ptrdiff_t run = runAt(event->pos().x());
    emit hovered(run < 0 ? QString() : sentenceOf(std::size_t(run)));
}

void RunStrip::leaveEvent(QEvent*) { emit hovered({}); }

void RunStrip::keyPressEvent(QKeyEvent* event) {
    if (count() == 0) return QWidget::keyPressEvent(event);
    const std::ptrdiff_t last = std::ptrdiff_t(count()) - 1;
    const std::ptrdiff_t from = current_ < 0 ? std::ptrdiff_t(typical_) : current_;
    switch (event->key()) {
    case Qt::Key_Left: return choose(std::max<std::ptrdiff_t>(0, from - 1));
    case Qt::Key_Right: return choose(std::min(last, from + 1));
    case Qt::Key_Home: return choose(0);
    case Qt::Key_End: return choose(last);
    case Qt::Key_Return:
    case Qt::Key_Enter: return choose(std::ptrdiff_t(slowest_));
    default: QWidget::keyPressEvent(event);
    }
}

}  // namespace lapidary::views
