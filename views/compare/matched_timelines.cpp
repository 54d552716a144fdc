// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/matched_timelines.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <set>

#include "widgets/plot/link_bands.h"
#include "models/rows_model.h"
#include "run/timeline/run_pair.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double finest_ns_per_pixel = 0.05;
constexpr int narrowest_with_text = 30;
constexpr std::size_t most_links = 50'000;
constexpr std::size_t most_counterparts = 3;  // named in a sentence

MatchedRun typicalOf(const Profile& profile) {
    MatchedRun run;
    if (profile.run_spans.empty()) return run;
    const Span& whole = profile.run_spans[*typical_run(profile).index];
    run.nanoseconds = whole.duration_ns();
    std::vector<TimelineSpan> spans;
    std::int64_t end = whole.begin_ns;
    auto at = std::ranges::lower_bound(profile.kernels, whole.begin_ns, {}, &Span::begin_ns);
    for (; at != profile.kernels.end() && at->begin_ns < whole.end_ns; ++at) {
        if (at->depth > 0 || at->thread != 0 || at->begin_ns < end) continue;
        spans.push_back({at->begin_ns - whole.begin_ns, at->end_ns - whole.begin_ns,
                         std::uint32_t(at - profile.kernels.begin()), TimelineKind::kernel, true});
        end = at->end_ns;
    }
    run.lane = TimelineLane(std::move(spans));
    return run;
}

/// The nodes of the opened model that a kernel stands for.
std::vector<NodeId> originsOf(const app::RunRecord& run, const Span& kernel) {
    if (!run.executed || !kernel.node || !run.executed->graph.is_alive(kernel.node)) return {};
    return run.executed->graph.node(kernel.node).origins;
}

}  // namespace

MatchedTimelines matchTimelines(const app::RunRecord& a, const app::RunRecord& b) {
    MatchedTimelines matched{typicalOf(*a.profile), typicalOf(*b.profile), {}};
    std::unordered_map<NodeId, std::vector<std::uint32_t>> inB;  // spans by original node
    for (std::size_t i = 0; i < matched.b.lane.size(); ++i)
        for (const NodeId origin : originsOf(b, b.profile->kernels[matched.b.lane[i].index]))
            inB[origin].push_back(std::uint32_t(i));
    std::unordered_map<std::uint32_t, std::size_t> latest;  // span of b to its last link
    for (std::size_t i = 0; i < matched.a.lane.size() && matched.links.size() < most_links; ++i) {
        std::set<std::uint32_t> others;
        for (const NodeId origin : originsOf(a, a.profile->kernels[matched.a.lane[i].index]))
            if (const auto at = inB.find(origin); at != inB.end())
                others.insert(at->second.begin(), at->second.end());
        for (const std::uint32_t other : others) {
            const auto [at, added] = latest.try_emplace(other, matched.links.size());
            if (!added && matched.links[at->second].last_a + 1 == i) {
                ++matched.links[at->second].last_a;
                continue;
            }
            at->second = matched.links.size();
            matched.links.push_back({std::uint32_t(i), std::uint32_t(i), other});
        }
    }
    return matched;
}

