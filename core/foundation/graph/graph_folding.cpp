// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_folding.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace lapidary {
namespace {

constexpr int deepest_scope = 16;

/// The scope of a node part by part: its name, or that of its first output, without the last part.
std::vector<std::string_view> scope_of(const Graph& graph, const Node& node) {
    std::string_view path = node.name;
    if (path.empty() && !node.outputs.empty() && node.outputs.front())
        path = graph.value(node.outputs.front()).name;
    std::vector<std::string_view> parts;
    for (std::size_t slash;
         (slash = path.find('/')) != std::string_view::npos && parts.size() < deepest_scope;
         path.remove_prefix(slash + 1))
        if (slash > 0) parts.push_back(path.substr(0, slash));
    return parts;
}

std::string operators_text(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::map<std::string, std::size_t> counts;
    for (const NodeId id : nodes) ++counts[graph.node(id).op_type];
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(sorted.size(), 2); ++i)
        text += (i ? ", " : "") + std::to_string(sorted[i].second) + ' ' + sorted[i].first;
    return text;
}

class Folder {
public:
    Folder(const Graph& graph, const FoldingLimits& limits) : graph_(graph), limits_(limits) {}

    /// `depth`: parts of the scope that are the group's own.
    void fold(FoldedGroup& group, std::size_t depth, std::size_t unfolded) {
        if (group.all.size() <= unfolded) {
            group.nodes = group.all;
            return;
        }
        if (!by_scope(group, depth)) by_runs(group);
    }

private:
    struct Part {
        std::string name;
        std::size_t depth = 0;  // parts of the scope that it is named by
        std::vector<NodeId> nodes;
    };

    /// The nodes by the next part of their scope, in the order they are met; those without go to
    /// `own`.
    std::vector<Part> parts_of(const std::vector<NodeId>& nodes, std::size_t depth,
                               const std::string& outer, std::vector<NodeId>& own) const {
        std::map<std::string_view, std::size_t> index;
        std::vector<Part> parts;
        for (const NodeId id : nodes) {
            const auto scope = scope_of(graph_, graph_.node(id));
            if (scope.size() <= depth) {
                own.push_back(id);
                continue;
            }
            const auto [found, fresh] = index.try_emplace(scope[depth], parts.size());
            if (fresh)
                parts.push_back({outer.empty() ? std::string(scope[depth])
                                               : outer + '/' + std::string(scope[depth]),
                                 depth + 1,
                                 {}});
            parts[found->second].nodes.push_back(id);
        }
        return parts;
    }

    bool by_scope(FoldedGroup& group, std::size_t depth) {
        std::vector<NodeId> own;
        std::vector<Part> parts = parts_of(group.all, depth, group.label, own);
        // A scope around nearly everything carries no information: its contents take its place.
        for (std::size_t i = 0; i < parts.size();) {
            std::vector<NodeId> left;
            std::vector<Part> inner;
            if (parts[i].nodes.size() * 5 > group.all.size() * 4)
                inner = parts_of(parts[i].nodes, parts[i].depth, parts[i].name, left);
            if (inner.empty() || own.size() + left.size() > limits_.boxes) {
                ++i;
                continue;
            }
            own.insert(own.end(), left.begin(), left.end());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(),
                         inner.end());
        }
        std::size_t groups = 0;
        for (const Part& part : parts) {
            if (part.nodes.size() > 1) ++groups;
            else own.push_back(part.nodes.front());
        }
        if (groups == 0 || own.size() + groups > 2 * limits_.boxes) return false;
        std::ranges::sort(own);
        group.nodes = std::move(own);
        for (Part& part : parts) {
            if (part.nodes.size() < 2) continue;
            FoldedGroup inner;
            inner.label = part.name;
            inner.all = std::move(part.nodes);
            fold(inner, part.depth, limits_.boxes);
            group.groups.push_back(std::move(inner));
        }
        return true;
    }

    void by_runs(FoldedGroup& group) {
        const std::size_t total = group.all.size();
        const std::size_t length = std::max<std::size_t>((total + 39) / 40, 20);
        for (std::size_t at = 0; at < total; at += length) {
            FoldedGroup inner;
            const std::size_t end = std::min(at + length, total);
            inner.all.assign(group.all.begin() + static_cast<std::ptrdiff_t>(at),
                             group.all.begin() + static_cast<std::ptrdiff_t>(end));
            inner.label = (group.label.empty() ? "Nodes " : group.label + ", nodes ") +
                          std::to_string(at + 1) + " to " + std::to_string(end) + ": " +
                          operators_text(graph_, inner.all);
            if (inner.all.size() <= limits_.boxes) inner.nodes = inner.all;
            else by_runs(inner);
            group.groups.push_back(std::move(inner));
        }
    }

    const Graph& graph_;
    const FoldingLimits& limits_;
};

}  // namespace

FoldedGroup fold_graph(const Graph& graph, const std::vector<NodeId>& nodes,
                       const FoldingLimits& limits) {
    FoldedGroup root;
    root.all = nodes;
    Folder(graph, limits).fold(root, 0, limits.unfolded);
    return root;
}

}  // namespace lapidary
