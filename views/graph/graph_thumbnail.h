// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPalette>
#include <QString>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "canvas/graph_painter.h"

namespace lapidary::views {

/// Draws the graph of a model in at most `most` pixels; only its beginning if it is much longer
/// than wide. At most 150 boxes are laid out; larger scopes stay closed. May be called on any
/// thread. Throws invalid_input for a model without nodes, cancelled.
QImage thumbnailOf(const ModelPtr& model, const GraphFonts& fonts, const QPalette& palette,
                   QSize most, const Progress& progress = {});
/// Saves it as PNG, as a whole or not at all. Throws io_failure.
void saveThumbnail(const QImage& image, const QString& pictureFile);

/// Draws the graph of an ONNX model, in the colours of operator families, into a PNG as
/// thumbnailOf() makes it. On the GUI thread, for a program that does nothing else. Throws what
/// load_model() throws; io_failure; invalid_input for a model without nodes.
void drawThumbnail(const QString& modelFile, const QString& pictureFile, QSize most);

}  // namespace lapidary::views
