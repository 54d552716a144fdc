// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

#include <qcustomplot.h>

#include "theme/theme.h"
#include "widgets/plot/picture_export.h"

namespace lapidary::views {
namespace {

constexpr double point_size = 6;         // pixels
constexpr int most_broad = 1000;         // points of a line that is broad or dashed
constexpr qsizetype most_bundles = 800;  // of steps: about as many as there are pixels across

}  // namespace

Plot::Plot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->axisRect()->setRangeZoom(Qt::Horizontal);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->legend->setVisible(true);
    plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    plot_->setPlottingHint(QCP::phFastPolylines);
    // steps run along the pixels
    plot_->setNotAntialiasedElements(QCP::aePlottables | QCP::aeFills);
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, &Plot::fit);
    connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [this](const QCPRange& range) { showSteps(range.lower, range.upper); });
    connect(plot_, &QCustomPlot::afterReplot, this, [this] { stale_ = false; });
    applyColors();
    installPictureMenu(*this, QStringLiteral("plot"));
}

void Plot::setAxisKinds(AxisKind x, AxisKind y) {
    plot_->xAxis->setTicker(makeAxisTicker(x));
    plot_->yAxis->setTicker(makeAxisTicker(y));
}

bool Plot::isLegendInside() const {
    return plot_->legend->layout() == plot_->axisRect()->insetLayout();
}

void Plot::setAxisTitles(const QString& x, const QString& y) {
    plot_->xAxis->setLabel(x);
    plot_->yAxis->setLabel(y);
}

void Plot::setSteps(const QVector<double>& x, const QVector<double>& y, const QString& name) {
    QCPGraph* graph = plot_->addGraph();
    graph->setName(name);
    graph->setLineStyle(QCPGraph::lsStepLeft);
    steps_.resize(plot_->graphCount());
    steps_.last() = {x, y};
    fit();
    applyColors();
}

void Plot::setLine(const QVector<double>& x, const QVector<double>& y, const QString& name) {
    setSteps(x, y, name);
    QCPGraph* graph = plot_->graph(plot_->graphCount() - 1);
    graph->setLineStyle(QCPGraph::lsLine);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, point_size));
    plot_->setNotAntialiasedElements(QCP::aeNone);  // lines are few, and slant
}

void Plot::setLegendAbove() {
    QCPLegend* legend = plot_->legend;
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(2);
    plot_->plotLayout()->insertRow(0);
    plot_->plotLayout()->addElement(0, 0, legend);
    plot_->plotLayout()->setRowStretchFactor(0, 0.001);  // as high as it needs
}

void Plot::setPoints(const QVector<double>& x, const QVector<double>& y, const QString& name) {
    setSteps(x, y, name);
    QCPGraph* graph = plot_->graph(plot_->graphCount() - 1);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, point_size));
    applyColors();
}

void Plot::showSteps(double low, double high) {
    for (int i = 0; i < steps_.size(); ++i) {
        const auto& [x, y] = steps_[i];
        if (x.isEmpty()) continue;
        // one more step on either side, so that the curve reaches the border
        const qsizetype first =
            std::max<qsizetype>(0, std::lower_bound(x.begin(), x.end(), low) - x.begin() - 1);
        const qsizetype end =
            std::min(x.size(), std::upper_bound(x.begin(), x.end(), high) - x.begin() + 1);
        const qsizetype width =
            std::max<qsizetype>(1, (end - first + most_bundles - 1) / most_bundles);
        QVector<double> keys, values;
        // keeps the least and the largest value of each bundle, in their order
        for (qsizetype at = first; at < end; at += width) {
            const auto from = y.begin() + at, to = y.begin() + std::min(end, at + width);
            auto [least, most] = std::minmax_element(from, to);
            if (least > most) std::swap(least, most);
            for (const auto& value : {least, most}) {
                const double key = x[value - y.begin()];
                if (!keys.isEmpty() && keys.last() == key) continue;
                keys.append(key);
                values.append(*value);
            }
        }
        if (end == x.size() && keys.last() != x.last()) {
            keys.append(x.last());
            values.append(y.last());
        }
        plot_->graph(i)->setData(keys, values, true);
    }
}

void Plot::showKeys(double low, double high) {
    plot_->xAxis->setRange(low, high);
    replot();
}

