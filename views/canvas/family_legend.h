// SPDX-License-Identifier: GPL-3.0-or-later
// Where the legend of the operators' families lies.
#pragma once

#include <QFont>
#include <QPalette>
#include <QRectF>

#include "canvas/graph_scene.h"

namespace lapidary::views {

/// In a widget of that size; empty: nothing is drawn that has a family.
QRectF familyLegend(const GraphScene& scene, const QPalette& palette, const QFont& font, const QSizeF& widget);

}  // namespace lapidary::views
