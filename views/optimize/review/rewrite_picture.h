// SPDX-License-Identifier: GPL-3.0-or-later
// A rewrite as two small drawings: the nodes that it took, made or changed with their neighbours,
// before it and after it. Plain data, made on worker threads.
#pragma once

#include <QPainter>
#include <QString>

#include <cstdint>
#include <utility>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "theme/theme.h"

namespace lapidary::views {

/// What a node has to do with the rewrite.
enum class PicturePart : std::uint8_t {
    neighbour,  // it writes what one of the others reads, or reads what one writes
    removed,
    added,
    changed  // it stays, with another operator, attribute, input or output
};

struct PictureNode {
    QString op;  // without its domain
    OperatorFamily family = OperatorFamily::other;
    PicturePart part = PicturePart::neighbour;
    int layer = 0, place = 0;  // from the top; from the left within the layer
};

/// The graph on one side of the rewrite, in layers: each node stands below those it reads from.
struct GraphPicture {
    std::vector<PictureNode> nodes;
    std::vector<std::pair<std::size_t, std::size_t>> lines;  // from and to, of nodes
    std::vector<int> layers;                                 // number of nodes in each
    std::size_t left_out = 0;  // nodes of the rewrite for which there is no room
};

struct RewritePicture {
    GraphPicture before, after;
    QString problem;  // why there are none; empty: there are
};

/// The most layers of a picture, nodes of a layer, and neighbours on each side.
inline constexpr int most_picture_layers = 7, most_picture_places = 3, most_picture_neighbours = 2;

/// `before`, `after`: the models on both sides of the rewrite, in which its ids are valid. Empty
/// pictures where the graph of the rewrite is not in them.
RewritePicture pictureOf(const Model& before, const Model& after, const AppliedRewrite& applied);

/// "Div, Erf, Add": the operators of the rewrite itself in the picture, from the top.
QString operatorsOf(const GraphPicture& picture);

/// Draws one side into the area: what goes dashed in red with a minus, what comes in green with a
/// plus, what is changed with a tilde, neighbours pale.
void paintPicture(QPainter& painter, const GraphPicture& picture, const QRectF& area,
                  const QPalette& palette);

}  // namespace lapidary::views
