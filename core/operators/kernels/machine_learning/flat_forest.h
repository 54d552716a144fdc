// SPDX-License-Identifier: Apache-2.0
// Decision trees laid out for fast traversal: each tree is contiguous, a node's true child follows
// it directly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/reference/machine_learning/decision_forest.h"

namespace lapidary {

class FlatForest {
public:
    struct Leaf {
        std::int32_t target;
        float weight;
    };

    /// Empty, with the reason, for trees that the reference kernel has to walk: set membership,
    /// thresholds that are not exact as float, nodes shared between trees or in a cycle.
    static std::optional<FlatForest> of(const reference::DecisionForest& forest,
                                        std::string& reason);

    /// Adds what the leaves that `row` reaches give to scores[target], tree by tree.
    void add_scores(const float* row, float* scores) const;

    std::size_t trees() const { return roots_.size(); }
    std::int64_t features() const { return features_; }
    const std::vector<Leaf>& leaves() const { return leaves_; }

private:
    using Mode = reference::DecisionForest::Mode;
    struct Node {
        float value;
        std::int32_t feature;   // -1: a leaf
        std::int32_t on_false;  // leaf: the first of its entries in leaves_
        std::uint8_t mode;
        bool missing_goes_true;
        std::uint16_t entries;  // leaf
    };
    template <bool only_less_equal>
    void add_scores_as(const float* row, float* scores) const;

    std::vector<Node> nodes_;
    std::vector<std::int32_t> roots_;
    std::vector<Leaf> leaves_;
    std::int64_t features_ = 0;
    bool only_less_equal_ = true;
};

}  // namespace lapidary
