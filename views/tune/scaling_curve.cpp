// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/scaling_curve.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_names = 8;  // in the legend
constexpr double catch_distance = 12;  // of the mouse from a point
constexpr OperatorFamily curve_colors[] = {OperatorFamily::matrix, OperatorFamily::convolution,
                                           OperatorFamily::normalization, OperatorFamily::movement,
                                           OperatorFamily::activation};

}  // namespace

ScalingCurve::ScalingCurve(app::Tuning& tuning, QWidget* parent)
    : QWidget(parent), tuning_(tuning) {
    setObjectName(QStringLiteral("scalingCurve"));
    setAccessibleName(tr("Speed-up by threads"));
    setMouseTracking(true);
    connect(&tuning_, &app::Tuning::changed, this, &ScalingCurve::refresh);
    refresh();
}

QSize ScalingCurve::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 8};
}

void ScalingCurve::setFocusedCell(std::ptrdiff_t cell) {
    focused_ = cell;
    refresh();
}

void ScalingCurve::refresh() {
    lines_.clear();
    const auto result = tuning_.result();
    least_ = most_ = 1;
    highest_ = 1;
    if (result) {
        const std::vector<SweepCell>& cells = result->cells;
        cores_ = result->machine.cores;
        std::ptrdiff_t focused = focused_ >= 0 && std::size_t(focused_) < cells.size()
                                     ? focused_
                                     : result->recommendation.cell;
        std::vector<RunConfiguration> firsts;
        const auto alike = [](RunConfiguration a, const RunConfiguration& b) {
            a.resources.threads = b.resources.threads;
            return a == b;
        };
        std::vector<std::size_t> order(cells.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(
            order, {}, [&](std::size_t i) { return cells[i].configuration.resources.threads; });
        least_ = 0;
        for (const std::size_t i : order) {
            const FigureValue value = figureOf(cells, i, TuneFigure::speedUp);
            if (!value.known) continue;
            const RunConfiguration& configuration = cells[i].configuration;
            const auto at = std::size_t(std::ranges::find_if(firsts,
                                                             [&](const RunConfiguration& first) {
                                                                 return alike(first, configuration);
                                                             }) -
                                        firsts.begin());
            if (at == firsts.size()) {
                firsts.push_back(configuration);
                RunConfiguration named = configuration;
                named.resources.threads = 1;
                QString name = titleOf(named);
                // the settings other than threads
                name.remove(0, placeTitle(TuneAxis::threads, 1).size() + 2);
                lines_.push_back({name, {}, false});
            }
            Line& line = lines_[at];
            line.points.push_back({configuration.resources.threads, value, i});
            line.focused = line.focused || std::ptrdiff_t(i) == focused;
            least_ = least_ == 0 ? configuration.resources.threads
                                 : std::min(least_, configuration.resources.threads);
            most_ = std::max(most_, configuration.resources.threads);
            highest_ = std::max(highest_, value.high);
        }
        least_ = std::max(1, least_);
        std::erase_if(lines_, [](const Line& line) { return line.points.size() < 2; });
    }
    setAccessibleDescription(description());
    update();
}

QString ScalingCurve::description() const {
    QStringList sentences;
    for (const Line& line : lines_) {
        const Point& last = line.points.back();
        const QString what = line.name.isEmpty()
                                 ? placeTitle(TuneAxis::threads, last.threads)
                                 : QStringLiteral("%1, %2").arg(
                                       placeTitle(TuneAxis::threads, last.threads), line.name);
        sentences << tr("%1: %2 as fast as %3, ideal %4")
                         .arg(what, figureText(TuneFigure::speedUp, last.speedUp.value),
                              placeTitle(TuneAxis::threads, line.points.front().threads),
                              figureText(TuneFigure::speedUp,
                                         double(last.threads) / line.points.front().threads));
    }
    return sentences.join(QStringLiteral(". "));
}

QRectF ScalingCurve::plotArea() const {
    const QFontMetricsF metrics(font());
    return QRectF(rect()).adjusted(metrics.averageCharWidth() * 8, metrics.height() * 0.8,
                                   -metrics.averageCharWidth() * 3, -metrics.height() * 2.8);
}

QPointF ScalingCurve::positionOf(double threads, double speedUp) const {
    const QRectF area = plotArea();
    const double top = std::max(highest_, double(most_) / least_) * 1.05;
    const double across = most_ > least_ ? (threads - least_) / double(most_ - least_) : 0.5;
    return {area.left() + area.width() * across,
            area.bottom() - area.height() * std::clamp(speedUp / top, 0.0, 1.0)};
}

void ScalingCurve::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (lines_.empty()) {
        painter.setPen(themeColors(palette()).mutedText);
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The speed-up appears when settings with different numbers of threads "
                            "are measured. Press Start."));
        return;
    }
    paintAxes(painter);
    // Lines that are not focused are painted first.
    for (const bool focused : {false, true})
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (lines_[i].focused == focused) paintLine(painter, i);
    paintLegend(painter);
}