MatchedTimelinesView::MatchedTimelinesView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("matchedTimelines"));
    setAccessibleName(tr("Typical runs of A and B"));
    setAccessibleDescription(
        tr("Left and right walk through the kernels of B. The table of nodes lists the same."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installPictureMenu(*this, QStringLiteral("timelines"));
}

void MatchedTimelinesView::setComparison(app::ComparisonPtr record,
                                         std::shared_ptr<const MatchedTimelines> matched) {
    record_ = std::move(record);
    matched_ = record_ ? std::move(matched) : nullptr;
    chosen_ = hover_ = {};
    current_ = -1;
    colors_.clear();
    fit();
}

const Profile& MatchedTimelinesView::profileOf(bool ofB) const {
    return *(ofB ? record_->run_b : record_->run_a)->profile;
}

const Span& MatchedTimelinesView::recordOf(bool ofB, std::size_t span) const {
    return profileOf(ofB).kernels[(ofB ? matched_->b : matched_->a).lane[span].index];
}

QString MatchedTimelinesView::sentenceOf(bool ofB, std::size_t span) const {
    const auto report = [this](bool side, std::size_t at) {
        const Span& kernel = recordOf(side, at);
        const SpanText text = profileOf(side).text(kernel);
        return QStringLiteral("%1 %2, %3")
            .arg(operatorWords(text.op), labelText(text.name),
                 formatNanoseconds(kernel.duration_ns()));
    };
    QStringList others;
    std::size_t count = 0;
    for (const MatchedSpans& link : matched_->links) {
        if (ofB ? link.b != span : span < link.first_a || span > link.last_a) continue;
        for (std::size_t other = ofB ? link.first_a : link.b; other <= (ofB ? link.last_a : link.b);
             ++other)
            if (++count <= most_counterparts) others << report(!ofB, other);
    }
    if (count > most_counterparts) others << tr("%1 more").arg(count - most_counterparts);
    const QString other = others.isEmpty() ? tr("nothing") : others.join(QStringLiteral("; "));
    return ofB ? tr("In B: %1. In A: %2.").arg(report(true, span), other)
               : tr("In A: %1. In B: %2.").arg(report(false, span), other);
}

int MatchedTimelinesView::gutter() const {
    return fontMetrics().horizontalAdvance(QStringLiteral("A 000 ms")) + 20;
}

int MatchedTimelinesView::topOf(bool ofB) const {
    const int line = fontMetrics().height(), first = line + 8;
    return ofB ? std::max(first + 2 * rowHeight(), height() - rowHeight() - line) : first;
}

double MatchedTimelinesView::wholeNs() const {
    return isEmpty() ? 1
                     : double(std::max<std::int64_t>(
                           {1, matched_->a.nanoseconds, matched_->b.nanoseconds}));
}

void MatchedTimelinesView::fit() {
    isFitted_ = true;
    begin_ = -0.01 * wholeNs();
    nsPerPixel_ = 1.02 * wholeNs() / plotWidth();
    update();
}

void MatchedTimelinesView::setView(double begin, double nsPerPixel) {
    const double widest = 1.02 * wholeNs() / plotWidth();
    nsPerPixel_ = std::clamp(nsPerPixel, std::min(finest_ns_per_pixel, widest), widest);
    isFitted_ = nsPerPixel_ == widest;
    const double low = -0.01 * wholeNs();
    begin_ = std::clamp(begin, low, std::max(low, 1.01 * wholeNs() - nsPerPixel_ * plotWidth()));
    update();
}

void MatchedTimelinesView::zoom(double factor, double x) {
    const double fixed = begin_ + (x - gutter()) * nsPerPixel_;
    setView(begin_, nsPerPixel_ * factor);
    setView(fixed - (x - gutter()) * nsPerPixel_, nsPerPixel_);
}

MatchedTimelinesView::Place MatchedTimelinesView::placeAt(const QPointF& at) const {
    if (isEmpty() || at.x() < gutter()) return {};
    for (const bool ofB : {false, true}) {
        if (at.y() < topOf(ofB) || at.y() >= topOf(ofB) + rowHeight()) continue;
        return {ofB, spanAt((ofB ? matched_->b : matched_->a).lane,
                            begin_ + (at.x() - gutter()) * nsPerPixel_, 2 * nsPerPixel_)};
    }
    return {};
}

void MatchedTimelinesView::choose(const Place& place) {
    if (isEmpty() || place.span < 0) return;
    chosen_ = place;
    current_ = place.ofB ? place.span : -1;
    const QString sentence = sentenceOf(place.ofB, std::size_t(place.span));
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    update();
    emit hovered(sentence);
    const std::vector<NodeId> origins = originsOf(place.ofB ? *record_->run_b : *record_->run_a,
                                                  recordOf(place.ofB, std::size_t(place.span)));
    if (!origins.empty()) emit nodePicked(origins.front());
}

void MatchedTimelinesView::resizeEvent(QResizeEvent*) {
    if (isFitted_) fit();
    else setView(begin_, nsPerPixel_);
}

void MatchedTimelinesView::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier)
        setView(begin_ - (turn.y() + turn.x()) * nsPerPixel_, nsPerPixel_);
    else zoom(std::pow(0.5, turn.y() / 240.0), event->position().x());
    event->accept();
}

void MatchedTimelinesView::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = event->position();
    pressedBegin_ = begin_;
    isDragged_ = false;
}

void MatchedTimelinesView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const double moved = event->position().x() - pressedAt_.x();
        isDragged_ = isDragged_ || std::abs(moved) > QApplication::startDragDistance();
        if (isDragged_) setView(pressedBegin_ - moved * nsPerPixel_, nsPerPixel_);
        return;
    }
    const Place place = placeAt(event->position());
    if (place == hover_) return;
    hover_ = place;
    setCursor(place.span >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    emit hovered(place.span >= 0 ? sentenceOf(place.ofB, std::size_t(place.span)) : QString());
}

void MatchedTimelinesView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !isDragged_) choose(placeAt(event->position()));
}

void MatchedTimelinesView::keyPressEvent(QKeyEvent* event) {
    const auto last = isEmpty() ? std::ptrdiff_t(-1) : std::ptrdiff_t(matched_->b.lane.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left: return choose({true, std::max<std::ptrdiff_t>(0, current_ - 1)});
    case Qt::Key_Right: return choose({true, std::min(last, current_ + 1)});
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(0.5, width() / 2.0);
    case Qt::Key_Minus: return zoom(2, width() / 2.0);
    case Qt::Key_Home: return fit();
    default: QWidget::keyPressEvent(event);
    }
}

bool MatchedTimelinesView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Place place = placeAt(help->pos());
        if (place.span >= 0)
            QToolTip::showText(help->globalPos(),
                               plainToolTip(sentenceOf(place.ofB, std::size_t(place.span))), this);
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::PaletteChange) colors_.clear();
    return QWidget::event(event);
}

