// SPDX-License-Identifier: GPL-3.0-or-later
// Splits scopes that data leaves and enters again, which occur when fused nodes keep the names of
// other nodes. Drawn as one box, such a scope would need lines that run backwards. It becomes
// several groups, in the order of the data flow.
#include <algorithm>
#include <memory>

#include "canvas/graph_outline.h"

namespace lapidary::views {
namespace {

// scopes times leaves of one cycle; larger ones are not split
constexpr std::size_t most_work = 100'000'000;

struct Tree {
    OutlineGroup group;          // without its lists
    OutlineIndex was = noIndex;  // its index before; noIndex: a part of another
    std::vector<std::unique_ptr<Tree>> groups;
    std::vector<OutlineIndex> leaves;
};
using TreePtr = std::unique_ptr<Tree>;

using Ids = std::vector<std::uint32_t>;

/// Vertices in topological order; without those on cycles or behind them.
Ids inOrder(const std::vector<Ids>& out) {
    Ids missing(out.size(), 0), order;
    for (const Ids& to : out)
        for (const std::uint32_t v : to) ++missing[v];
    for (std::uint32_t v = 0; v < out.size(); ++v)
        if (missing[v] == 0) order.push_back(v);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const std::uint32_t v : out[order[i]])
            if (--missing[v] == 0) order.push_back(v);
    return order;
}

/// Marks vertices on cycles, and between cycles.
std::vector<bool> circular(const std::vector<Ids>& out) {
    std::vector<Ids> in(out.size());
    for (std::uint32_t v = 0; v < out.size(); ++v)
        for (const std::uint32_t w : out[v]) in[w].push_back(v);
    std::vector<bool> found(out.size(), true);
    for (const std::uint32_t v : inOrder(out)) found[v] = false;
    for (const std::uint32_t v : inOrder(in)) found[v] = false;
    return found;
}

class Splitter {
public:
    Splitter(const std::vector<OutlineLeaf>& leaves, const std::vector<OutlineTensor>& tensors)
        : leaves_(leaves), item_(leaves.size(), noIndex), out_(leaves.size()) {
        for (const OutlineTensor& tensor : tensors) {
            if (leaves[tensor.producer].constant) continue;  // is not drawn
            for (const OutlineReader& reader : tensor.readers)
                if (reader.leaf != tensor.producer) out_[tensor.producer].push_back(reader.leaf);
        }
    }

    void split(Tree& tree) {
        if (!tree.groups.empty()) breakCircles(tree);
        for (TreePtr& inner : tree.groups) split(*inner);
    }

private:
    static void gather(const Tree& tree, std::vector<OutlineIndex>& leaves) {
        leaves.insert(leaves.end(), tree.leaves.begin(), tree.leaves.end());
        if (tree.group.leaf != noIndex) leaves.push_back(tree.group.leaf);
        for (const TreePtr& inner : tree.groups) gather(*inner, leaves);
    }

    /// The direct items of a group: its groups, then its leaves. Sets item_.
    std::vector<std::vector<OutlineIndex>> itemsOf(const Tree& tree) {
        std::vector<std::vector<OutlineIndex>> items;
        for (const TreePtr& inner : tree.groups) gather(*inner, items.emplace_back());
        for (const OutlineIndex leaf : tree.leaves) items.push_back({leaf});
        for (std::uint32_t i = 0; i < items.size(); ++i)
            for (const OutlineIndex leaf : items[i]) item_[leaf] = i;
        return items;
    }
    void forget(const std::vector<std::vector<OutlineIndex>>& items) {
        for (const auto& leaves : items)
            for (const OutlineIndex leaf : leaves) item_[leaf] = noIndex;
    }
    std::vector<Ids> linesBetween(const std::vector<std::vector<OutlineIndex>>& items) const {
        std::vector<Ids> lines(items.size());
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            for (const OutlineIndex leaf : items[i])
                for (const OutlineIndex reader : out_[leaf])
                    if (item_[reader] != noIndex && item_[reader] != i)
                        lines[i].push_back(item_[reader]);
            std::ranges::sort(lines[i]);
            lines[i].erase(std::unique(lines[i].begin(), lines[i].end()), lines[i].end());
        }
        return lines;
    }

