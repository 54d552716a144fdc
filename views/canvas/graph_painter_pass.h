// SPDX-License-Identifier: GPL-3.0-or-later
// What stays the same during one GraphPainter::paint().
#pragma once

#include "canvas/graph_painter.h"

namespace lapidary::views {

struct GraphPainter::Pass {
    QPainter& painter;
    const GraphScene& scene;
    const GraphLook& look;
    const QPalette& palette;
    const ThemeColors& colors;
    QRectF area;  // scene coordinates
    double scale;
    Detail detail;
    bool vertical;  // the drawing runs down
    bool dark;
};

}  // namespace lapidary::views