void MatchedTimelinesView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.canvas);
    painter.setPen(colors.mutedText);
    if (isEmpty()) {
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Press Compare: a typical run of each is drawn here, kernel by kernel, "
                            "with what stands for "
                            "the same nodes joined."));
        return;
    }
    for (const bool ofB : {false, true}) {
        const MatchedRun& run = ofB ? matched_->b : matched_->a;
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(
            QRect(10, topOf(ofB), gutter() - 12, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("%1 %2").arg(ofB ? QStringLiteral("B") : QStringLiteral("A"),
                                        formatNanoseconds(run.nanoseconds)));
    }
    painter.setClipRect(QRectF(gutter(), 0, plotWidth() + 12, height()));
    const std::int64_t step = rulerStep(nsPerPixel_ * 110);
    for (std::int64_t mark = std::max<std::int64_t>(0, std::int64_t(begin_ / double(step)));;
         ++mark) {
        const double x = xOf(double(mark) * double(step));
        if (x > width()) break;
        painter.setPen(colors.border);
        painter.drawLine(QPointF(x, fontMetrics().height()), QPointF(x, topOf(true) + rowHeight()));
        if (x < gutter() - 1) continue;  // which would cut the label
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(x + 4, 2, 200, fontMetrics().height()), Qt::AlignLeft,
                         rulerLabel(mark * step, step));
    }
    paintBands(painter);
    for (const bool ofB : {false, true}) paintLane(painter, ofB);
    painter.setClipping(false);
    if (!hasFocus()) return;
    painter.setPen(colors.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void MatchedTimelinesView::paintLane(QPainter& painter, bool ofB) const {
    const TimelineLane& lane = (ofB ? matched_->b : matched_->a).lane;
    const int top = topOf(ofB), left = gutter(), high = rowHeight();
    for (const PixelBar& bar : foldLane(lane, begin_, nsPerPixel_, int(plotWidth()) + 12)) {
        const std::string& op = profileOf(ofB).op(recordOf(ofB, bar.span));
        const auto [known, fresh] = colors_.try_emplace(op);
        if (fresh) known->second = operatorColor(labelText(op), palette());
        QColor color = known->second;
        const QRect body(left + bar.x, top, bar.width > 3 ? bar.width - 1 : bar.width, high);
        if (bar.merged) color.setAlphaF(0.2f + 0.8f * bar.density);
        painter.fillRect(body, color);
        const Place place{ofB, std::ptrdiff_t(bar.span)};
        if (place == chosen_ || place == hover_) {
            painter.setPen(QPen(palette().color(QPalette::Text), place == chosen_ ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(body.adjusted(0, 0, -1, -1));
        }
        if (bar.width < narrowest_with_text) continue;
        const bool light =
            color.lightness() > 150 || (color.green() > 150 && color.lightness() > 110);
        painter.setPen(light ? QColor(0x10131c) : QColor(Qt::white));
        painter.drawText(
            body.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(operatorWords(op), Qt::ElideRight, bar.width - 8));
    }
}

bool MatchedTimelinesView::isChosen(const MatchedSpans& link) const {
    if (chosen_.span < 0) return false;
    const auto span = std::uint32_t(chosen_.span);
    return chosen_.ofB ? link.b == span : span >= link.first_a && span <= link.last_a;
}

/// Bands of the chosen kernel stand out. Bands too thin to distinguish in the same pixels are left
/// out.
void MatchedTimelinesView::paintBands(QPainter& painter) const {
    std::set<std::pair<int, int>> drawn;
    std::vector<LinkBand> bands, ofChosen;
    const int upper = topOf(false) + rowHeight();
    const QRect between(gutter(), upper, int(plotWidth()) + 12, topOf(true) - upper);
    // not xOf(), which measures text: there are thousands of links
    const auto at = [this](std::int64_t ns) { return (double(ns) - begin_) / nsPerPixel_; };
    for (const MatchedSpans& link : matched_->links) {
        const TimelineSpan& to = matched_->b.lane[link.b];
        LinkBand band{at(matched_->a.lane[link.first_a].begin),
                      at(matched_->a.lane[link.last_a].end), at(to.begin), at(to.end)};
        band.upper_right = std::max(band.upper_left + 1, band.upper_right);
        band.lower_right = std::max(band.lower_left + 1, band.lower_right);
        if (std::max(band.upper_right, band.lower_right) < 0 ||
            std::min(band.upper_left, band.lower_left) > between.width())
            continue;
        if (isChosen(link)) ofChosen.push_back(band);
        else if (drawn.emplace(std::floor(band.upper_left / 2), std::floor(band.lower_left / 2))
                     .second)
            bands.push_back(band);
    }
    const auto draw = [&](const std::vector<LinkBand>& some, QColor color, float alpha) {
        if (some.empty()) return;
        color.setAlphaF(alpha);
        painter.drawImage(between.topLeft(),
                          drawLinkBands(some, between.size(), devicePixelRatioF(), color));
    };
    const ThemeColors& colors = themeColors(palette());
    draw(bands, colors.mutedText, 0.14f);
    draw(ofChosen, colors.accent, 0.5f);
}

}  // namespace lapidary::views
