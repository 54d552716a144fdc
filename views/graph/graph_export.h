// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include "canvas/graph_painter.h"

namespace lapidary::views {

/// Draws the whole scene into a file: ".svg", or an image format of Qt by its ending. Images have
/// two pixels per unit, fewer if that exceeded 16000 pixels a side or 120 million in all. Call it
/// on a worker thread. Throws io_failure, invalid_input for an unknown ending.
void exportGraph(const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                 const GraphFonts& fonts, const QString& path);

}  // namespace lapidary::views
