// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/trade_off.h"

#include <QCoreApplication>

#include <algorithm>

#include "tune/tune_figures.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

struct TradeOffText {
    Q_DECLARE_TR_FUNCTIONS(TradeOff)
};

/// Adds the cells that are done as a series of this name.
void addSweep(TradeOff& all, const SweepResult& result, const QString& name, bool isShown) {
    const int series = int(all.series.size());
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const FigureValue latency = figureOf(result.cells, i, TuneFigure::median),
                          rate = figureOf(result.cells, i, TuneFigure::throughput);
        if (!latency.known || !rate.known) continue;
        TradeOffPoint point;
        point.latencyMs = latency.value;
        point.perSecond = rate.value;
        point.series = series;
        point.cell = isShown ? std::ptrdiff_t(i) : -1;
        point.title = titleOf(result.cells[i].configuration);
        point.text = name + u'\n' + describe(result.cells, i, result.machine.cores);
        point.isRecommended = isShown && result.recommendation.cell == std::ptrdiff_t(i);
        if (all.series.size() == series) all.series << name;
        all.points.push_back(std::move(point));
    }
}

/// ONNX Runtime with the recommended setting. It takes as many rows in a run as this engine does.
void addBeside(TradeOff& all, const SweepResult& result, const app::EngineBeside::Found& beside) {
    const std::ptrdiff_t best = result.recommendation.cell;
    if (!beside.isKnown() || beside.theirs.median <= 0 || best < 0 ||
        std::size_t(best) >= result.cells.size())
        return;
    const auto cell = std::size_t(best);
    const FigureValue latency = figureOf(result.cells, cell, TuneFigure::median),
                      rate = figureOf(result.cells, cell, TuneFigure::throughput);
    if (!latency.known || !rate.known) return;
    const QString name = TradeOffText::tr("your ONNX Runtime");
    TradeOffPoint point;
    point.latencyMs = beside.theirs.median;
    point.perSecond = rate.value * latency.value / beside.theirs.median;
    point.series = int(all.series.size());
    point.title = titleOf(result.cells[cell].configuration);
    point.text =
        QStringList{
            name, point.title,
            QStringLiteral("%1: %2").arg(
                nameOf(TuneFigure::median),
                formatMedian(beside.theirs.median, beside.theirs.low, beside.theirs.high)),
            QStringLiteral("%1: %2").arg(nameOf(TuneFigure::throughput),
                                         figureText(TuneFigure::throughput, point.perSecond))}
            .join(u'\n');
    all.series << name;
    all.points.push_back(std::move(point));
}

void markFrontier(std::vector<TradeOffPoint>& points) {
    std::vector<TradeOffPoint*> order;
    for (TradeOffPoint& point : points) order.push_back(&point);
    std::ranges::stable_sort(order, [](const TradeOffPoint* a, const TradeOffPoint* b) {
        return a->latencyMs != b->latencyMs ? a->latencyMs < b->latencyMs
                                            : a->perSecond > b->perSecond;
    });
    double most = 0;
    for (TradeOffPoint* point : order) {
        point->isOnFrontier = point->perSecond > most;
        most = std::max(most, point->perSecond);
    }
}

}  // namespace

std::size_t TradeOff::onFrontier() const {
    return std::size_t(std::ranges::count(points, true, &TradeOffPoint::isOnFrontier));
}

const TradeOffPoint* TradeOff::bestWithin(double latencyMs) const {
    const TradeOffPoint* best = nullptr;
    for (const TradeOffPoint& point : points)
        if (point.latencyMs <= latencyMs && (!best || point.perSecond > best->perSecond))
            best = &point;
    return best;
}

const TradeOffPoint* TradeOff::fastest() const {
    const auto least = std::ranges::min_element(points, {}, &TradeOffPoint::latencyMs);
    return least == points.end() ? nullptr : &*least;
}

TradeOff tradeOffOf(const SweepResult& result, const QString& name,
                    const app::EngineBeside::Found& beside,
                    const std::vector<app::OtherSweep>& others) {
    TradeOff all;
    addSweep(all, result, name, true);
    addBeside(all, result, beside);
    for (const app::OtherSweep& other : others) addSweep(all, *other.result, other.name, false);
    markFrontier(all.points);
    return all;
}

}  // namespace lapidary::views
