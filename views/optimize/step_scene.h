// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one graph between two rewrites at the places that StepPlaces gives.
#pragma once

#include "optimize/step_places.h"

namespace lapidary::views {

/// Boxes whose middle is to be elsewhere, by key.
using MovedBoxes = std::unordered_map<std::string, QPointF>;

/// Lines between boxes that stand where the original has them keep their route; others run
/// straight. Throws cancelled.
GraphScenePtr drawStep(GraphOutlinePtr outline, const StepPlaces& places,
                       const MovedBoxes& moved = {}, const CancelToken& cancel = {});

}  // namespace lapidary::views
