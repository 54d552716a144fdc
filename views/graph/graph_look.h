// SPDX-License-Identifier: GPL-3.0-or-later
// How a scene is to look: colours by what, what is selected, what was found.
#pragma once

#include <QColor>
#include <QPalette>

#include <memory>
#include <vector>

#include "graph/graph_outline.h"
#include "theme.h"

namespace lapidary::views {

enum class ColorBy { None, Type, Value };

/// A number for some leaves, e.g. the milliseconds a node took. Groups show the sum of what they hold.
struct LeafValues {
    QString title, unit;                 // "Time", "ms"
    std::vector<float> byLeaf;           // NaN: no number
};
using LeafValuesPtr = std::shared_ptr<const LeafValues>;

struct GraphLook {
    ColorBy colorBy = ColorBy::Type;
    OutlineIndex selectedBox = noIndex, hoverBox = noIndex, selectedTensor = noIndex;
    OutlineIndex currentMatch = noIndex;      // box
    std::vector<bool> matches;                // by box; empty: no search
    std::vector<float> heat;                  // by box, 0..1, NaN: no number; empty: no numbers
    bool hasKeyboard = false;
};

/// Colour of a share 0..1: pale for little, strong for much, in the theme of the palette.
QColor heatColor(double share, const QPalette& palette);
/// `a` with `share` of `b`.
QColor mixed(const QColor& a, const QColor& b, double share);
/// Black or white, whichever reads better on `fill`.
QColor readableOn(const QColor& fill);

}  // namespace lapidary::views