    void breakCircles(Tree& tree) {
        const auto items = itemsOf(tree);
        const std::vector<bool> inCircle = circular(linesBetween(items));
        std::vector<OutlineIndex> leaves;
        std::size_t scopes = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!inCircle[i]) continue;
            leaves.insert(leaves.end(), items[i].begin(), items[i].end());
            scopes +=
                i < tree.groups.size() && tree.groups[i]->group.kind == OutlineGroup::Kind::Scope;
        }
        forget(items);
        if (scopes == 0 || scopes * leaves.size() > most_work) return;
        vertexOf_.assign(leaves_.size(), noIndex);
        vertices_ = 0;
        for (const OutlineIndex leaf : leaves) vertexOf_[leaf] = vertices_++;
        // a node and its bodies are not split
        for (std::size_t i = 0; i < tree.groups.size(); ++i)
            if (inCircle[i]) joinControl(*tree.groups[i]);
        std::vector<TreePtr> groups;
        for (std::size_t i = 0; i < tree.groups.size(); ++i) {
            TreePtr& inner = tree.groups[i];
            if (!inCircle[i] || inner->group.kind != OutlineGroup::Kind::Scope)
                groups.push_back(std::move(inner));
            else cut(std::move(inner), leaves, groups, tree.leaves);
        }
        tree.groups = std::move(groups);
    }

    void joinControl(const Tree& tree) {
        if (tree.group.kind != OutlineGroup::Kind::Scope) {
            std::vector<OutlineIndex> all;
            gather(tree, all);
            for (const OutlineIndex leaf : all) vertexOf_[leaf] = vertexOf_[all.front()];
            return;
        }
        for (const TreePtr& inner : tree.groups) joinControl(*inner);
    }

    /// Splits one scope into parts that data does not enter again after leaving. Each becomes one
    /// vertex.
    void cut(TreePtr scope, const std::vector<OutlineIndex>& all, std::vector<TreePtr>& groups,
             std::vector<OutlineIndex>& loose) {
        std::vector<OutlineIndex> own;
        gather(*scope, own);
        std::vector<bool> isOwn(vertices_, false);
        for (const OutlineIndex leaf : own) isOwn[vertexOf_[leaf]] = true;
        std::vector<Ids> lines(vertices_);
        for (const OutlineIndex leaf : all)
            for (const OutlineIndex reader : out_[leaf])
                if (vertexOf_[reader] != noIndex && vertexOf_[reader] != vertexOf_[leaf])
                    lines[vertexOf_[leaf]].push_back(vertexOf_[reader]);
        // how often data has left the scope and come back; -1: it was not there
        std::vector<int> part(vertices_, -1);
        for (const std::uint32_t v : inOrder(lines)) {
            if (isOwn[v] && part[v] < 0) part[v] = 0;
            for (const std::uint32_t w : lines[v]) {
                if (part[v] < 0) continue;
                part[w] = std::max(part[w], part[v] + (isOwn[w] && !isOwn[v] ? 1 : 0));
            }
        }
        int parts = 0;
        for (const OutlineIndex leaf : own) parts = std::max(parts, part[vertexOf_[leaf]] + 1);
        std::vector<int> partOf(leaves_.size(), -1);
        std::vector<std::uint32_t> joined(static_cast<std::size_t>(std::max(parts, 1)), noIndex);
        for (const OutlineIndex leaf : own) {
            const int p = std::max(0, part[vertexOf_[leaf]]);
            partOf[leaf] = p;
        }
        for (const OutlineIndex leaf : own) {
            std::uint32_t& vertex = joined[static_cast<std::size_t>(partOf[leaf])];
            if (vertex == noIndex) vertex = vertexOf_[leaf];
        }
        for (const OutlineIndex leaf : own)
            vertexOf_[leaf] = joined[static_cast<std::size_t>(partOf[leaf])];
        if (parts <= 1) return groups.push_back(std::move(scope));
        for (int p = 0; p < parts; ++p) {
            TreePtr made = partOfTree(*scope, partOf, p);
            made->group.label += QStringLiteral(" (%1)").arg(p + 1);
            if (made->groups.empty() && made->leaves.size() <= 1)
                loose.insert(loose.end(), made->leaves.begin(), made->leaves.end());
            else groups.push_back(std::move(made));
        }
    }

    /// Removes the items of that part from the tree and returns them as a new tree.
    static TreePtr partOfTree(Tree& tree, const std::vector<int>& partOf, int part) {
        auto made = std::make_unique<Tree>();
        made->group = tree.group;
        for (const OutlineIndex leaf : tree.leaves)
            if (partOf[leaf] == part) made->leaves.push_back(leaf);
        for (TreePtr& inner : tree.groups) {
            if (!inner) continue;
            if (inner->group.kind != OutlineGroup::Kind::Scope) {
                if (partOf[inner->group.leaf] == part) made->groups.push_back(std::move(inner));
                continue;
            }
            TreePtr some = partOfTree(*inner, partOf, part);
            if (some->groups.empty() && some->leaves.size() <= 1)
                made->leaves.insert(made->leaves.end(), some->leaves.begin(), some->leaves.end());
            else made->groups.push_back(std::move(some));
        }
        return made;
    }

    const std::vector<OutlineLeaf>& leaves_;
    std::vector<OutlineIndex> item_;  // by leaf; noIndex: not of the group at work
    std::vector<Ids> out_;            // readers, by leaf
    std::vector<std::uint32_t> vertexOf_;
    std::uint32_t vertices_ = 0;
};

}  // namespace

