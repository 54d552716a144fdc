// SPDX-License-Identifier: GPL-3.0-or-later
// The S-shaped curve between two points of a line that are not above each other. Both ends run
// along the drawing's direction.
#pragma once

#include <QPointF>

namespace lapidary::views {

/// The point at `t`, 0 to 1, of the curve from `a` to `b`. `vertical`: the drawing runs down, else
/// to the right.
inline QPointF onCurve(const QPointF& a, const QPointF& b, bool vertical, double t) {
    const double across = t * t * (3 - 2 * t),
                 along = 1.5 * t * (1 - t) * (1 - t) + 1.5 * t * t * (1 - t) + t * t * t;
    return vertical ? QPointF(a.x() + (b.x() - a.x()) * across, a.y() + (b.y() - a.y()) * along)
                    : QPointF(a.x() + (b.x() - a.x()) * along, a.y() + (b.y() - a.y()) * across);
}

}  // namespace lapidary::views
