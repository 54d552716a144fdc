// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/scope_tree.h"

#include <QString>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t deepest = 24;  // parts of a path beyond belong to the last

struct Draft {
    std::map<std::string, std::unique_ptr<Draft>, std::less<>> children;
    std::vector<const NodeTotal*> leaves;
    double ms = 0;
    int count = 0;
};

bool has_scope(std::string_view name) { return name.find('/', 1) != std::string_view::npos; }

std::vector<std::string> scopes_of(const NodeTotal& total, bool byFamily) {
    if (byFamily) {
        const QString op = labelText(total.op);
        return {nameOf(operatorFamily(op)).toStdString(), withoutDomain(op).toStdString()};
    }
    std::vector<std::string> parts;
    std::string_view rest = total.name;
    for (std::size_t slash;
         (slash = rest.find('/')) != std::string_view::npos && parts.size() < deepest;
         rest.remove_prefix(slash + 1))
        if (slash > 0) parts.emplace_back(rest.substr(0, slash));
    return parts;
}

std::string last_part(std::string_view name) {
    const std::size_t slash = name.find_last_not_of('/') == std::string_view::npos
                                  ? std::string_view::npos
                                  : name.rfind('/', name.find_last_not_of('/'));
    return std::string(slash == std::string_view::npos ? name : name.substr(slash + 1));
}

class Emitter {
public:
    Emitter(ScopeTree& tree, bool byFamily) : tree_(tree), byFamily_(byFamily) {}

    void children(const Draft& draft, int at) {
        struct Child {
            double ms;
            const std::string* name;
            const Draft* scope;
            const NodeTotal* leaf;
        };
        std::vector<Child> all;
        for (const auto& [name, scope] : draft.children)
            all.push_back({scope->ms, &name, scope.get(), nullptr});
        for (const NodeTotal* leaf : draft.leaves)
            all.push_back({leaf->ms, &leaf->name, nullptr, leaf});
        std::stable_sort(all.begin(), all.end(),
                         [](const Child& a, const Child& b) { return a.ms > b.ms; });
        double begin = tree_.nodes[std::size_t(at)].beginMs;
        int before = -1;
        for (const Child& child : all) {
            const int index = int(tree_.nodes.size());
            ScopeNode node;
            node.parent = at;
            node.previousSibling = before;
            node.depth = tree_.nodes[std::size_t(at)].depth + 1;
            node.beginMs = begin;
            node.ms = child.ms;
            begin += child.ms;
            const Draft* inner = child.scope;
            if (inner) {
                node.label = *child.name;
                // What only wraps another scope joins it.
                while (!byFamily_ && inner->leaves.empty() && inner->children.size() == 1) {
                    node.label += '/' + inner->children.begin()->first;
                    inner = inner->children.begin()->second.get();
                }
                const ScopeNode& parent = tree_.nodes[std::size_t(at)];
                node.path = byFamily_ ? (parent.path.empty() ? node.label
                                                             : parent.path + " · " + node.label)
                                      : parent.path + '/' + node.label;
                node.leaves = inner->count;
            } else {
                node.label = last_part(child.leaf->name);
                node.path = child.leaf->name;
                node.op = child.leaf->op;
                node.node = child.leaf->node;
                node.leaves = 1;
                node.isLeaf = true;
            }
            tree_.depth = std::max(tree_.depth, node.depth);
            tree_.nodes.push_back(std::move(node));
            (before < 0 ? tree_.nodes[std::size_t(at)].firstChild
                        : tree_.nodes[std::size_t(before)].nextSibling) = index;
            before = index;
            if (inner) children(*inner, index);
        }
    }

private:
    ScopeTree& tree_;
    bool byFamily_;
};

}  // namespace

ScopeTree makeScopeTree(const std::vector<NodeTotal>& totals) {
    ScopeTree tree;
    const auto scoped = std::count_if(totals.begin(), totals.end(),
                                      [](const NodeTotal& t) { return has_scope(t.name); });
    tree.byFamily = std::size_t(scoped) * 2 < totals.size() || scoped == 0;
    Draft root;
    for (const NodeTotal& total : totals) {
        if (total.ms <= 0) continue;
        Draft* at = &root;
        const auto count = [&] { at->ms += total.ms, ++at->count; };
        count();
        for (const std::string& part : scopes_of(total, tree.byFamily)) {
            auto& child = at->children[part];
            if (!child) child = std::make_unique<Draft>();
            at = child.get();
            count();
        }
        at->leaves.push_back(&total);
    }
    ScopeNode all;
    all.ms = root.ms;
    all.leaves = root.count;
    tree.nodes.push_back(std::move(all));
    Emitter(tree, tree.byFamily).children(root, 0);
    return tree;
}

}  // namespace lapidary::views