void GraphOutline::splitCycles() {
    const auto treeOf = [&](auto&& self, OutlineIndex index) -> TreePtr {
        auto tree = std::make_unique<Tree>();
        tree->group = groups_[index];
        tree->was = index;
        tree->leaves = groups_[index].leaves;
        for (const OutlineIndex inner : groups_[index].groups)
            tree->groups.push_back(self(self, inner));
        return tree;
    };
    const TreePtr root = treeOf(treeOf, 0);
    Splitter(leaves_, tensors_).split(*root);
    std::vector<OutlineGroup> groups;
    std::vector<OutlineIndex> now(groups_.size(), 0);
    std::vector<std::pair<const Tree*, OutlineIndex>> queue{{root.get(), noIndex}};
    for (std::size_t i = 0; i < queue.size(); ++i) {  // parents before children
        const Tree& tree = *queue[i].first;
        OutlineGroup group = tree.group;
        group.parent = queue[i].second;
        group.leaves = tree.leaves;
        group.groups.clear();
        if (tree.was != noIndex) now[tree.was] = static_cast<OutlineIndex>(i);
        if (group.parent != noIndex)
            groups[group.parent].groups.push_back(static_cast<OutlineIndex>(i));
        for (const OutlineIndex leaf : tree.leaves)
            leaves_[leaf].group = static_cast<OutlineIndex>(i);
        if (group.leaf != noIndex) {
            leaves_[group.leaf].group = group.parent;
            leaves_[group.leaf].body = static_cast<OutlineIndex>(i);
        }
        for (const TreePtr& inner : tree.groups)
            queue.emplace_back(inner.get(), static_cast<OutlineIndex>(i));
        groups.push_back(std::move(group));
    }
    for (OutlinePlace& place : places_) place.group = now[place.group];
    groups_ = std::move(groups);
}

}  // namespace lapidary::views
