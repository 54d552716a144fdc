// SPDX-License-Identifier: GPL-3.0-or-later
// How a line of a drawing steps aside between two of its points: in an S, straight along the
// drawing at both ends.
#pragma once

#include <QPointF>

namespace lapidary::views {

/// The point of the curve from `a` to `b`, of a drawing that runs down or to the right, at `t` of 0
/// to 1.
inline QPointF onCurve(const QPointF& a, const QPointF& b, bool vertical, double t) {
    const double across = t * t * (3 - 2 * t),
                 along = 1.5 * t * (1 - t) * (1 - t) + 1.5 * t * t * (1 - t) + t * t * t;
    return vertical ? QPointF(a.x() + (b.x() - a.x()) * across, a.y() + (b.y() - a.y()) * along)
                    : QPointF(a.x() + (b.x() - a.x()) * along, a.y() + (b.y() - a.y()) * across);
}

}  // namespace lapidary::views
