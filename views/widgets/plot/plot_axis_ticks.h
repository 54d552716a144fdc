// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of plots that stand where the quantity of an axis has values.
#pragma once

#include <QSharedPointer>
#include <QStringList>

class QCPAxisTicker;

namespace lapidary::views {

/// What an axis counts.
enum class AxisKind {
    number,  // any number
    count,   // whole things: a tick at a whole number only
    bytes    // given in bytes, labelled in the unit that fits the range: "4 kB"
};
QSharedPointer<QCPAxisTicker> makeAxisTicker(AxisKind kind);
/// The labels of an axis from `low` to `high`.
QStringList axisLabels(AxisKind kind, double low, double high);

}  // namespace lapidary::views
