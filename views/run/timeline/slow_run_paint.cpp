// SPDX-License-Identifier: GPL-3.0-or-later
// How the slowest run over a typical one looks.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <vector>

#include "run/timeline/slow_run_view.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/plot/link_bands.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int least_text_width = 30;    // narrower bars carry no text
constexpr int distance_of_marks = 110;  // of the ruler, at least
// pixels of the wider end; narrower ones are left out unless marked
constexpr double least_band = 3;

QColor paler(const QColor& color, const QColor& background, double share) {
    const auto part = [share](int x, int y) { return int(x * share + y * (1 - share)); };
    return {part(color.red(), background.red()), part(color.green(), background.green()),
            part(color.blue(), background.blue())};
}

}  // namespace

void SlowRunView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.canvas);
    const QFontMetrics metrics(font());
    if (!pair()) {
        painter.setPen(colors.mutedText);
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         headline());
        return;
    }
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(12, 6, width() - 24, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(headline(), Qt::ElideRight, width() - 24));
    paintRuler(painter);
    const Rows place = rows();
    painter.setPen(colors.mutedText);
    for (const auto& [top, text] :
         {std::pair(place.typical, tr("typical")), {place.slowest, tr("slowest")}})
        painter.drawText(QRect(12, top, gutter() - 12, place.height),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    painter.save();
    painter.setClipRect(QRectF(gutter(), place.ruler, plotWidth() + 12, height() - place.ruler));
    for (const auto& [top, ns] :
         {std::pair(place.typical, pair()->typicalNs), {place.slowest, pair()->slowestNs}})
        painter.fillRect(QRectF(QPointF(xOf(0), top), QPointF(xOf(double(ns)), top + place.height)),
                         isDark(palette()) ? QColor(0x2a3550) : QColor(0xe2e8f8));
    paintBands(painter);
    paintLane(painter, pair()->typical, place.typical);
    paintLane(painter, pair()->slowest, place.slowest);
    paintMarks(painter);
    painter.restore();
    if (!hasFocus()) return;
    painter.setPen(colors.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void SlowRunView::paintLane(QPainter& painter, const TimelineLane& lane, int top) const {
    const Rows place = rows();
    const QFontMetrics metrics(font());
    const int left = gutter();
    for (const PixelBar& bar : foldLane(lane, begin_, nsPerPixel_, int(plotWidth()) + 12)) {
        const std::size_t kernel = lane[bar.span].index;
        const Span& span = recordOf(kernel);
        const std::string& op = profile().op(span);
        const auto [known, fresh] = colors_.try_emplace(op);
        if (fresh) known->second = operatorColor(labelText(op), palette());
        const QColor color = known->second;
        const QRect body(left + bar.x, top, bar.width > 3 ? bar.width - 1 : bar.width,
                         place.height);
        painter.fillRect(body, bar.merged ? paler(color, themeColors(palette()).canvas,
                                                  0.2 + 0.8 * double(bar.density))
                                          : color);
        const bool isCurrent =
            std::ptrdiff_t(kernel) == current_ || std::ptrdiff_t(kernel) == hover_;
        if (isCurrent || (focused_ && span.node == focused_)) {
            painter.setPen(QPen(palette().color(QPalette::Text), isCurrent ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(body.adjusted(0, 0, -1, -1));
        }
        if (bar.width < least_text_width) continue;
        const bool light =
            color.lightness() > 150 || (color.green() > 150 && color.lightness() > 110);
        painter.setPen(light ? QColor(0x10131c) : QColor(Qt::white));
        painter.drawText(body.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(operatorWords(op), Qt::ElideRight, bar.width - 8));
    }
}

/// From a kernel to itself in the other run; those of the marks stand out.
void SlowRunView::paintBands(QPainter& painter) const {
    const Rows place = rows();
    const ThemeColors& colors = themeColors(palette());
    const std::int64_t typicalBegin = profile().run_spans[pair()->typicalRun].begin_ns,
                       slowestBegin = profile().run_spans[pair()->slowestRun].begin_ns;
    const int upper = place.typical + place.height, left = gutter();
    const QRect between(left, upper, int(plotWidth()) + 12, place.slowest - upper);
    // not xOf(), which measures text: there are thousands of kernels
    const auto at = [this](std::int64_t ns) { return (double(ns) - begin_) / nsPerPixel_; };
    std::vector<LinkBand> plain, marked, chosen;
    double drawnTo = 0;  // bands finer than a pixel share one
    for (std::size_t i = 0; i < pair()->kernels.size(); ++i) {
        const PairedKernel& kernel = pair()->kernels[i];
        if (kernel.typical == PairedKernel::none || kernel.slowest == PairedKernel::none) continue;
        const Span &above = profile().kernels[kernel.typical],
                   &below = profile().kernels[kernel.slowest];
        LinkBand band{at(above.begin_ns - typicalBegin), at(above.end_ns - typicalBegin),
                      at(below.begin_ns - slowestBegin), at(below.end_ns - slowestBegin)};
        const bool isMarked = std::ranges::find(pair()->marks, i) != pair()->marks.end();
        if (std::max(band.upper_right, band.lower_right) < 0 ||
            std::min(band.upper_left, band.lower_left) > between.width())
            continue;
        const double widest =
            std::max(band.upper_right - band.upper_left, band.lower_right - band.lower_left);
        if (!isMarked && (widest < least_band || band.lower_right < drawnTo + 1)) continue;
        drawnTo = band.lower_right;
        band.upper_right = std::max(band.upper_right, band.upper_left + 1);
        band.lower_right = std::max(band.lower_right, band.lower_left + 1);
        (std::ptrdiff_t(i) == current_ ? chosen : isMarked ? marked : plain).push_back(band);
    }
    const auto draw = [&](const std::vector<LinkBand>& some, QColor color, float alpha) {
        if (some.empty()) return;
        color.setAlphaF(alpha);
        painter.drawImage(between.topLeft(),
                          drawLinkBands(some, between.size(), devicePixelRatioF(), color));
    };
    draw(plain, colors.mutedText, 0.14f);
    draw(marked, colors.warning, 0.5f);
    const bool isMark =
        std::ranges::find(pair()->marks, std::size_t(current_)) != pair()->marks.end();
    draw(chosen, isMark ? colors.warning : colors.mutedText, 0.7f);
}

/// Below the slowest run: "▼ +12 µs MatMul", the largest first where two want the same place.
void SlowRunView::paintMarks(QPainter& painter) const {
    const Rows place = rows();
    const ThemeColors& colors = themeColors(palette());
    const QFontMetrics metrics(font());
    const std::int64_t begin = profile().run_spans[pair()->slowestRun].begin_ns;
    std::vector<QRect> taken;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto mark = [&](double middle, const QString& text) {
        const double x = xOf(middle);
        if (x < gutter() || x > width()) return;
        const int wide = metrics.horizontalAdvance(text);
        QRect words(std::clamp(int(x) - wide / 2, gutter(), std::max(gutter(), width() - wide - 4)),
                    place.marks + 9, wide, metrics.height());
        while (
            std::ranges::any_of(taken, [&](const QRect& other) { return other.intersects(words); }))
            words.translate(0, metrics.height() + 1);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.warning);
        const double top = place.marks;
        painter.drawPolygon(QPolygonF({{x, top + 1}, {x - 5, top + 9}, {x + 5, top + 9}}));
        if (words.bottom() > height()) return;  // its text appears when the user navigates to it
        taken.push_back(words.adjusted(-8, 0, 8, 0));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(words, Qt::AlignCenter, text);
    };
    if (pair()->gapEnd > pair()->gapBegin)
        mark(double(pair()->gapBegin + pair()->gapEnd) / 2,
             tr("+%1 between kernels").arg(formatNanoseconds(pair()->betweenNs)));
    for (const std::size_t at : pair()->marks) {
        const PairedKernel& kernel = pair()->kernels[at];
        if (kernel.slowest == PairedKernel::none) continue;
        const Span& span = profile().kernels[kernel.slowest];
        mark(double(span.begin_ns + span.end_ns) / 2 - double(begin),
             QStringLiteral("+%1 %2").arg(formatNanoseconds(kernel.lostNs),
                                          operatorWords(profile().op(span))));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SlowRunView::paintRuler(QPainter& painter) const {
    const Rows place = rows();
    const ThemeColors& colors = themeColors(palette());
    const int line = fontMetrics().height();
    const std::int64_t step = rulerStep(nsPerPixel_ * distance_of_marks);
    painter.setPen(colors.mutedText);
    painter.drawText(QRect(12, place.ruler, gutter() - 12, line), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Time"));
    for (std::int64_t mark = std::max<std::int64_t>(0, std::int64_t(begin_ / double(step)));;
         ++mark) {
        const double x = xOf(double(mark) * double(step));
        if (x > width()) break;
        if (x < gutter()) continue;
        painter.setPen(colors.border);
        painter.drawLine(QPointF(x, place.ruler + line), QPointF(x, place.marks));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(x + 4, place.ruler, 200, line), Qt::AlignLeft | Qt::AlignVCenter,
                         labelText(rulerLabel(mark * step, step)));
    }
}

}  // namespace lapidary::views
