// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/machine_learning/decision_forest.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <lapidary/base/error.h>

namespace lapidary::reference {
namespace {

void require_length(const std::string& name, std::size_t found, std::size_t expected) {
    if (found != expected)
        fail_model("attribute " + name + ": expected " + std::to_string(expected) +
                   " elements, found " + std::to_string(found));
}

DecisionForest::Mode mode_from(const std::string& name) {
    using Mode = DecisionForest::Mode;
    static const std::map<std::string, Mode> modes{{"BRANCH_LEQ", Mode::less_equal},
                                                   {"BRANCH_LT", Mode::less},
                                                   {"BRANCH_GTE", Mode::greater_equal},
                                                   {"BRANCH_GT", Mode::greater},
                                                   {"BRANCH_EQ", Mode::equal},
                                                   {"BRANCH_NEQ", Mode::not_equal},
                                                   {"LEAF", Mode::leaf}};
    const auto it = modes.find(name);
    if (it == modes.end()) fail_model("attribute nodes_modes: unknown mode " + quote(name));
    return it->second;
}

void note_feature(DecisionForest& forest, std::int64_t feature) {
    if (feature < 0 || feature == INT64_MAX)
        fail_model("attribute nodes_featureids: " + std::to_string(feature) + " is no index");
    forest.features = std::max(forest.features, feature + 1);
}

/// Throws invalid_model where a branch leads back to itself. Branches may share what they lead to
/// (converters write a test for membership in a set so).
template <typename Describe>
void require_no_circle(const DecisionForest& forest, const Describe& describe) {
    enum class Visit : std::uint8_t { none, open, done };
    std::vector<Visit> visits(forest.nodes.size(), Visit::none);
    std::vector<std::size_t> path;
    for (std::size_t start = 0; start < forest.nodes.size(); ++start) {
        if (visits[start] != Visit::none) continue;
        path.assign(1, start);
        while (!path.empty()) {
            const std::size_t at = path.back();
            const DecisionForest::Branch& b = forest.nodes[at];
            // its branches are behind it
            if (visits[at] != Visit::none || b.mode == DecisionForest::Mode::leaf) {
                visits[at] = Visit::done;
                path.pop_back();
                continue;
            }
            visits[at] = Visit::open;
            for (const std::size_t next : {b.on_true, b.on_false}) {
                if (visits[next] == Visit::open)
                    fail_model("a decision tree runs in a circle: " + describe(at) +
                               " leads back to " + describe(next));
                if (visits[next] == Visit::none) path.push_back(next);
            }
        }
    }
}

}  // namespace

std::vector<double> numbers_of(const Node& node, const std::string& name) {
    if (const Tensor* tensor = node.tensor_attribute(name + "_as_tensor"))
        return to_doubles(*tensor);
    const std::vector<float> floats = node.floats_attribute(name);
    return {floats.begin(), floats.end()};
}

const DecisionForest::Branch& DecisionForest::find_leaf(std::size_t root, const double* row) const {
    std::size_t at = root;
    while (true) {
        const Branch& b = nodes[at];
        if (b.mode == Mode::leaf) return b;
        const double x = row[b.feature];
        bool goes = false;
        switch (b.mode) {
        case Mode::less_equal: goes = x <= b.value; break;
        case Mode::less: goes = x < b.value; break;
        case Mode::greater_equal: goes = x >= b.value; break;
        case Mode::greater: goes = x > b.value; break;
        case Mode::equal: goes = x == b.value; break;
        case Mode::not_equal: goes = x != b.value; break;
        default:
            goes = std::find(members.begin() + static_cast<std::ptrdiff_t>(b.first),
                             members.begin() + static_cast<std::ptrdiff_t>(b.last),
                             x) != members.begin() + static_cast<std::ptrdiff_t>(b.last);
        }
        if (b.missing_goes_true && std::isnan(x)) goes = true;
        at = goes ? b.on_true : b.on_false;
    }
}

/// Places of nodes in a forest by the ids of their trees and of themselves.
using NodeIndex = std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>;

/// The weights of all leaves, sorted by their nodes, which get the range of their own.
static void read_leaves(const Node& node, const std::string& leaf_prefix, const NodeIndex& index,
                        DecisionForest& forest) {
    const auto leaf_trees = node.ints_attribute(leaf_prefix + "_treeids"),
               leaf_nodes = node.ints_attribute(leaf_prefix + "_nodeids");
    const auto leaf_targets = node.ints_attribute(leaf_prefix + "_ids");
    const std::vector<double> weights = numbers_of(node, leaf_prefix + "_weights");
    require_length(leaf_prefix + "_nodeids", leaf_nodes.size(), leaf_trees.size());
    require_length(leaf_prefix + "_ids", leaf_targets.size(), leaf_trees.size());
    require_length(leaf_prefix + "_weights", weights.size(), leaf_trees.size());
    std::vector<std::pair<std::size_t, DecisionForest::Leaf>> entries;
    for (std::size_t i = 0; i < leaf_trees.size(); ++i) {
        const auto it = index.find({leaf_trees[i], leaf_nodes[i]});
        if (it == index.end())
            fail_model("attribute " + leaf_prefix + "_nodeids: tree " +
                       std::to_string(leaf_trees[i]) + " has no node " +
                       std::to_string(leaf_nodes[i]));
        entries.push_back({it->second, {leaf_targets[i], static_cast<float>(weights[i])}});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < entries.size();) {
        DecisionForest::Branch& b = forest.nodes[entries[i].first];
        const std::size_t first = forest.leaves.size();
        const std::size_t owner = entries[i].first;
        for (; i < entries.size() && entries[i].first == owner; ++i)
            forest.leaves.push_back(entries[i].second);
        // weights of inner nodes are never reached
        if (b.mode != DecisionForest::Mode::leaf) continue;
        b.first = first;
        b.last = forest.leaves.size();
    }
}

DecisionForest read_forest(const Node& node, const std::string& leaf_prefix) {
    DecisionForest forest;
    const auto trees = node.ints_attribute("nodes_treeids"),
               ids = node.ints_attribute("nodes_nodeids"),
               features = node.ints_attribute("nodes_featureids");
    const auto on_true = node.ints_attribute("nodes_truenodeids"),
               on_false = node.ints_attribute("nodes_falsenodeids");
    const auto missing = node.ints_attribute("nodes_missing_value_tracks_true");
    const auto modes = node.strings_attribute("nodes_modes");
    const std::vector<double> values = numbers_of(node, "nodes_values");
    const std::size_t count = trees.size();
    require_length("nodes_nodeids", ids.size(), count);
    require_length("nodes_featureids", features.size(), count);
    require_length("nodes_truenodeids", on_true.size(), count);
    require_length("nodes_falsenodeids", on_false.size(), count);
    require_length("nodes_modes", modes.size(), count);
    require_length("nodes_values", values.size(), count);
    if (!missing.empty()) require_length("nodes_missing_value_tracks_true", missing.size(), count);

    NodeIndex index;
    for (std::size_t i = 0; i < count; ++i)
        if (!index.emplace(std::pair(trees[i], ids[i]), i).second)
            fail_model("attribute nodes_nodeids: node " + std::to_string(ids[i]) + " of tree " +
                       std::to_string(trees[i]) + " is listed twice");
    std::vector<bool> is_child(count, false);
    forest.nodes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        DecisionForest::Branch& b = forest.nodes[i];
        b.mode = mode_from(modes[i]);
        b.missing_goes_true = !missing.empty() && missing[i] != 0;
        b.value = values[i];
        if (b.mode == DecisionForest::Mode::leaf) continue;
        b.feature = features[i];
        note_feature(forest, b.feature);
        const auto child = [&](std::int64_t id) {
            const auto it = index.find({trees[i], id});
            if (it == index.end())
                fail_model("node " + std::to_string(ids[i]) + " of tree " +
                           std::to_string(trees[i]) + " points to node " + std::to_string(id) +
                           ", which does not exist");
            is_child[it->second] = true;
            return it->second;
        };
        b.on_true = child(on_true[i]);
        b.on_false = child(on_false[i]);
    }
    require_no_circle(forest, [&](std::size_t i) {
        return "node " + std::to_string(ids[i]) + " of tree " + std::to_string(trees[i]);
    });
    for (std::size_t i = 0; i < count; ++i)
        if (!is_child[i]) forest.roots.push_back(i);
    read_leaves(node, leaf_prefix, index, forest);
    return forest;
}

