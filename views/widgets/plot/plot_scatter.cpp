// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_scatter.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <qcustomplot.h>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"

namespace lapidary::views {
namespace {

constexpr double catch_distance = 14;    // of the mouse from a point
constexpr double scatter_margin = 0.08;  // around the points, of their range
// of the series, as ScatterPlot::scatter_marks
constexpr QCPScatterStyle::ScatterShape series_shapes[] = {
    QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
    QCPScatterStyle::ssDiamond};
static_assert(std::size(series_shapes) == std::size(ScatterPlot::scatter_marks));
constexpr int size_of_point = 8, size_of_star = 15, size_of_ring = 18, size_of_diamond = 12;
constexpr int label_distance = 10;  // of a label from its point

}  // namespace

ScatterPlot::ScatterPlot(const QString& name, QWidget* parent)
    : QWidget(parent), plot_(new QCustomPlot(this)), empty_(new QLabel(this)) {
    empty_->setObjectName(QStringLiteral("emptyPlot"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setTextFormat(Qt::PlainText);
    empty_->setWordWrap(true);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(name);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    empty_->raise();
    plot_->setLocale(QLocale());  // QCustomPlot's leaves the separators of thousands out
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setMouseTracking(true);
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, &ScatterPlot::fit);
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (const int point = pointAt(event->position()); point >= 0) emit pointPicked(point);
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        const int point = pointAt(event->position());
        if (point >= 0)
            QToolTip::showText(event->globalPosition().toPoint(),
                               plainToolTip(points_[std::size_t(point)].text), plot_);
        else QToolTip::hideText();
    });
    connect(plot_, &QCustomPlot::afterReplot, this, [this] { stale_ = false; });
    installPictureMenu(*this, QStringLiteral("scatter"));
    rebuild();
}

void ScatterPlot::setAxisKinds(AxisKind x, AxisKind y) {
    plot_->xAxis->setTicker(makeAxisTicker(x));
    plot_->yAxis->setTicker(makeAxisTicker(y));
}

void ScatterPlot::setAxisTitles(const QString& x, const QString& y) {
    plot_->xAxis->setLabel(x);
    plot_->yAxis->setLabel(y);
    replot();
}

void ScatterPlot::setEmptyText(const QString& text) {
    empty_->setText(text);
    rebuild();
}

void ScatterPlot::setPoints(std::vector<Point> points) {
    points_ = std::move(points);
    std::erase_if(points_, [](const Point& point) {
        return !std::isfinite(point.x) || !std::isfinite(point.y);
    });
    current_ = -1;
    QStringList words;
    for (const Point& point : points_)
        if (point.isFront || point.isReference)
            words << QString(point.text).replace(u'\n', QStringLiteral(", "));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    rebuild();
    fit();
}

void ScatterPlot::setCurrent(int point) {
    if (point == current_) return;
    current_ = point;
    rebuild();
}

int ScatterPlot::pointAt(const QPointF& place) const {
    int nearest = -1;
    double least = catch_distance;
    for (int i = 0; i < int(points_.size()); ++i) {
        const QPointF away = placeOf(i) - place;
        if (const double distance = std::hypot(away.x(), away.y()); distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

QPointF ScatterPlot::placeOf(int point) const {
    const Point& p = points_[std::size_t(point)];
    return {plot_->xAxis->coordToPixel(p.x), plot_->yAxis->coordToPixel(p.y)};
}

void ScatterPlot::rebuild() {
    const ThemeColors& colors = themeColors(palette());
    plot_->clearGraphs();
    plot_->clearItems();
    plot_->setBackground(palette().color(QPalette::Base));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTickPen(QPen(colors.border));
        axis->setTickLabelColor(colors.mutedText);
        axis->setLabelColor(colors.mutedText);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(colors.border, 1, Qt::DotLine));
    }
    const auto add = [&](const QVector<double>& x, const QVector<double>& y,
                         const QCPScatterStyle& style, const QPen& line, bool connected) {
        QCPGraph* graph = plot_->addGraph();
        graph->setLineStyle(connected ? QCPGraph::lsLine : QCPGraph::lsNone);
        graph->setPen(line);
        graph->setScatterStyle(style);
        graph->setData(x, y);
    };
    QVector<double> lineX, lineY, starX, starY, besideX, besideY;
    for (const Point& point : points_) {
        if (point.isReference) {
            besideX.append(point.x), besideY.append(point.y);
            continue;
        }
        if (point.isFront && !point.isOffLine) lineX.append(point.x), lineY.append(point.y);
        if (point.isMarked) starX.append(point.x), starY.append(point.y);
    }
    add(lineX, lineY, QCPScatterStyle(QCPScatterStyle::ssNone),
        QPen(colors.accent, 1.2, Qt::DashLine), true);
    for (const bool isFront : {false, true})
        for (std::size_t shape = 0; shape < std::size(series_shapes); ++shape) {
            QVector<double> x, y;
            for (const Point& point : points_) {
                const auto own = std::size_t(std::max(0, point.series)) % std::size(series_shapes);
                if (!point.isReference && point.isFront == isFront && own == shape)
                    x.append(point.x), y.append(point.y);
            }
            if (x.isEmpty()) continue;
            const QColor& color = isFront ? colors.accent : colors.mutedText;
            add(x, y,
                QCPScatterStyle(series_shapes[shape], QPen(color), QBrush(color),
                                isFront ? size_of_point : size_of_point - 1),
                QPen(Qt::NoPen), false);
        }
    const QCPScatterStyle star(QCPScatterStyle::ssStar, QPen(colors.good, 2.4), QBrush(colors.good),
                               size_of_star);
    add(starX, starY, star, QPen(Qt::NoPen), false);
    const QColor ink = palette().color(QPalette::Text);
    add(besideX, besideY,
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(ink, 1.6),
                        QBrush(palette().color(QPalette::Base)), size_of_diamond),
        QPen(Qt::NoPen), false);
    drawLabels();
    if (current_ >= 0 && current_ < int(points_.size())) {
        const Point& point = points_[std::size_t(current_)];
        add({point.x}, {point.y},
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(palette().color(QPalette::Text), 1.6),
                            Qt::NoBrush, size_of_ring),
            QPen(Qt::NoPen), false);
    }
    addTarget();
    empty_->setVisible(points_.empty() && !empty_->text().isEmpty());
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) axis->setTickLabels(!points_.empty());
    replot();
}

