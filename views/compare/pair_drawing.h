// SPDX-License-Identifier: GPL-3.0-or-later
// Two models drawn side by side: which nodes correspond, which exist in only one model, which
// differ.
#pragma once

#include <memory>
#include <vector>

#include <lapidary/base/progress.h>

#include "canvas/graph_look.h"
#include "canvas/graph_scene.h"

namespace lapidary::views {

/// How a node differs from the corresponding one of the other model. Alone: there is none. Changed:
/// that has another operator, attribute or weight.
enum class PairDifference : std::uint8_t { None, Alone, Changed };

/// One of the two models.
struct PairSide {
    bool isFirst = true;
    GraphScenePtr scene;
    std::vector<PairDifference> difference;  // by leaf
    std::vector<BoxMark> marks;              // by box
    std::vector<OutlineIndex>
        counterpart;        // corresponding leaf of the other side, by leaf; noIndex: none
    std::size_t alone = 0;  // nodes that only this side has
};

struct PairDrawing {
    PairSide a, b;
    // nodes that differ in operator, attribute or weight
    std::size_t changed = 0;
    bool isSame() const { return a.alone + b.alone + changed == 0; }
};
using PairDrawingPtr = std::shared_ptr<const PairDrawing>;

/// Nodes are matched by the nodes of the opened model that they stand for (Node::origins).
/// `changesOnly`: groups without a difference are closed, and those with one are open unless the
/// drawing becomes too large. Throws cancelled.
PairDrawingPtr drawPair(const ModelPtr& a, const ModelPtr& b, bool changesOnly,
                        const SceneOptions& options, const Progress& progress = {});

/// Draws the side with these groups open.
PairSide drawSide(PairSide side, const GraphOutlinePtr& outline, OpenGroups open,
                  const SceneOptions& options);

}  // namespace lapidary::views
