// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/rate_curve.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_names = 8;  // in the legend
constexpr double near_roof = 2;        // times the highest rate: it does not flatten the lines
constexpr double catch_distance = 12;  // of the mouse from a point
constexpr OperatorFamily line_colors[] = {OperatorFamily::matrix, OperatorFamily::convolution,
                                          OperatorFamily::normalization, OperatorFamily::movement,
                                          OperatorFamily::activation};

QString rateOf(double rate) { return QLocale().toString(rate, 'f', rate < 100 ? 1 : 0); }

/// 1, 2 or 5 times a power of ten: about five steps below `top`.
double stepBelow(double top) {
    const double power = std::pow(10, std::floor(std::log10(top / 4)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (top / (factor * power) <= 6) return factor * power;
    return 10 * power;
}

}  // namespace

RateCurve::RateCurve(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("rateCurve"));
    setAccessibleName(tr("Tokens per second by context"));
    setMouseTracking(true);
    installPictureMenu(*this, QStringLiteral("tokens-per-second"));
}

QSize RateCurve::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 34, fontMetrics().height() * 9};
}

void RateCurve::setRecord(const app::DecodersRecord* record, const QStringList& names) {
    lines_.clear();
    least_ = most_ = 1;
    double rates = 0, roofs = 0;  // the highest
    for (std::size_t i = 0; record && i < record->sides.size(); ++i) {
        Line line{names.value(qsizetype(i)), {}};
        for (const app::DecoderPoint& point : record->sides[i].points) {
            if (!(point.token_ms > 0)) continue;
            const auto rate = [](double ms, double otherwise) {
                return ms > 0 && std::isfinite(ms) ? 1000 / ms : otherwise;
            };
            const double now = point.tokens_per_second();
            const double roof =
                std::isfinite(point.roof_tokens_per_second) ? point.roof_tokens_per_second : 0;
            line.points.push_back({double(point.context), now, rate(point.token_high_ms, now),
                                   rate(point.token_low_ms, now), roof});
            const auto context = double(point.context);
            const bool isFirst = lines_.empty() && line.points.size() == 1;
            least_ = isFirst ? context : std::min(least_, context);
            most_ = std::max(most_, context);
            rates = std::max({rates, now, line.points.back().high});
            roofs = std::max(roofs, roof);
        }
        if (!line.points.empty()) lines_.push_back(std::move(line));
    }
    highest_ = rates > 0 ? rates : 1;
    if (roofs > highest_ && roofs <= near_roof * highest_) highest_ = roofs;
    setAccessibleDescription(description());
    update();
}

void RateCurve::setMeasuring(bool measuring) {
    measuring_ = measuring;
    update();
}

/// The name, and roofs that are above the picture, of the shortest and the longest context.
QString RateCurve::legendOf(const Line& line) const {
    const Point &first = line.points.front(), &last = line.points.back();
    if (std::max(first.roof, last.roof) <= highest_) return line.name;
    if (line.points.size() == 1) return tr("%1, roof %2").arg(line.name, rateOf(last.roof));
    return tr("%1, roof %2 to %3").arg(line.name, rateOf(first.roof), rateOf(last.roof));
}

QString RateCurve::describe(const Line& line, const Point& point) const {
    const QString said =
        tr("%1: %2 tokens per second at %3 tokens of context")
            .arg(line.name, rateOf(point.rate), formatCount(std::int64_t(point.context)));
    if (!(point.roof > 0)) return said;
    return tr("%1, %2 of what memory allows (%3)")
        .arg(said, formatRoundPercent(point.rate / point.roof), rateOf(point.roof));
}

QString RateCurve::description() const {
    QStringList sentences;
    for (const Line& line : lines_)
        for (const Point& point : line.points) sentences << describe(line, point);
    return sentences.join(QStringLiteral(". "));
}

QRectF RateCurve::plotArea() const {
    const QFontMetricsF metrics(font());
    return QRectF(rect()).adjusted(metrics.averageCharWidth() * 9, metrics.height() * 2,
                                   -metrics.averageCharWidth() * 4, -metrics.height() * 2.8);
}

/// Contexts are doubled from tick to tick, so that their axis is logarithmic.
QPointF RateCurve::positionOf(double context, double rate) const {
    const QRectF area = plotArea();
    const double across =
        most_ > least_ ? std::log(context / least_) / std::log(most_ / least_) : 0.5;
    return {area.left() + area.width() * across,
            area.bottom() - area.height() * std::max(rate / (highest_ * 1.08), 0.0)};
}

QColor RateCurve::colorOf(std::size_t line) const {
    return operatorColor(line_colors[line % std::size(line_colors)], palette());
}

