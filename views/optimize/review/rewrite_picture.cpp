// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/review/rewrite_picture.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <lapidary/graph/graph_path.h>
#include <lapidary/graph/model.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

using Parts = std::map<NodeId, PicturePart>;

/// The nodes that write what a node reads, in its own graph.
std::vector<NodeId> writersOf(const Graph& graph, const Node& node) {
    std::vector<NodeId> writers;
    for (const auto* read : {&node.inputs, &node.captures})
        for (const ValueId value : *read)
            if (value && graph.value(value).producer)
                writers.push_back(graph.value(value).producer);
    return writers;
}

std::vector<NodeId> readersOf(const Graph& graph, const Node& node) {
    std::vector<NodeId> readers;
    for (const ValueId value : node.outputs) {
        if (!value) continue;
        for (const Use& use : graph.value(value).uses) readers.push_back(use.node);
        const auto& captured = graph.value(value).captured_by;
        readers.insert(readers.end(), captured.begin(), captured.end());
    }
    return readers;
}

/// Adds the first nodes around those of the rewrite, as the graph has them on one side of it. Those
/// that the other side has added count.
void addNeighbours(const Graph& graph, const Parts& touched, Parts& parts) {
    std::unordered_set<NodeId> writers, readers;
    const auto add = [&](const std::vector<NodeId>& nodes, std::unordered_set<NodeId>& added) {
        for (const NodeId id : nodes) {
            if (added.size() >= std::size_t(most_picture_neighbours)) return;
            if (parts.emplace(id, PicturePart::neighbour).first->second == PicturePart::neighbour)
                added.insert(id);
        }
    };
    for (const auto& [id, part] : touched) {
        if (!graph.is_alive(id)) continue;
        add(writersOf(graph, graph.node(id)), writers);
        add(readersOf(graph, graph.node(id)), readers);
    }
}

GraphPicture sideOf(const Graph& graph, const Parts& parts) {
    GraphPicture picture;
    std::unordered_map<NodeId, std::size_t> drawn;
    std::unordered_set<NodeId> leftOut;      // what reads from them is left out too
    for (const NodeId id : graph.nodes()) {  // each after those it reads from
        const auto part = parts.find(id);
        if (part == parts.end()) continue;
        const Node& node = graph.node(id);
        std::vector<std::size_t> above;
        int layer = 0;
        bool hasRoom = true;
        for (const NodeId writer : writersOf(graph, node)) {
            hasRoom = hasRoom && !leftOut.contains(writer);
            const auto at = drawn.find(writer);
            if (at == drawn.end() || std::ranges::find(above, at->second) != above.end()) continue;
            above.push_back(at->second);
            layer = std::max(layer, picture.nodes[at->second].layer + 1);
        }
        const bool isNew = layer >= int(picture.layers.size());
        if (!hasRoom || layer >= most_picture_layers ||
            (!isNew && picture.layers[std::size_t(layer)] >= most_picture_places)) {
            picture.left_out += part->second != PicturePart::neighbour;
            leftOut.insert(id);
            continue;
        }
        if (isNew) picture.layers.push_back(0);
        const std::string op = node.qualified_op();
        const QString shown = withoutDomain(labelText(op));
        for (const std::size_t from : above) picture.lines.emplace_back(from, picture.nodes.size());
        drawn.emplace(id, picture.nodes.size());
        picture.nodes.push_back(
            {shown, family_of(op), part->second, layer, picture.layers[std::size_t(layer)]++});
    }
    return picture;
}

QString signOf(PicturePart part) {
    switch (part) {
    case PicturePart::removed: return QString(QChar(0x2212)) + u' ';
    case PicturePart::added: return QStringLiteral("+ ");
    case PicturePart::changed: return QStringLiteral("~ ");
    case PicturePart::neighbour: break;
    }
    return {};
}

