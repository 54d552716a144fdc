// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the graph after one rewrite, with the positions of StepPlaces.
#pragma once

#include "optimize/step_places.h"

namespace lapidary::views {

/// Boxes with other centres, by key.
using MovedBoxes = std::unordered_map<std::string, QPointF>;

/// Lines between boxes at their original places keep their route; others are straight. Throws
/// cancelled.
GraphScenePtr drawStep(GraphOutlinePtr outline, const StepPlaces& places,
                       const MovedBoxes& moved = {}, const CancelToken& cancel = {});

}  // namespace lapidary::views
