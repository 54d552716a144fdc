// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected on the canvas: steps by arrow keys, Shift, the rubber band, the context menu.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <limits>
#include <utility>

#include "canvas/graph_canvas.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

void collectLeaves(const GraphOutline& outline, OutlineIndex group,
                   std::vector<OutlineIndex>& leaves) {
    const OutlineGroup& all = outline.groups()[group];
    leaves.insert(leaves.end(), all.leaves.begin(), all.leaves.end());
    for (const OutlineIndex inner : all.groups) collectLeaves(outline, inner, leaves);
}

void putOff(std::vector<OutlineIndex>& leaves, OutlineIndex leaf) {
    leaves.erase(std::remove(leaves.begin(), leaves.end(), leaf), leaves.end());
}

}  // namespace

std::vector<OutlineIndex> GraphSelection::leaves() const {
    std::vector<OutlineIndex> all = others;
    if (leaf != noIndex) all.push_back(leaf);
    return all;
}

void GraphCanvas::selectLeaves(const std::vector<OutlineIndex>& leaves) {
    GraphSelection selection;
    for (const OutlineIndex leaf : leaves) {
        putOff(selection.others, leaf);
        selection.others.push_back(leaf);
    }
    if (!selection.others.empty()) {
        selection.leaf = selection.others.back();
        selection.others.pop_back();
    }
    choose(selection);
}

/// What a box stands for: its node, input or output, or all that a closed group holds.
std::vector<OutlineIndex> GraphCanvas::leavesOfBox(OutlineIndex box) const {
    std::vector<OutlineIndex> leaves;
    if (box == noIndex) return leaves;
    const SceneBox& b = scene_->boxes[box];
    if (b.leaf != noIndex) leaves.push_back(b.leaf);
    else collectLeaves(*scene_->outline, b.group, leaves);
    return leaves;
}

/// Adds a box to what is selected; a group that is selected alone becomes what it holds.
void GraphCanvas::extendTo(OutlineIndex box) {
    std::vector<OutlineIndex> leaves = selection_.leaves();
    if (selection_.group != noIndex) collectLeaves(*scene_->outline, selection_.group, leaves);
    const std::vector<OutlineIndex> more = leavesOfBox(box);
    leaves.insert(leaves.end(), more.begin(), more.end());
    selectLeaves(leaves);
}

/// Shift and a click: a box that is selected leaves the selection, another one joins it.
void GraphCanvas::switchSelected(OutlineIndex box) {
    if (box == noIndex || scene_->boxes[box].open) return;
    if (!look_.isSelected(box)) return extendTo(box);
    std::vector<OutlineIndex> leaves = selection_.leaves();
    for (const OutlineIndex leaf : leavesOfBox(box)) putOff(leaves, leaf);
    selectLeaves(leaves);
}

/// Adds all cards that the area touches.
void GraphCanvas::selectWithin(const QRectF& area) {
    std::vector<std::uint32_t> found;
    scene_->boxGrid.find(area, found);
    std::sort(found.begin(), found.end());
    std::vector<OutlineIndex> leaves = selection_.leaves();
    if (selection_.group != noIndex) collectLeaves(*scene_->outline, selection_.group, leaves);
    for (const std::uint32_t box : found) {
        if (scene_->boxes[box].open || !scene_->boxes[box].rect().intersects(area)) continue;
        const std::vector<OutlineIndex> more = leavesOfBox(box);
        leaves.insert(leaves.end(), more.begin(), more.end());
    }
    update();
    if (!leaves.empty()) selectLeaves(leaves);
}

void GraphCanvas::paintBand(QPainter& painter) const {
    if (drag_ != Drag::Band) return;
    const ThemeColors& colors = themeColors(palette());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(colors.selection);
    painter.drawRect(QRectF(dragStart_, dragEnd_).normalized());
}

/// The line that a context menu is for; noIndex: none is there.
OutlineIndex GraphCanvas::lineForMenu(const QContextMenuEvent& event, OutlineIndex box) const {
    if (event.reason() != QContextMenuEvent::Mouse)
        return box == noIndex ? selection_.tensor : noIndex;
    const bool solid = box != noIndex && !scene_->boxes[box].open;
    return solid ? noIndex : tensorAt(event.pos());
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!scene_) return;
    OutlineIndex box =
        event->reason() == QContextMenuEvent::Mouse ? boxAt(event->pos()) : look_.selectedBox;
    const OutlineIndex line = lineForMenu(*event, box);
    if (line != noIndex) {
        box = noIndex;
        choose({noIndex, noIndex, line});
    } else if (box != noIndex && !look_.isSelected(box)) {
        choose(selectionAt(box));
    }
    QMenu menu(this);
    if (box != noIndex && scene_->isGroup(scene_->boxes[box])) {
        const OutlineIndex group = scene_->boxes[box].group;
        menu.addAction(scene_->boxes[box].open ? tr("Close group") : tr("Open group"), this,
                       [this, group] { emit groupToggled(group); });
    }
    if (box != noIndex || line != noIndex) {
        const QString text = box != noIndex ? describe(box) : describeTensor(line);
        menu.addAction(tr("Copy description"), this,
                       [text] { QApplication::clipboard()->setText(text); });
        if (box != noIndex)
            menu.addAction(tr("Zoom to selection"), this, &GraphCanvas::fitSelection);
        emit menuOpened(&menu);
        menu.addSeparator();
    }
    menu.addAction(tr("Fit all"), this, &GraphCanvas::fit);
    addOverlayActions(menu);
    menu.addSeparator();
    addPictureActions(menu, *this, QStringLiteral("graph"));
    giveMnemonics(menu);
    menu.exec(event->globalPos());
}

void GraphCanvas::step(int key, bool extends) {
    OutlineIndex box = look_.selectedBox;
    OutlineIndex next = noIndex;
    if (box == noIndex && selection_.tensor != noIndex)
        box = scene_->boxOfLeaf[scene_->outline->tensors()[selection_.tensor].producer];
    if (box == noIndex) {  // starts with the box nearest to the centre
        const QPointF middle = visibleArea().center();
        double nearest = std::numeric_limits<double>::max();
        for (OutlineIndex i = 0; i < scene_->boxes.size(); ++i) {
            if (scene_->boxes[i].open) continue;
            const QPointF d = scene_->boxes[i].rect().center() - middle;
            if (QPointF::dotProduct(d, d) < nearest) {
                nearest = QPointF::dotProduct(d, d);
                next = i;
            }
        }
    } else {
        const bool down = scene_->options.direction == LayoutDirection::down;
        const bool along = down ? key == Qt::Key_Up || key == Qt::Key_Down
                                : key == Qt::Key_Left || key == Qt::Key_Right;
        const bool back = key == Qt::Key_Up || key == Qt::Key_Left;
        next = along ? neighbour(box, back) : sibling(box, back ? -1 : 1);
    }
    if (next == noIndex) return;
    if (extends) extendTo(next);
    else choose(selectionAt(next));
    reveal(next);
}

}  // namespace lapidary::views
