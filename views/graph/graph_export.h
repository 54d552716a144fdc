// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPagedPaintDevice>
#include <QPalette>
#include <QString>

#include "canvas/graph_canvas.h"
#include "canvas/graph_painter.h"

namespace lapidary::views {

/// Draws the whole scene into a file: ".svg", ".pdf" with one page that holds it, both with text as
/// text, or an image format of Qt by its ending. A page has 96 units an inch, more if a side were
/// longer than 200 inches, which viewers refuse. Images have two pixels per unit, fewer if that
/// exceeded 16000 pixels a side or 120 million in all. Call it on a worker thread. Throws
/// io_failure, invalid_input for an unknown ending.
void exportGraph(const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                 const GraphFonts& fonts, const QString& path);

/// Draws the part of the graph that the canvas shows on one page, as large as fits, with text as
/// text and in the colours of the light theme: on paper, or into a PDF file. The resolution of the
/// device is that of the canvas (logicalDpiX()), so that its fonts have the same size there. False:
/// the device took no page.
bool printSeen(GraphCanvas& canvas, QPagedPaintDevice& device);

}  // namespace lapidary::views