void ScalingCurve::paintAxes(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const QRectF area = plotArea();
    const double top = std::max(highest_, double(most_) / least_) * 1.05;
    const QFontMetricsF metrics(font());
    const double step = top > 40 ? 10 : top > 16 ? 4 : top > 8 ? 2 : top > 3 ? 1 : 0.5;
    for (double level = 0; level <= top; level += step) {
        const double y = positionOf(least_, level).y();
        painter.setPen(QPen(colors.border, 1, level == 0 ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(0, y - metrics.height() / 2, area.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         tr("%1×").arg(QLocale().toString(level, 'f', step < 1 ? 1 : 0)));
    }
    std::vector<int> ticks;
    for (const Line& line : lines_)
        for (const Point& point : line.points)
            if (std::ranges::find(ticks, point.threads) == ticks.end())
                ticks.push_back(point.threads);
    for (const int tick : ticks) {
        const double x = positionOf(tick, 0).x();
        painter.drawText(QRectF(x - 40, area.bottom() + 4, 80, metrics.height()), Qt::AlignCenter,
                         QLocale().toString(tick));
    }
    painter.drawText(
        QRectF(area.left(), area.bottom() + metrics.height() + 6, area.width(), metrics.height()),
        Qt::AlignCenter, tr("threads"));
    if (cores_ > least_ && cores_ < most_) {
        const double x = positionOf(cores_, 0).x();
        painter.setPen(QPen(colors.warning, 1, Qt::DashDotLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.drawText(QPointF(x + 4, area.top() + metrics.ascent()), tr("%1 cores").arg(cores_));
    }
    painter.setPen(QPen(colors.mutedText, 1.3, Qt::DashLine));
    painter.drawLine(positionOf(least_, 1), positionOf(most_, double(most_) / least_));
}

/// Several lines have a colour each, also while one is in focus, which is wider then.
QColor ScalingCurve::colorOf(std::size_t line) const {
    if (lines_.size() == 1) return themeColors(palette()).accent;
    return operatorColor(curve_colors[line % std::size(curve_colors)], palette());
}

/// Lines differ in colour and in the shape of their points.
void ScalingCurve::paintLine(QPainter& painter, std::size_t i) const {
    const Line& line = lines_[i];
    const bool focused = line.focused;
    const QColor color = colorOf(i);
    QPainterPath path;
    for (const Point& point : line.points) {
        const QPointF at = positionOf(point.threads, point.speedUp.value);
        if (path.elementCount() == 0) path.moveTo(at);
        else path.lineTo(at);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, focused ? 2.5 : 1.5));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    std::vector<QLineF> intervals;
    for (const Point& point : line.points) {
        const QPointF at = positionOf(point.threads, point.speedUp.value);
        const double low = positionOf(point.threads, point.speedUp.low).y(),
                     high = positionOf(point.threads, point.speedUp.high).y();
        if (low - high > 1) {
            intervals.emplace_back(at.x(), low, at.x(), high);
            for (const double y : {low, high}) intervals.emplace_back(at.x() - 4, y, at.x() + 4, y);
        }
        const double r = focused ? 4.6 : 3.6;
        if (i % 2 == 0) painter.drawEllipse(at, r, r);
        else painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    }
    // Smoothing lines along the axes gains nothing and costs a stroke each.
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color, 1));
    painter.drawLines(intervals.data(), int(intervals.size()));
    painter.setRenderHint(QPainter::Antialiasing);
}

void ScalingCurve::paintLegend(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const QColor text = palette().color(QPalette::Text);
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    // The legend is at the top left, where there are no curves.
    double y = area.top() + metrics.ascent();
    const auto entry = [&](const QString& name, const QPen& pen) {
        painter.setPen(pen);
        painter.drawLine(QPointF(area.left() + 10, y - metrics.ascent() / 2 + 1),
                         QPointF(area.left() + 32, y - metrics.ascent() / 2 + 1));
        painter.setPen(text);
        painter.drawText(QPointF(area.left() + 38, y),
                         metrics.elidedText(name, Qt::ElideRight, area.width() * 0.6));
        y += metrics.height();
    };
    entry(tr("ideal"), QPen(colors.mutedText, 1.3, Qt::DashLine));
    for (std::size_t i = 0; i < std::min(lines_.size(), most_names); ++i)
        entry(lines_[i].name.isEmpty() ? tr("measured, 95 % intervals") : lines_[i].name,
              QPen(colorOf(i), lines_[i].focused ? 2.5 : 1.5));
}

bool ScalingCurve::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto result = tuning_.result();
    const Point* nearest = nullptr;
    double least = catch_distance;
    for (const Line& line : lines_)
        for (const Point& point : line.points) {
            const QPointF away =
                positionOf(point.threads, point.speedUp.value) - QPointF(help->pos());
            if (const double distance = std::hypot(away.x(), away.y()); distance < least) {
                least = distance;
                nearest = &point;
            }
        }
    if (nearest && result && nearest->cell < result->cells.size())
        QToolTip::showText(help->globalPos(),
                           plainToolTip(describe(result->cells, nearest->cell, cores_)), this);
    else QToolTip::hideText();
    return true;
}

}  // namespace lapidary::views
