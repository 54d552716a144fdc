// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

namespace lapidary::views {

/// Draws the graph of an ONNX model, in the colours of operator families, into a PNG of at most `most` pixels: of a
/// graph much taller than wide its beginning. At most 150 boxes are laid out; larger scopes stay closed. On the GUI
/// thread, for a program that does nothing else. Throws what load_model() throws; io_failure; invalid_input for a model
/// without nodes.
void drawThumbnail(const QString& modelFile, const QString& pictureFile, QSize most);

}  // namespace lapidary::views
