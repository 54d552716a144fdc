// SPDX-License-Identifier: Apache-2.0
#include "kernels/machine_learning/flat_forest.h"

namespace lapidary {

std::optional<FlatForest> FlatForest::of(const reference::DecisionForest& forest,
                                         std::string& reason) {
    FlatForest flat;
    flat.features_ = forest.features;
    const auto decline = [&](const char* why) {
        reason = std::string(why) + ": served by the reference kernel";
        return std::nullopt;
    };
    for (const auto& leaf : forest.leaves) {
        if (leaf.target < 0 || leaf.target > INT32_MAX)
            return decline("a leaf names a target that does not exist");
        flat.leaves_.push_back({static_cast<std::int32_t>(leaf.target), leaf.weight});
    }
    struct Pending {
        std::size_t node;
        std::int32_t parent;  // whose false child it is; -1: a root or a true child
    };
    std::vector<Pending> stack;
    for (const std::size_t root : forest.roots) {
        flat.roots_.push_back(static_cast<std::int32_t>(flat.nodes_.size()));
        stack.assign(1, {root, -1});
        while (!stack.empty()) {
            const Pending p = stack.back();
            stack.pop_back();
            // A tree visits each node once; more is a circle or a shared branch.
            if (flat.nodes_.size() >= forest.nodes.size() || flat.nodes_.size() >= INT32_MAX)
                return decline("nodes of the trees are shared or run in a circle");
            const auto& from = forest.nodes[p.node];
            const auto at = static_cast<std::int32_t>(flat.nodes_.size());
            if (p.parent >= 0) flat.nodes_[static_cast<std::size_t>(p.parent)].on_false = at;
            Node node{};
            if (from.mode == Mode::leaf) {
                if (from.last - from.first > UINT16_MAX || from.first > INT32_MAX)
                    return decline("a leaf has very many weights");
                node = {0,
                        -1,
                        static_cast<std::int32_t>(from.first),
                        static_cast<std::uint8_t>(Mode::leaf),
                        false,
                        static_cast<std::uint16_t>(from.last - from.first)};
            } else {
                const auto value = static_cast<float>(from.value);
                if (from.mode == Mode::member)
                    return decline("a branch tests for membership in a set");
                if (static_cast<double>(value) != from.value || from.feature > INT32_MAX)
                    return decline("a threshold is no float32");
                node = {value,
                        static_cast<std::int32_t>(from.feature),
                        0,
                        static_cast<std::uint8_t>(from.mode),
                        from.missing_goes_true,
                        0};
                flat.only_less_equal_ = flat.only_less_equal_ && from.mode == Mode::less_equal &&
                                        !from.missing_goes_true;
                stack.push_back({from.on_false, at});
                // taken next, so it directly follows its parent
                stack.push_back({from.on_true, -1});
            }
            flat.nodes_.push_back(node);
        }
    }
    return flat;
}

template <bool only_less_equal>
void FlatForest::add_scores_as(const float* row, float* scores) const {
    const Node* nodes = nodes_.data();
    for (const std::int32_t root : roots_) {
        const Node* node = nodes + root;
        while (node->feature >= 0) {
            const float x = row[node->feature];
            bool goes = x <= node->value;
            if constexpr (!only_less_equal) {
                switch (static_cast<Mode>(node->mode)) {
                case Mode::less: goes = x < node->value; break;
                case Mode::greater_equal: goes = x >= node->value; break;
                case Mode::greater: goes = x > node->value; break;
                case Mode::equal: goes = x == node->value; break;
                case Mode::not_equal: goes = x != node->value; break;
                default: break;
                }
                goes = goes || (node->missing_goes_true && x != x);
            }
            node = goes ? node + 1 : nodes + node->on_false;
        }
        const Leaf* leaf = leaves_.data() + node->on_false;
        for (int i = 0; i < node->entries; ++i) scores[leaf[i].target] += leaf[i].weight;
    }
}

void FlatForest::add_scores(const float* row, float* scores) const {
    only_less_equal_ ? add_scores_as<true>(row, scores) : add_scores_as<false>(row, scores);
}

}  // namespace lapidary
