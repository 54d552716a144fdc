// SPDX-License-Identifier: GPL-3.0-or-later
// Finds nodes: the search field, its marks, and opening the groups that hide a node.
#include <QSignalBlocker>

#include <algorithm>

#include "graph/graph_page.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// The leaf for a value: that of an input or output of the graph, else the producing node; for a
/// constant the first node that reads it.
OutlineIndex leafOfValue(const GraphOutline& outline, OutlineIndex place, ValueId value) {
    const auto isOutput = [&](const OutlineLeaf& leaf) {
        return leaf.kind == OutlineLeaf::Kind::Output && leaf.place == place && leaf.value == value;
    };
    if (const OutlineIndex tensor = outline.tensorOf(place, value); tensor != noIndex) {
        const OutlineIndex producer = outline.tensors()[tensor].producer;
        if (outline.leaves()[producer].kind == OutlineLeaf::Kind::Input) return producer;
        const auto output = std::ranges::find_if(outline.leaves(), isOutput);
        return output == outline.leaves().end() ? producer
                                                : OutlineIndex(output - outline.leaves().begin());
    }
    const Graph& graph = *outline.places()[place].graph;
    if (!graph.is_alive(value)) return noIndex;
    for (const Use& use : graph.value(value).uses)
        if (const OutlineIndex leaf = outline.leafOf(place, use.node); leaf != noIndex) return leaf;
    return noIndex;
}

}  // namespace

void GraphPage::refreshSearch() {
    const QString text = search_->text().trimmed().toLower();
    const FindQuery query(text);
    const bool table = asTable_->isChecked();
    table_->setFilter(table ? text : QString());
    matches_.clear();
    currentMatch_ = -1;
    if (!query.isEmpty() && outline_) {
        for (OutlineIndex leaf = 0; leaf < outline_->leaves().size(); ++leaf) {
            const OutlineLeaf& l = outline_->leaves()[leaf];
            if (l.constant && !constants_->isChecked()) continue;
            if (query.matches(subjectOf(l))) matches_.push_back(leaf);
        }
    }
    canvas_->setMatches(matches_);
    if (text.isEmpty() || !outline_) searchCount_->clear();
    else if (table)
        searchCount_->setText(table_->model().rowCount() == 1
                                  ? tr("1 row")
                                  : tr("%1 rows").arg(table_->model().rowCount()));
    else
        searchCount_->setText(matches_.empty()
                                  ? tr("none")
                                  : tr("%n found", nullptr, static_cast<int>(matches_.size())));
}

FindSubject GraphPage::subjectOf(const OutlineLeaf& leaf) const {
    FindSubject subject;
    subject.text = leaf.searchText;
    if (leaf.kind == OutlineLeaf::Kind::Node) {
        const Node& node = outline_->nodeOf(leaf);
        subject.op = labelText(node.qualified_op(), 120).toLower();
        subject.name = labelText(node.name, 400).toLower();
        if (costs_ && leaf.place == 0)
            if (const auto time = costs_->ms.find(leaf.node); time != costs_->ms.end())
                subject.ms = time->second;
    } else {
        subject.name = leaf.title.toLower();
        subject.type = leaf.detail.toLower();
    }
    return subject;
}

void GraphPage::search(const QString& query) {
    asTable_->setChecked(false);
    search_->setText(query);
    searchDelay_.stop();
    refreshSearch();
    if (!matches_.empty() || !outline_ || constants_->isChecked()) return;
    const FindQuery asked(query.trimmed().toLower());
    const bool isHidden =
        !asked.isEmpty() && std::ranges::any_of(outline_->leaves(), [&](const OutlineLeaf& leaf) {
            return leaf.constant && asked.matches(subjectOf(leaf));
        });
    if (!isHidden) return;
    constants_->setChecked(true);  // only constants match
    refreshSearch();
}

void GraphPage::markLeaves(const std::vector<OutlineIndex>& leaves, OutlineIndex current) {
    search({});
    matches_ = leaves;
    canvas_->setMatches(matches_, current);
    searchCount_->setText(tr("%1 marked").arg(matches_.size()));
}

void GraphPage::mark(const std::vector<NodeId>& nodes) {
    if (!outline_) return;
    std::vector<OutlineIndex> leaves;
    for (const NodeId node : nodes)
        if (const OutlineIndex leaf = outline_->leafOf(0, node); leaf != noIndex)
            leaves.push_back(leaf);
    leavePlace();
    markLeaves(leaves, noIndex);
    if (!leaves.empty()) reveal(leaves.front());
}

void GraphPage::stepSearch(int by) {
    if (matches_.empty()) return;
    leavePlace();
    const int count = static_cast<int>(matches_.size());
    currentMatch_ =
        currentMatch_ < 0 ? (by > 0 ? 0 : count - 1) : (currentMatch_ + by + count) % count;
    const OutlineIndex leaf = matches_[static_cast<std::size_t>(currentMatch_)];
    searchCount_->setText(tr("%1 of %2").arg(currentMatch_ + 1).arg(count));
    canvas_->setMatches(matches_, leaf);
    publishSelection({leaf, noIndex, noIndex});
    reveal(leaf);
}

/// Opens the groups around the leaf, shows constants where it is one, and puts it in the middle.
void GraphPage::reveal(OutlineIndex leaf) {
    const GraphScenePtr& scene = canvas_->scene();
    if (!scene || leaf == noIndex) return;
    const OutlineIndex box = scene->boxOfLeaf[leaf];
    if (box != noIndex && scene->boxes[box].leaf == leaf && !job_.isRunning())
        return canvas_->centreOn(box);
    if (outline_->leaves()[leaf].constant && !constants_->isChecked()) {
        const QSignalBlocker quiet(constants_);  // it is laid out below
        constants_->setChecked(true);
    }
    OpenGroups open = scene->open;
    for (OutlineIndex g = outline_->leaves()[leaf].group; g != noIndex;
         g = outline_->groups()[g].parent)
        open[g] = true;
    layOut(std::move(open), noIndex, [this, leaf] {
        if (canvas_->scene()) canvas_->centreOn(canvas_->scene()->boxOfLeaf[leaf]);
    });
}

void GraphPage::arrive() {
    arriveAt_ = workbench_.focus();
    if (isVisible()) arriveIfAsked();
}

/// Once the graph is drawn and shown.
void GraphPage::arriveIfAsked() {
    if (!arriveAt_ || !outline_ || !canvas_->scene()) return;
    const app::Focus wanted = *std::exchange(arriveAt_, std::nullopt), now = workbench_.focus();
    // something else was chosen since
    if (wanted.node != now.node || wanted.value != now.value || wanted.body != now.body) return;
    const OutlineIndex place = outline_->placeOf(wanted.body.get());
    if (place == noIndex) return;
    const OutlineIndex leaf = wanted.node    ? outline_->leafOf(place, wanted.node)
                              : wanted.value ? leafOfValue(*outline_, place, wanted.value)
                                             : noIndex;
    if (leaf == noIndex)
        return emit statusMessage(tr("What was found is not drawn in this graph."));
    leavePlace();
    markLeaves({leaf}, leaf);
    reveal(leaf);
}

}  // namespace lapidary::views
