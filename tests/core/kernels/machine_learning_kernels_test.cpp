// SPDX-License-Identifier: Apache-2.0
// The fast ai.onnx.ml kernels against the reference kernels: equal to the last bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

struct Forest {
    std::vector<std::int64_t> trees, nodes, features, on_true, on_false, missing, leaf_trees,
        leaf_nodes, leaf_targets;
    std::vector<float> values, weights;
    std::vector<std::string> modes;
    std::mt19937 generator{7};

    std::int64_t grow(std::int64_t tree, std::int64_t& next, int depth, std::int64_t targets,
                      bool mixed) {
        static const char* const kinds[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                            "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};
        const std::int64_t id = next++;
        const std::size_t at = trees.size();
        const bool leaf = depth == 0 || generator() % 8 == 0;
        trees.push_back(tree);
        nodes.push_back(id);
        features.push_back(static_cast<std::int64_t>(generator() % 5));
        values.push_back(static_cast<float>(static_cast<int>(generator() % 9)) / 2 - 2);
        modes.push_back(leaf ? "LEAF" : kinds[mixed ? generator() % 6 : 0]);
        missing.push_back(mixed ? static_cast<std::int64_t>(generator() % 2) : 0);
        on_true.push_back(0);
        on_false.push_back(0);
        if (leaf) {
            for (std::int64_t t = 0; t < (targets > 1 ? 2 : 1); ++t) {
                leaf_trees.push_back(tree);
                leaf_nodes.push_back(id);
                leaf_targets.push_back(
                    static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(targets)));
                weights.push_back(static_cast<float>(generator() % 1000) / 700 - 0.3f);
            }
            return id;
        }
        // The false child first: files need not list nodes in the order they are walked.
        const std::int64_t no = grow(tree, next, depth - 1, targets, mixed),
                           yes = grow(tree, next, depth - 1, targets, mixed);
        on_false[at] = no;
        on_true[at] = yes;
        return id;
    }

    std::vector<Attribute> attributes(const std::string& prefix) const {
        return {attribute("nodes_treeids", trees),
                attribute("nodes_nodeids", nodes),
                attribute("nodes_featureids", features),
                attribute("nodes_values", values),
                attribute("nodes_modes", modes),
                attribute("nodes_truenodeids", on_true),
                attribute("nodes_falsenodeids", on_false),
                attribute("nodes_missing_value_tracks_true", missing),
                attribute(prefix + "_treeids", leaf_trees),
                attribute(prefix + "_nodeids", leaf_nodes),
                attribute(prefix + "_ids", leaf_targets),
                attribute(prefix + "_weights", weights)};
    }
};

Forest forest_of(std::int64_t targets, bool mixed) {
    Forest forest;
    for (std::int64_t tree = 0; tree < 9; ++tree) {
        std::int64_t next = 0;
        forest.grow(tree, next, static_cast<int>(tree), targets, mixed);
    }
    return forest;
}

Tensor rows_of(std::int64_t count) {
    std::mt19937 generator(3);
    std::vector<float> values(static_cast<std::size_t>(count) * 6);
    for (float& v : values) {
        v = static_cast<float>(static_cast<int>(generator() % 9)) / 2 - 2;
        if (generator() % 13 == 0) v = std::numeric_limits<float>::quiet_NaN();
    }
    return Tensor::of<float>({count, 6}, values);
}

void expect_equal(const char* op, const Tensor& x, const std::vector<Attribute>& attributes,
                  std::size_t outputs) {
    KernelRun fast, plain;
    fast.outputs = plain.outputs = outputs;
    fast.kernel = "machine_learning.trees";
    const auto actual = run_kernel("ai.onnx.ml", op, 3, {x}, attributes, fast),
               expected = run_kernel("ai.onnx.ml", op, 3, {x}, attributes, plain);
    for (std::size_t i = 0; i < outputs; ++i)
        EXPECT_TRUE(same_contents(actual[i].tensor(), expected[i].tensor()))
            << op << " output " << i;
}

