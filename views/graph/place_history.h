// SPDX-License-Identifier: GPL-3.0-or-later
// Where one was in the drawing of a graph, to go back and forward as in a browser.
#pragma once

#include <optional>
#include <vector>

#include "canvas/graph_canvas.h"

namespace lapidary::views {

/// What was open, selected and seen. It refers to the outline, so that it stays valid in other
/// scenes of it.
struct GraphPlace {
    OpenGroups open = {};
    GraphSelection selection = {};
    double scale = 1;
    // the box in the middle, by its leaf or group, and where its upper left corner was on the
    // canvas
    OutlineIndex leaf = noIndex, group = noIndex;
    QPointF at = {};
};

/// Requires a scene.
GraphPlace placeOf(const GraphCanvas& canvas);
/// Shows the part that was seen. Requires a scene of the same outline; if its groups are not open
/// as they were, the box that was in the middle, or holds it, is where it was.
void showPlace(GraphCanvas& canvas, const GraphPlace& place);

class PlaceHistory {
public:
    static constexpr std::size_t most = 100;  // places to go back to

    /// `place` is about to be left for a new one: what lay ahead is forgotten.
    void leave(GraphPlace place);
    /// The place before `now`, which becomes the next one ahead; nothing: there is none.
    std::optional<GraphPlace> back(GraphPlace now);
    std::optional<GraphPlace> forward(GraphPlace now);
    bool hasBack() const { return !behind_.empty(); }
    bool hasForward() const { return !ahead_.empty(); }
    /// Another outline is shown.
    void clear();

private:
    std::vector<GraphPlace> behind_, ahead_;  // the nearest last
};

}  // namespace lapidary::views
