// SPDX-License-Identifier: GPL-3.0-or-later
// Two models drawn side by side: which nodes stand for the same, which only one of them has, which
// differ.
#pragma once

#include <memory>
#include <vector>

#include <lapidary/base/progress.h>

#include "canvas/graph_look.h"
#include "canvas/graph_scene.h"

namespace lapidary::views {

/// Of a node from the one that stands for the same: there is none, or it has another operator,
/// attribute or weight.
enum class PairDifference : std::uint8_t { None, Alone, Changed };

/// One of the two.
struct PairSide {
    bool isFirst = true;
    GraphScenePtr scene;
    std::vector<PairDifference> difference;  // by leaf
    std::vector<BoxMark> marks;              // by box
    std::vector<OutlineIndex> counterpart;   // leaf of the other side by leaf; noIndex: it has none
    std::size_t alone = 0;                   // nodes that only this side has
};

struct PairDrawing {
    PairSide a, b;
    // nodes of both with another operator, attribute or weight
    std::size_t changed = 0;
    bool isSame() const { return a.alone + b.alone + changed == 0; }
};
using PairDrawingPtr = std::shared_ptr<const PairDrawing>;

/// Nodes are matched by the nodes of the opened model that they stand for (Node::origins).
/// `changesOnly`: groups without a difference are closed, those with one are open as far as both
/// stay drawable. Throws cancelled.
PairDrawingPtr drawPair(const ModelPtr& a, const ModelPtr& b, bool changesOnly,
                        const SceneOptions& options, const Progress& progress = {});

/// The side with other groups open.
PairSide drawSide(PairSide side, const GraphOutlinePtr& outline, OpenGroups open,
                  const SceneOptions& options);

}  // namespace lapidary::views
