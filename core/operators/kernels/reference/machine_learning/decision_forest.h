// SPDX-License-Identifier: Apache-2.0
// The trees of TreeEnsembleClassifier, TreeEnsembleRegressor and TreeEnsemble in one form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

struct DecisionForest {
    enum class Mode : std::uint8_t {
        less_equal,
        less,
        greater_equal,
        greater,
        equal,
        not_equal,
        member,
        leaf
    };
    struct Branch {
        Mode mode = Mode::leaf;
        bool missing_goes_true = false;
        std::int64_t feature = 0;
        double value = 0;
        std::size_t on_true = 0, on_false = 0;  // indices into nodes
        std::size_t first = 0, last = 0;        // leaf: range of leaves; member: range of members
    };
    struct Leaf {
        std::int64_t target;
        float weight;
    };

    std::vector<Branch> nodes;
    std::vector<std::size_t> roots;
    std::vector<Leaf> leaves;     // weights of the leaf nodes
    std::vector<double> members;  // sets of the member nodes
    std::int64_t features = 0;    // 1 + the largest feature index read

    /// The node where `row` ends in the tree of this root.
    const Branch& find_leaf(std::size_t root, const double* row) const;
};

/// From the attributes nodes_* and `leaf_prefix`_treeids, _nodeids, _ids, _weights ("class" or
/// "target"). Throws invalid_model naming the attribute that does not fit, or the nodes where a
/// tree runs in a circle.
DecisionForest read_forest(const Node& node, const std::string& leaf_prefix);
/// From TreeEnsemble-5's attributes.
DecisionForest read_forest_5(const Node& node);
/// Floats of `name`, or the numbers of the tensor attribute `name`_as_tensor.
std::vector<double> numbers_of(const Node& node, const std::string& name);

}  // namespace lapidary::reference