TEST(FastTrees, RegressionAgrees) {
    for (bool mixed : {false, true})
        for (std::int64_t targets : {1, 3})
            for (std::int64_t rows : {0, 1, 5, 2000})
                for (const char* aggregate : {"SUM", "AVERAGE"}) {
                    auto attributes = forest_of(targets, mixed).attributes("target");
                    attributes.push_back(attribute("n_targets", static_cast<int>(targets)));
                    attributes.push_back(attribute("aggregate_function", aggregate));
                    attributes.push_back(attribute("base_values", floats({0.25f})));
                    expect_equal("TreeEnsembleRegressor", rows_of(rows), attributes, 1);
                }
}

TEST(FastTrees, ClassificationAgreesForEveryTransform) {
    for (bool mixed : {false, true})
        for (std::int64_t targets : {1, 2, 4})
            for (const char* transform : {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"})
                for (bool text : {false, true}) {
                    auto attributes = forest_of(targets, mixed).attributes("class");
                    const std::int64_t classes = std::max<std::int64_t>(targets, 2);
                    std::vector<std::string> names;
                    std::vector<std::int64_t> numbers;
                    for (std::int64_t c = 0; c < classes; ++c) {
                        names.push_back("class" + std::to_string(c));
                        numbers.push_back(10 * c);
                    }
                    attributes.push_back(text ? attribute("classlabels_strings", names)
                                              : attribute("classlabels_int64s", numbers));
                    attributes.push_back(attribute("post_transform", transform));
                    if (std::string(transform) != "PROBIT")
                        // PROBIT gives NaN
                        expect_equal("TreeEnsembleClassifier", rows_of(77), attributes, 2);
                }
}

TEST(FastTrees, WhatIsNoTreeIsDeclinedWithAReason) {
    KernelRun fast;
    fast.kernel = "machine_learning.trees";
    const std::vector<Attribute> circle{
        attribute("nodes_treeids", ints({0, 0})),
        attribute("nodes_nodeids", ints({0, 1})),
        attribute("nodes_featureids", ints({0, 0})),
        attribute("nodes_values", floats({0, 0})),
        attribute("nodes_modes", std::vector<std::string>{"BRANCH_LEQ", "BRANCH_LEQ"}),
        attribute("nodes_truenodeids", ints({1, 1})),
        attribute("nodes_falsenodeids", ints({1, 1}))};
    try {
        run_kernel_tensor("ai.onnx.ml", "TreeEnsembleRegressor", 3, {rows_of(1)}, circle, fast);
        ADD_FAILURE() << "a circle was taken";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("circle"), std::string::npos) << e.what();
    }
}

TEST(FastFeatures, ImputerAndScalerAgree) {
    KernelRun fast;
    fast.kernel = "machine_learning.features";
    const auto expect_same = [&](const char* op, const Tensor& x,
                                 const std::vector<Attribute>& attributes) {
        EXPECT_TRUE(same_contents(run_kernel_tensor("ai.onnx.ml", op, 1, {x}, attributes, fast),
                                  run_kernel_tensor("ai.onnx.ml", op, 1, {x}, attributes)))
            << op;
    };
    const Tensor integers = Tensor::of<std::int64_t>({2, 2}, {1, 0, 3, 1});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (float replaced : {nan, 1.5f}) {
        expect_same("Imputer", rows_of(5),
                    {attribute("imputed_value_floats", floats({9})),
                     attribute("replaced_value_float", replaced)});
        expect_same("Imputer", rows_of(5),
                    {attribute("imputed_value_floats", floats({1, 2, 3, 4, 5, 6})),
                     attribute("replaced_value_float", replaced)});
    }
    expect_same(
        "Imputer", integers,
        {attribute("imputed_value_int64s", ints({7, 8})), attribute("replaced_value_int64", 1)});
    expect_same("Scaler", integers,
                {attribute("offset", floats({1, 2})), attribute("scale", floats({0.5f, 3}))});
    expect_same("Scaler", integers,
                {attribute("offset", floats({1})), attribute("scale", floats({0.5f, 3}))});
    expect_same("Scaler", Tensor::of<float>({3}, {1, 2, 3}), {});
    EXPECT_THROW(run_kernel_tensor("ai.onnx.ml", "Scaler", 1, {integers},
                                   {attribute("scale", floats({1, 2, 3}))}, fast),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
