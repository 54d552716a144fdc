// SPDX-License-Identifier: Apache-2.0
// What GraphEdit records about its edits: one Rewrite per record(), with the nodes of the original
// that it touched, and what exporters say of these.
#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <lapidary/graph/graph_edit.h>

#include "graph/merged_metadata.h"

namespace lapidary {
namespace {

/// Both lists ascending, each id once. The longer one is kept, not copied: a chain of rewrites,
/// each of which takes in one more node, joins ever longer lists with short ones.
void join_ids(std::vector<NodeId>& ids, std::vector<NodeId> more) {
    // Recorded lists are ascending; a caller of set_origins() may give one in any order.
    if (!std::ranges::is_sorted(std::span(more).first(std::min<std::size_t>(more.size(), 64))))
        std::ranges::sort(more);
    if (more.size() > ids.size()) ids.swap(more);
    for (NodeId id : more)
        if (const auto at = std::ranges::lower_bound(ids, id); at == ids.end() || *at != id)
            ids.insert(at, id);
}

/// Gives added nodes without metadata those of the nodes that they replace: of the one with the
/// same name where several were added, else of all of them, merged.
void hand_on_metadata(const std::vector<const Node*>& replaced, const std::vector<Node*>& added) {
    if (replaced.empty()) return;
    std::unordered_map<std::string_view, const Node*> by_name;
    if (added.size() > 1)
        for (const Node* const old : replaced)
            if (!old->name.empty()) by_name.emplace(old->name, old);
    std::vector<const StringPairs*> all;
    for (const Node* const old : replaced) all.push_back(&old->metadata);
    StringPairs merged;
    for (Node* const node : added) {
        if (!node->metadata.empty()) continue;
        if (const auto same = by_name.find(node->name); same != by_name.end()) {
            node->metadata = same->second->metadata;
            continue;
        }
        if (merged.empty()) merged = merged_metadata(all);
        node->metadata = merged;
    }
}

/// Metadata for a node that was inserted: of the node whose output it reads, else of one that reads
/// its output.
StringPairs metadata_beside(const Graph& graph, const Node& inserted) {
    for (ValueId id : inserted.inputs)
        if (const NodeId producer = id ? graph.value(id).producer : NodeId{};
            producer && !graph.node(producer).metadata.empty())
            return graph.node(producer).metadata;
    for (ValueId id : inserted.outputs) {
        if (!id) continue;
        for (const Use& use : graph.value(id).uses)
            if (!graph.node(use.node).metadata.empty()) return graph.node(use.node).metadata;
    }
    return {};
}

}  // namespace

/// Nodes added since the last record() have the highest ids.
void GraphEdit::note_change(NodeId id) {
    if (pending_.added.empty() || id < pending_.added.front()) pending_.changed.push_back(id);
}

/// Added and erased within one rewrite leaves no trace; its origins still count.
void GraphEdit::note_removal(NodeId id, std::vector<NodeId> origins) {
    pending_.removed.push_back(id);
    join_ids(removed_origins_, std::move(origins));
}

void GraphEdit::set_origins(NodeId node, std::vector<NodeId> origins) {
    described_node(node).origins = std::move(origins);
}

/// Fills Rewrite::changed and its origins in, before those of what was removed go to what was
/// added.
void GraphEdit::collect_origins() {
    // A chain of rewrites, each of which takes in one more node, would keep a list of all nodes for
    // each of them.
    constexpr std::size_t always_kept = 64, kept_in_all = std::size_t(1) << 20;
    std::vector<NodeId>& changed = pending_.changed;
    std::ranges::sort(changed);
    changed.erase(std::ranges::unique(changed).begin(), changed.end());
    std::erase_if(changed, [&](NodeId id) { return !graph_.is_alive(id); });
    const auto most = [&](std::size_t count) {
        return count <= always_kept || origins_kept_ + count <= kept_in_all ? count : always_kept;
    };
    pending_.origin_count = removed_origins_.size();
    const auto first = removed_origins_.begin();
    pending_.origins.assign(first,
                            first + static_cast<std::ptrdiff_t>(most(removed_origins_.size())));
    const auto take = [&](NodeId id) {
        const std::size_t count = graph_.node(id).origins.size();
        pending_.origin_count = std::max(pending_.origin_count, count);
        if (most(count) < count) return;
        std::vector<NodeId> origins = graph_.node(id).origins;
        std::erase_if(origins, [&](NodeId origin) {
            return std::ranges::binary_search(pending_.added, origin);
        });
        join_ids(pending_.origins, std::move(origins));
    };
    for (NodeId id : changed) take(id);
    for (NodeId id : pending_.added) take(id);
    pending_.origin_count = std::max(pending_.origin_count, pending_.origins.size());
    origins_kept_ += pending_.origins.size();
}

const Rewrite& GraphEdit::record(std::string remark, bool settle) {
    if (settle) finish();
    std::vector<NodeId> added = pending_.added, transient;
    std::ranges::sort(added);
    std::ranges::copy_if(pending_.removed, std::back_inserter(transient),
                         [&](NodeId id) { return std::ranges::binary_search(added, id); });
    if (!transient.empty()) {
        std::ranges::sort(transient);
        const auto is_transient = [&](NodeId id) {
            return std::ranges::binary_search(transient, id);
        };
        std::erase_if(pending_.removed, is_transient);
        std::erase_if(pending_.added, is_transient);
        std::erase_if(removed_origins_, is_transient);
    }
    collect_origins();
    if (!removed_origins_.empty() && !pending_.added.empty()) {
        for (NodeId id : std::span(pending_.added).subspan(1))
            graph_.nodes_[id.index].origins = removed_origins_;
        graph_.nodes_[pending_.added.front().index].origins = std::move(removed_origins_);
    }
    // Slots of erased nodes keep their metadata.
    std::vector<const Node*> replaced;
    const auto collect = [&](std::vector<NodeId> ids) {
        std::ranges::sort(ids);
        for (NodeId id : ids)
            if (!graph_.nodes_[id.index].metadata.empty())
                replaced.push_back(&graph_.nodes_[id.index]);
    };
    collect(pending_.removed);
    std::vector<Node*> new_nodes;
    for (NodeId id : pending_.added) new_nodes.push_back(&graph_.nodes_[id.index]);
    hand_on_metadata(replaced, new_nodes);
    for (Node* const node : new_nodes)
        if (node->metadata.empty()) node->metadata = metadata_beside(graph_, *node);
    if (replaced.empty()) collect(pending_.changed);
    hand_on_metadata(replaced, new_nodes);
    removed_origins_.clear();
    pending_.pass = pass_;
    pending_.remark = std::move(remark);
    graph_.history_.push_back(std::move(pending_));
    pending_ = {};
    unrecorded_ = false;
    return graph_.history_.back();
}

}  // namespace lapidary
