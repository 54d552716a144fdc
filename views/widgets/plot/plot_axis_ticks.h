// SPDX-License-Identifier: GPL-3.0-or-later
// Axis ticks at values that the quantity of the axis can have.
#pragma once

#include <QSharedPointer>
#include <QStringList>

class QCPAxisTicker;

namespace lapidary::views {

/// The kind of quantity on an axis.
enum class AxisKind {
    number,  // any number
    count,   // whole numbers, with ticks only there
    bytes,   // bytes, with labels in the unit that fits the range: "4 kB"
    share    // powers of ten: at share_axis_decades is 1, one below it is 1e-1, at 0 is 0
};
inline constexpr int share_axis_decades = 10;
QSharedPointer<QCPAxisTicker> makeAxisTicker(AxisKind kind);
/// The labels of an axis from `low` to `high`.
QStringList axisLabels(AxisKind kind, double low, double high);

}  // namespace lapidary::views