void Plot::addLevel(double y, const QString& name) {
    QCPGraph* graph = plot_->addGraph();
    graph->setName(name);
    bool found = false;
    const QCPRange range =
        plot_->graphCount() > 1 ? plot_->graph(0)->getKeyRange(found) : QCPRange();
    graph->setData({found ? range.lower : 0, found ? range.upper : 1}, {y, y}, true);
    applyColors();
    fit();
}

void Plot::setPickable() {
    isPickable_ = true;
    setFocusPolicy(Qt::StrongFocus);
    connect(plot_, &QCustomPlot::mousePress, this,
            [this](QMouseEvent* event) { pressed_ = event->pos(); });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (event->button() == Qt::LeftButton) pick(event->pos());
    });
}

/// Of a click; a drag pans.
void Plot::pick(QPoint at) {
    if ((at - pressed_).manhattanLength() >= QApplication::startDragDistance()) return;
    if (!plot_->axisRect()->rect().contains(at)) return;
    setFocus(Qt::MouseFocusReason);
    emit picked(plot_->xAxis->pixelToCoord(at.x()));
}

void Plot::keyPressEvent(QKeyEvent* event) {
    constexpr int all = std::numeric_limits<int>::max();
    if (!isPickable_) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return emit stepped(-1);
    case Qt::Key_Right: return emit stepped(1);
    case Qt::Key_Home: return emit stepped(-all);
    case Qt::Key_End: return emit stepped(all);
    case Qt::Key_Return:
    case Qt::Key_Enter: return emit activated();
    default: QWidget::keyPressEvent(event);
    }
}

void Plot::setMark(std::optional<double> x) {
    if (x && !mark_) {
        mark_ = new QCPItemStraightLine(plot_);  // of the plot
        applyColors();
    }
    if (!mark_) return;
    mark_->setVisible(x.has_value());
    if (x) {
        mark_->point1->setCoords(*x, 0);
        mark_->point2->setCoords(*x, 1);
        const QCPRange shown = plot_->xAxis->range();
        if (!shown.contains(*x)) plot_->xAxis->moveRange(*x - shown.center());
    }
    replot();
}

void Plot::clear() {
    plot_->clearGraphs();
    steps_.clear();
    replot();
}

void Plot::replot() {
    if (isVisible()) plot_->replot(QCustomPlot::rpQueuedReplot);
    else stale_ = true;
}

void Plot::showEvent(QShowEvent* event) {
    if (stale_) plot_->replot(QCustomPlot::rpQueuedReplot);
    QWidget::showEvent(event);
}

void Plot::fit() {
    constexpr double all = std::numeric_limits<double>::max();
    showSteps(-all, all);
    plot_->rescaleAxes();
    plot_->yAxis->setRange(0, plot_->yAxis->range().upper * 1.15);
    replot();
}

void Plot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        applyColors();
        replot();
    }
}

void Plot::applyColors() {
    const ThemeColors& colors = themeColors(palette());
    const QColor text = palette().color(QPalette::Text);
    plot_->setBackground(QBrush(palette().color(QPalette::Base)));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setSubTickPen(QPen(colors.border));
        axis->setLabelColor(text);
        axis->setTickLabelColor(colors.mutedText);
        axis->setLabelFont(font());
        axis->setTickLabelFont(font());
        axis->grid()->setPen(QPen(colors.border, 0, Qt::DotLine));
    }
    if (mark_) mark_->setPen(QPen(text, 1));
    plot_->legend->setBrush(colors.card);
    plot_->legend->setBorderPen(QPen(colors.border));
    plot_->legend->setTextColor(text);
    plot_->legend->setFont(font());
    for (int i = 0; i < plot_->graphCount(); ++i) {
        QCPGraph* graph = plot_->graph(i);
        // painting thousands of steps takes a second with dashes, and tenths of a second with broad
        // lines and fills
        const bool isDense = graph->dataCount() > most_broad;
        graph->setPen(
            i == 0 ? QPen(colors.accent, isDense ? 1 : 2)
                   : QPen(colors.warning, isDense ? 1 : 2, isDense ? Qt::SolidLine : Qt::DashLine));
        // a third curve
        if (i > 1 && i < steps_.size() && !steps_[i].x.isEmpty())
            graph->setPen(QPen(
                text, 1,
                isDense || graph->lineStyle() == QCPGraph::lsNone ? Qt::SolidLine : Qt::DotLine));
        graph->setBrush(i == 0 && !isDense ? QBrush(colors.selection) : QBrush(Qt::NoBrush));
    }
}

}  // namespace lapidary::views