void ScatterPlot::setTarget(std::optional<double> x, const QString& name) {
    if (x == target_ && name == targetName_) return;
    target_ = x;
    targetName_ = name;
    rebuild();
    fit();
}

void ScatterPlot::addTarget() {
    if (!target_ || points_.empty()) return;
    const ThemeColors& colors = themeColors(palette());
    auto* line = new QCPItemStraightLine(plot_);
    line->setPen(QPen(colors.warning, 1.4, Qt::DashDotLine));
    line->point1->setCoords(*target_, 0);
    line->point2->setCoords(*target_, 1);
    auto* name = new QCPItemText(plot_);
    name->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    name->position->setCoords(*target_, 0);
    // on the side with more room
    const auto [left, right] = horizontalEnds();
    name->setPositionAlignment(
        (*target_ - left < right - *target_ ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    name->setPadding(QMargins(4, 2, 4, 2));
    name->setFont(font());
    name->setColor(palette().color(QPalette::Text));
    name->setText(targetName_);
}

/// Of the points and the target.
std::pair<double, double> ScatterPlot::horizontalEnds() const {
    const auto [left, right] = std::ranges::minmax(points_, {}, &Point::x);
    return {std::min(left.x, target_.value_or(left.x)),
            std::max(right.x, target_.value_or(right.x))};
}

/// Labels stand on the side of their points where there is more room.
void ScatterPlot::drawLabels() {
    if (points_.empty()) return;
    const auto [left, right] = std::ranges::minmax(points_, {}, &Point::x);
    const double middle = (left.x + right.x) / 2;
    for (const Point& point : points_) {
        if (point.label.isEmpty()) continue;
        auto* text = new QCPItemText(plot_);
        text->setText(point.label);
        text->setFont(font());
        text->setColor(palette().color(QPalette::Text));
        text->setPadding(QMargins(label_distance, 0, label_distance, 0));
        text->setPositionAlignment((point.x < middle ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
        text->position->setCoords(point.x, point.y);
    }
}

void ScatterPlot::fit() {
    if (!points_.empty()) {
        const auto [left, right] = horizontalEnds();
        const auto [low, high] = std::ranges::minmax(points_, {}, &Point::y);
        const auto range = [](double first, double last) {
            const double around = last > first ? (last - first) * scatter_margin
                                               : std::max(std::abs(first), 1.0) * scatter_margin;
            return QCPRange(first - around, last + around);
        };
        plot_->xAxis->setRange(range(left, right));
        plot_->yAxis->setRange(range(low.y, high.y));
    }
    replot();
}

void ScatterPlot::replot() {
    if (isVisible()) plot_->replot(QCustomPlot::rpQueuedReplot);
    else stale_ = true;
}

void ScatterPlot::showEvent(QShowEvent* event) {
    if (stale_) plot_->replot(QCustomPlot::rpQueuedReplot);
    QWidget::showEvent(event);
}

void ScatterPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int beside = fontMetrics().height() * 3;  // the axis and its numbers
    empty_->setGeometry(rect().adjusted(beside, 0, -beside / 3, -beside));
}

void ScatterPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) rebuild();
}

}  // namespace lapidary::views