DecisionForest read_forest_5(const Node& node) {
    DecisionForest forest;
    const auto features = node.ints_attribute("nodes_featureids"),
               on_true = node.ints_attribute("nodes_truenodeids");
    const auto on_false = node.ints_attribute("nodes_falsenodeids"),
               true_leaf = node.ints_attribute("nodes_trueleafs");
    const auto false_leaf = node.ints_attribute("nodes_falseleafs"),
               missing = node.ints_attribute("nodes_missing_value_tracks_true");
    const auto roots = node.ints_attribute("tree_roots"),
               targets = node.ints_attribute("leaf_targetids");
    const auto required = [&](const char* name) {
        const Tensor* tensor = node.tensor_attribute(name);
        if (!tensor) fail_model(std::string("attribute ") + name + " is required but missing");
        return to_doubles(*tensor);
    };
    const std::vector<double> modes = required("nodes_modes"), splits = required("nodes_splits"),
                              weights = required("leaf_weights");
    const std::size_t count = features.size(), leaf_count = targets.size();
    require_length("nodes_modes", modes.size(), count);
    require_length("nodes_splits", splits.size(), count);
    require_length("nodes_truenodeids", on_true.size(), count);
    require_length("nodes_falsenodeids", on_false.size(), count);
    require_length("nodes_trueleafs", true_leaf.size(), count);
    require_length("nodes_falseleafs", false_leaf.size(), count);
    require_length("leaf_weights", weights.size(), leaf_count);
    if (!missing.empty()) require_length("nodes_missing_value_tracks_true", missing.size(), count);

    // Inner nodes first, then one node per leaf.
    forest.nodes.resize(count + leaf_count);
    const auto target = [&](std::int64_t id, bool leaf, const char* name) {
        if (id < 0 || static_cast<std::size_t>(id) >= (leaf ? leaf_count : count))
            fail_model(std::string("attribute ") + name + ": " + std::to_string(id) +
                       " is out of range");
        return leaf ? count + static_cast<std::size_t>(id) : static_cast<std::size_t>(id);
    };
    const Tensor* member_values = node.tensor_attribute("membership_values");
    const std::vector<double> all_members =
        member_values ? to_doubles(*member_values) : std::vector<double>();
    std::size_t member_at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        DecisionForest::Branch& b = forest.nodes[i];
        if (!(modes[i] >= 0 && modes[i] <= 6))
            fail_model("attribute nodes_modes: expected 0 to 6, found " + std::to_string(modes[i]));
        b.mode = static_cast<DecisionForest::Mode>(static_cast<int>(modes[i]));
        b.feature = features[i];
        note_feature(forest, b.feature);
        b.value = splits[i];
        b.missing_goes_true = !missing.empty() && missing[i] != 0;
        b.on_true = target(on_true[i], true_leaf[i] != 0, "nodes_truenodeids");
        b.on_false = target(on_false[i], false_leaf[i] != 0, "nodes_falsenodeids");
        if (b.mode != DecisionForest::Mode::member) continue;
        b.first = forest.members.size();
        for (; member_at < all_members.size() && !std::isnan(all_members[member_at]); ++member_at)
            forest.members.push_back(all_members[member_at]);
        ++member_at;  // a NaN ends each set
        b.last = forest.members.size();
    }
    for (std::size_t i = 0; i < leaf_count; ++i) {
        forest.leaves.push_back({targets[i], static_cast<float>(weights[i])});
        forest.nodes[count + i].first = i;
        forest.nodes[count + i].last = i + 1;
    }
    require_no_circle(forest, [](std::size_t i) { return "node " + std::to_string(i); });
    for (const std::int64_t root : roots) {
        // A tree of one leaf is written as a root whose both branches are that leaf.
        forest.roots.push_back(target(root, false, "tree_roots"));
    }
    return forest;
}

}  // namespace lapidary::reference
