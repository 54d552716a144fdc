// SPDX-License-Identifier: GPL-3.0-or-later
// Latency against throughput of settings that were measured, and which of them no other one beats.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

#include <lapidary/bench/sweep.h>

#include "workbench/tuning/engine_beside.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {

/// A setting that was measured.
struct TradeOffPoint {
    double latencyMs = 0;      // median time of a run
    double perSecond = 0;      // inferences
    int series = 0;            // into TradeOff::series
    std::ptrdiff_t cell = -1;  // of the sweep that is shown; -1: of another series
    QString title;             // "2 threads, batch 4, All"
    QString text;              // all that is known of it, in several lines
    /// No other point takes at most as long and gives at least as many inferences per second.
    bool isOnFrontier = false;
    bool isRecommended = false;
};

/// Points of the sweep that is shown, of the user's ONNX Runtime beside it, and of other sweeps of
/// the model, in this order.
struct TradeOff {
    QStringList series;  // names; those without a point are left out
    std::vector<TradeOffPoint> points;

    std::size_t onFrontier() const;
    /// The point with the most inferences per second that takes at most `latencyMs`; null: none.
    const TradeOffPoint* bestWithin(double latencyMs) const;
    const TradeOffPoint* fastest() const;  // null: there are no points
};

/// `name`: of what `result` measured. `beside`: measured with its recommended setting.
TradeOff tradeOffOf(const SweepResult& result, const QString& name,
                    const app::EngineBeside::Found& beside,
                    const std::vector<app::OtherSweep>& others);

}  // namespace lapidary::views