void RateCurve::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (lines_.empty()) {
        painter.setPen(themeColors(palette()).mutedText);
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         measuring_ ? tr("Measuring …")
                                    : tr("Tokens per second over the context appear here, with the "
                                         "roof that memory sets. Press Measure."));
        return;
    }
    paintAxes(painter);
    for (std::size_t i = 0; i < lines_.size(); ++i) paintLine(painter, i);
    paintLegend(painter);
}

void RateCurve::paintAxes(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    const double step = stepBelow(highest_ * 1.08);
    for (double level = 0; level <= highest_ * 1.08; level += step) {
        const double y = positionOf(least_, level).y();
        painter.setPen(QPen(colors.border, 1, level == 0 ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(0, y - metrics.height() / 2, area.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QLocale().toString(level, 'f', step < 1 ? 1 : 0));
    }
    painter.drawText(QRectF(4, 2, area.right(), metrics.height()), Qt::AlignLeft, tr("tokens/s"));
    std::set<double> contexts;
    for (const Line& line : lines_)
        for (const Point& point : line.points) contexts.insert(point.context);
    for (const double context : contexts)
        painter.drawText(
            QRectF(positionOf(context, 0).x() - 50, area.bottom() + 4, 100, metrics.height()),
            Qt::AlignCenter, formatCount(std::int64_t(context)));
    painter.drawText(
        QRectF(area.left(), area.bottom() + metrics.height() + 6, area.width(), metrics.height()),
        Qt::AlignCenter, tr("tokens of context"));
}

/// The variant's rates as a line with points, and its roof in the same colour, dashed.
void RateCurve::paintLine(QPainter& painter, std::size_t i) const {
    const QColor color = colorOf(i);
    QPainterPath rates, roofs;
    for (const Point& point : lines_[i].points) {
        const QPointF at = positionOf(point.context, point.rate);
        if (rates.elementCount() == 0) rates.moveTo(at);
        else rates.lineTo(at);
        if (!(point.roof > 0)) continue;
        const QPointF above = positionOf(point.context, point.roof);
        if (roofs.elementCount() == 0) roofs.moveTo(above);
        else roofs.lineTo(above);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.3, Qt::DashLine));
    painter.save();
    painter.setClipRect(plotArea());
    painter.drawPath(roofs);
    painter.restore();
    painter.setPen(QPen(color, 2));
    painter.drawPath(rates);
    for (const Point& point : lines_[i].points) {
        const QPointF at = positionOf(point.context, point.rate);
        painter.setPen(QPen(color, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawLine(positionOf(point.context, point.low),
                         positionOf(point.context, point.high));
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        if (i % 2 == 0) painter.drawEllipse(at, 4, 4);
        else painter.drawRect(QRectF(at.x() - 4, at.y() - 4, 8, 8));
    }
}

void RateCurve::paintLegend(QPainter& painter) const {
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    const std::size_t count = std::min(lines_.size(), most_names);
    QStringList names;
    for (std::size_t i = 0; i < count; ++i) names << legendOf(lines_[i]);
    names << tr("roof of memory");
    double wide = 0;
    for (const QString& name : names) wide = std::max(wide, metrics.horizontalAdvance(name));
    wide = std::min(wide + 30, area.width() * 0.7);
    // Below the lines where there is room: rates begin at 0, so that most lines are far up.
    const double high = metrics.height() * double(names.size()) + 6;
    double lowest = highest_;
    for (const Line& line : lines_)
        for (const Point& point : line.points) lowest = std::min(lowest, point.low);
    const bool isBelow = positionOf(least_, lowest).y() < area.bottom() - high;
    double y = (isBelow ? area.bottom() - high : area.top()) + metrics.ascent();
    const auto entry = [&](const QString& name, const QPen& pen) {
        const double x = area.right() - wide;
        painter.setPen(pen);
        painter.drawLine(QPointF(x, y - metrics.ascent() / 2 + 1),
                         QPointF(x + 22, y - metrics.ascent() / 2 + 1));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QPointF(x + 28, y), metrics.elidedText(name, Qt::ElideRight, wide - 28));
        y += metrics.height();
    };
    for (std::size_t i = 0; i < count; ++i) entry(names[qsizetype(i)], QPen(colorOf(i), 2));
    entry(names.back(), QPen(themeColors(palette()).mutedText, 1.3, Qt::DashLine));
}

bool RateCurve::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Line& line : lines_)
        for (const Point& point : line.points) {
            const QPointF off = positionOf(point.context, point.rate) - help->pos();
            if (std::hypot(off.x(), off.y()) > catch_distance) continue;
            QToolTip::showText(help->globalPos(), plainToolTip(describe(line, point)), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

}  // namespace lapidary::views