QPen frameOf(PicturePart part, const ThemeColors& colors) {
    switch (part) {
    case PicturePart::removed: return QPen(colors.error, 1.5, Qt::DashLine);
    case PicturePart::added: return QPen(colors.good, 1.5);
    case PicturePart::changed: return QPen(colors.warning, 1.5);
    case PicturePart::neighbour: break;
    }
    return QPen(colors.border, 1);
}

}  // namespace

RewritePicture pictureOf(const Model& before, const Model& after, const AppliedRewrite& applied) {
    const Graph* const old = find_graph(before.graph, applied.place);
    const Graph* const now = find_graph(after.graph, applied.place);
    RewritePicture picture;
    if (!old || !now) return picture;
    Parts touched;
    for (const NodeId id : applied.rewrite.removed) touched.emplace(id, PicturePart::removed);
    for (const NodeId id : applied.rewrite.added) touched.emplace(id, PicturePart::added);
    for (const NodeId id : applied.rewrite.changed) touched.emplace(id, PicturePart::changed);
    Parts parts = touched;
    addNeighbours(*old, touched, parts);
    addNeighbours(*now, touched, parts);
    picture.before = sideOf(*old, parts);
    picture.after = sideOf(*now, parts);
    return picture;
}

QString operatorsOf(const GraphPicture& picture) {
    QStringList ops;
    for (const PictureNode& node : picture.nodes)
        if (node.part != PicturePart::neighbour) ops << node.op;
    return ops.join(QStringLiteral(", "));
}

void paintPicture(QPainter& painter, const GraphPicture& picture, const QRectF& area,
                  const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    const QFontMetricsF metrics(painter.font());
    if (picture.layers.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(area, Qt::AlignCenter, QString(QChar(0x2013)));
        return;
    }
    QRectF room = area;
    if (picture.left_out > 0) {
        room.setBottom(area.bottom() - metrics.height());
        painter.setPen(colors.mutedText);
        painter.drawText(
            QRectF(area.left(), room.bottom(), area.width(), metrics.height()), Qt::AlignCenter,
            QCoreApplication::translate("RewritePicture", "and %1 more").arg(picture.left_out));
    }
    const double layers = double(picture.layers.size());
    const double step = std::min(room.height() / layers, metrics.height() + 16);
    const double height = std::min(metrics.height() + 4, step - 4);
    const double top = room.top() + (room.height() - step * layers) / 2;
    std::vector<QRectF> boxes;
    std::vector<QString> texts;
    for (const PictureNode& node : picture.nodes) {
        const double slot = room.width() / picture.layers[std::size_t(node.layer)];
        texts.push_back(painter.fontMetrics().elidedText(signOf(node.part) + node.op,
                                                         Qt::ElideRight, int(slot) - 12));
        const double width = std::min(slot - 4, metrics.horizontalAdvance(texts.back()) + 10);
        boxes.emplace_back(room.left() + slot * (node.place + 0.5) - width / 2,
                           top + step * node.layer + (step - height) / 2, width, height);
    }
    painter.setPen(QPen(colors.mutedText, 1));
    for (const auto& [from, to] : picture.lines)
        painter.drawLine(QPointF(boxes[from].center().x(), boxes[from].bottom()),
                         QPointF(boxes[to].center().x(), boxes[to].top()));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const PictureNode& node = picture.nodes[i];
        const bool isPale = node.part == PicturePart::neighbour;
        painter.setBrush(colors.card);
        painter.setPen(frameOf(node.part, colors));
        painter.drawRoundedRect(boxes[i], 4, 4);
        if (!isPale) {  // the colour that the operator has in the graph
            painter.setPen(Qt::NoPen);
            painter.setBrush(operatorColor(node.family, palette));
            painter.drawRect(QRectF(boxes[i].left() + 1, boxes[i].top() + 3, 3, height - 6));
        }
        painter.setPen(isPale ? colors.mutedText : palette.color(QPalette::Text));
        painter.drawText(boxes[i], Qt::AlignCenter, texts[i]);
    }
}

}  // namespace lapidary::views
