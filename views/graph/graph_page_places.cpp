// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to parts of the drawing: back and forward through the places where one was, bookmarks, and
// to a group.
#include <QAction>

#include <algorithm>
#include <utility>

#include "graph/graph_extract.h"
#include "graph/graph_page.h"

namespace lapidary::views {

void GraphPage::makePlaceActions() {
    back_ = addAction(tr("Back"), QStringLiteral("previous"), QKeySequence(Qt::ALT | Qt::Key_Left),
                      tr("Show the part of the graph that was seen before"));
    forward_ =
        addAction(tr("Forward"), QStringLiteral("next"), QKeySequence(Qt::ALT | Qt::Key_Right),
                  tr("Show the part of the graph that was left by Back"));
    QAction* bookmark = addAction(tr("Bookmark"), {}, QKeySequence(Qt::CTRL | Qt::Key_B),
                                  tr("Set or remove a bookmark at the selected nodes"));
    QAction* bookmarks = addAction(
        tr("Mark the bookmarks"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
        tr("Mark the nodes with bookmarks; Enter in the search field steps through them"));
    for (QAction* action : {back_, forward_, bookmark, bookmarks})
        action->setProperty("menuPath", QStringList{tr("Places")});
    connect(bookmark, &QAction::triggered, this, &GraphPage::switchBookmarks);
    connect(bookmarks, &QAction::triggered, this, &GraphPage::markBookmarks);
    connect(back_, &QAction::triggered, this, [this] {
        if (canvas_->scene() && !job_.isRunning()) goTo(history_.back(placeOf(*canvas_)));
    });
    connect(forward_, &QAction::triggered, this, [this] {
        if (canvas_->scene() && !job_.isRunning()) goTo(history_.forward(placeOf(*canvas_)));
    });
}

/// Remembers what is seen, because a jump to another part follows. Of the jumps while another page
/// is shown only the first one leaves what was seen.
void GraphPage::leavePlace() {
    if (!outline_ || !canvas_->scene()) return;
    if (!canvas_->isVisible() && std::exchange(isUnseen_, true)) return;
    history_.leave(placeOf(*canvas_));
    refreshActions();
}

/// Selected nodes get bookmarks; if all have one, those are removed.
void GraphPage::switchBookmarks() {
    const std::vector<NodeId> nodes =
        outline_ ? nodesOf(*outline_, {.leaf = canvas_->selection().leaf,
                                       .others = canvas_->selection().others})
                 : std::vector<NodeId>();
    if (nodes.empty()) return emit statusMessage(tr("Choose a node of the graph first."));
    const auto hasOne = [this](NodeId node) {
        return std::ranges::find(bookmarks_, node, [](const auto& each) { return each.first; }) !=
               bookmarks_.end();
    };
    const bool haveAll = std::ranges::all_of(nodes, hasOne);
    for (const NodeId node : nodes) {
        std::erase_if(bookmarks_, [node](const auto& each) { return each.first == node; });
        if (!haveAll) bookmarks_.emplace_back(node, outline_->model()->graph.node(node).describe());
    }
    emit statusMessage(tr("Bookmarks: %1").arg(bookmarks_.size()));
}

void GraphPage::markBookmarks() {
    std::vector<NodeId> nodes;
    if (outline_)
        for (const auto& [node, name] : bookmarks_) {
            const Graph& graph = outline_->model()->graph;
            if (graph.is_alive(node) && graph.node(node).describe() == name) nodes.push_back(node);
        }
    if (nodes.empty())
        return emit statusMessage(tr("There is no bookmark here yet; Places ▸ Bookmark sets one."));
    mark(nodes);
}

void GraphPage::goTo(const std::optional<GraphPlace>& place) {
    if (!place) return refreshActions();
    const auto arrive = [this, place = *place] {
        if (!canvas_->scene()) return;
        publishSelection(place.selection);
        showPlace(*canvas_, place);
        refreshActions();
    };
    if (canvas_->scene()->open == place->open) return arrive();
    layOut(place->open, noIndex, arrive);
}

void GraphPage::showGroup(OutlineIndex group) {
    if (!outline_ || !canvas_->scene() || group >= outline_->groups().size()) return;
    leavePlace();
    OpenGroups open = canvas_->scene()->open;
    for (OutlineIndex around = outline_->groups()[group].parent; around != noIndex;
         around = outline_->groups()[around].parent)
        open[around] = true;
    const auto arrive = [this, group] {
        const GraphScenePtr& scene = canvas_->scene();
        if (!scene || scene->boxOfGroup[group] == noIndex) return;
        const OutlineGroup& shown = outline_->groups()[group];
        // control flow is selected as its node
        if (shown.leaf != noIndex) publishSelection({.leaf = shown.leaf});
        else publishSelection({.group = group});
        canvas_->centreOn(scene->boxOfGroup[group]);
        refreshActions();
    };
    if (canvas_->scene()->open == open && !job_.isRunning()) return arrive();
    layOut(std::move(open), noIndex, arrive);
}

}  // namespace lapidary::views
