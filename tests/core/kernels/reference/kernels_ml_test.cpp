// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;
using L = std::vector<std::int64_t>;
using Text = std::vector<std::string>;

Tensor run_ml(const char* op, std::int64_t version, std::vector<RuntimeValue> inputs,
              std::vector<Attribute> attributes) {
    return run_kernel_tensor("ai.onnx.ml", op, version, std::move(inputs), std::move(attributes));
}

/// One tree: feature 0 <= 1 ? leaf 1 : (feature 1 < 5 ? leaf 3 : leaf 4).
std::vector<Attribute> tree(const std::string& prefix, std::vector<std::int64_t> ids,
                            std::vector<float> weights) {
    return {attribute("nodes_treeids", ints({0, 0, 0, 0, 0})),
            attribute("nodes_nodeids", ints({0, 1, 2, 3, 4})),
            attribute("nodes_featureids", ints({0, 0, 1, 0, 0})),
            attribute("nodes_values", floats({1, 0, 5, 0, 0})),
            attribute("nodes_modes", Text{"BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF"}),
            attribute("nodes_truenodeids", ints({1, 0, 3, 0, 0})),
            attribute("nodes_falsenodeids", ints({2, 0, 4, 0, 0})),
            attribute("nodes_missing_value_tracks_true", ints({1, 0, 0, 0, 0})),
            attribute(prefix + "_treeids", ints({0, 0, 0})),
            attribute(prefix + "_nodeids", ints({1, 3, 4})),
            attribute(prefix + "_ids", std::move(ids)),
            attribute(prefix + "_weights", std::move(weights))};
}

TEST(TreeKernels, RegressionFollowsBranchesAndMissingValues) {
    const Tensor x = Tensor::of<float>({4, 2}, {1, 9, 2, 4, 2, 5, NAN, 5});
    EXPECT_EQ(values_of<float>(
                  run_ml("TreeEnsembleRegressor", 3, {x}, tree("target", {0, 0, 0}, {10, 20, 30}))),
              (F{10, 20, 30, 10}));
    auto attributes = tree("target", {0, 0, 0}, {10, 20, 30});
    attributes.push_back(attribute("base_values", floats({0.5f})));
    EXPECT_EQ(values_of<float>(run_ml("TreeEnsembleRegressor", 3, {x}, attributes)),
              (F{10.5f, 20.5f, 30.5f, 10.5f}));
}

TEST(TreeKernels, ClassifierNamesTheBestClass) {
    auto attributes = tree("class", {0, 1, 2}, {1, 2, 3});
    attributes.push_back(attribute("classlabels_strings", Text{"a", "b", "c"}));
    KernelRun two;
    two.outputs = 2;
    const auto out = run_kernel("ai.onnx.ml", "TreeEnsembleClassifier", 3,
                                {Tensor::of<float>({2, 2}, {0, 0, 2, 6})}, attributes, two);
    EXPECT_EQ(values_of<std::string>(out[0].tensor()), (Text{"a", "c"}));
    EXPECT_EQ(values_of<float>(out[1].tensor()), (F{1, 0, 0, 0, 0, 3}));
}

TEST(TreeKernels, BrokenTreesAreRefused) {
    const Tensor x = Tensor::of<float>({1, 2}, {2, 2});
    const auto replaced = [](std::vector<Attribute> attributes, const Attribute& other) {
        for (Attribute& a : attributes)
            if (a.name == other.name) a = other;
        return attributes;
    };
    const auto good = tree("target", {0, 0, 0}, {10, 20, 30});
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x},
                        replaced(good, attribute("nodes_falsenodeids", ints({2, 0, 9, 0, 0})))),
                 Error);
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x},
                        replaced(good, attribute("nodes_featureids", ints({0, 0, 7, 0, 0})))),
                 Error);
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x},
                        replaced(good, attribute("nodes_featureids", ints({0, 0, -1, 0, 0})))),
                 Error);
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x},
                        replaced(good, attribute("target_ids", ints({0, 0, 1})))),
                 Error);
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x},
                        replaced(good, attribute("nodes_values", floats({1})))),
                 Error);
    // A second root whose branch leads back to itself.
    auto circle = good;
    circle = replaced(circle, attribute("nodes_modes", Text{"BRANCH_LEQ", "LEAF", "BRANCH_LT",
                                                            "BRANCH_EQ", "LEAF"}));
    circle = replaced(circle, attribute("nodes_truenodeids", ints({1, 0, 3, 2, 0})));
    circle = replaced(circle, attribute("nodes_falsenodeids", ints({2, 0, 4, 2, 0})));
    EXPECT_THROW(run_ml("TreeEnsembleRegressor", 3, {x}, circle), Error);
    // A circle that no row of this input reaches.
    circle = replaced(
        good, attribute("nodes_modes", Text{"BRANCH_GT", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"}));
    circle = replaced(circle, attribute("nodes_truenodeids", ints({2, 0, 0, 0, 0})));
    circle = replaced(circle, attribute("nodes_falsenodeids", ints({1, 3, 0, 0, 0})));
    try {
        run_ml("TreeEnsembleRegressor", 3, {Tensor::of<float>({1, 2}, {9, 9})}, circle);
        ADD_FAILURE() << "a circle was taken";
    } catch (const Error& e) {
        EXPECT_NE(e.message().find("node 1 of tree 0 leads back to node 0 of tree 0"),
                  std::string::npos)
            << e.message();
    }
    // Branches that share a leaf: how converters write membership in a set.
    auto shared = replaced(good, attribute("nodes_truenodeids", ints({1, 0, 1, 0, 0})));
    EXPECT_EQ(values_of<float>(run_ml("TreeEnsembleRegressor", 3, {x}, shared)).size(), 1u);
}

TEST(LinearKernels, BinaryAndManyClasses) {
    KernelRun two;
    two.outputs = 2;
    const Tensor x = Tensor::of<float>({2, 2}, {1, 0, 0, 1});
    const auto binary = run_kernel(
        "ai.onnx.ml", "LinearClassifier", 1, {x},
        {attribute("coefficients", floats({2, -2})), attribute("intercepts", floats({0})),
         attribute("classlabels_ints", ints({7, 8})), attribute("post_transform", "LOGISTIC")},
        two);
    EXPECT_EQ(values_of<std::int64_t>(binary[0].tensor()), (L{8, 7}));
    const auto scores = values_of<float>(binary[1].tensor());
    EXPECT_NEAR(scores[1], 0.880797f, 1e-6);
    EXPECT_NEAR(scores[0] + scores[1], 1, 1e-6);
    const Tensor regression =
        run_ml("LinearRegressor", 1, {x},
               {attribute("coefficients", floats({1, 2, 3, 4})),
                attribute("intercepts", floats({10, 20})), attribute("targets", 2)});
    EXPECT_EQ(values_of<float>(regression), (F{11, 23, 12, 24}));
    EXPECT_THROW(run_ml("LinearRegressor", 1, {x},
                        {attribute("coefficients", floats({1, 2, 3})), attribute("targets", 2)}),
                 Error);
}

TEST(FeatureKernels, ScalingAndImputing) {
    const Tensor x = Tensor::of<float>({2, 2}, {1, 4, NAN, 8});
    EXPECT_EQ(values_of<float>(run_ml("Imputer", 1, {x},
                                      {attribute("imputed_value_floats", floats({9, 0})),
                                       attribute("replaced_value_float", NAN)})),
              (F{1, 4, 9, 8}));
    const Tensor y = Tensor::of<float>({2, 2}, {3, 4, 0, 0});
    EXPECT_EQ(values_of<float>(
                  run_ml("Scaler", 1, {y},
                         {attribute("offset", floats({1, 2})), attribute("scale", floats({10}))})),
              (F{20, 20, -10, -20}));
    EXPECT_EQ(values_of<float>(run_ml("Normalizer", 1, {y}, {attribute("norm", "L2")})),
              (F{0.6f, 0.8f, 0, 0}));
    EXPECT_EQ(values_of<float>(run_ml("Binarizer", 1, {y}, {attribute("threshold", 3.0f)})),
              (F{0, 1, 0, 0}));
    EXPECT_EQ(values_of<float>(run_ml("FeatureVectorizer", 1,
                                      {y, Tensor::of<std::int64_t>({2, 1}, {5, 6})},
                                      {attribute("inputdimensions", ints({2, 1}))})),
              (F{3, 4, 5, 0, 0, 6}));
    EXPECT_EQ(values_of<float>(
                  run_ml("ArrayFeatureExtractor", 1, {y, Tensor::of<std::int64_t>({1}, {1})}, {})),
              (F{4, 0}));
    EXPECT_THROW(run_ml("ArrayFeatureExtractor", 1, {y, Tensor::of<std::int64_t>({1}, {2})}, {}),
                 Error);
}

TEST(LabelKernels, KeysToValues) {
    const Tensor words = Tensor::of<std::string>({3}, {"a", "b", "z"});
    EXPECT_EQ(values_of<std::int64_t>(run_ml("LabelEncoder", 2, {words},
                                             {attribute("keys_strings", Text{"a", "b"}),
                                              attribute("values_int64s", ints({5, 6}))})),
              (L{5, 6, -1}));
    EXPECT_EQ(values_of<std::int64_t>(run_ml(
                  "LabelEncoder", 1, {words},
                  {attribute("classes_strings", Text{"b", "a"}), attribute("default_int64", 9)})),
              (L{1, 0, 9}));
    const Tensor keys = Tensor::of<float>({2}, {NAN, 1});
    const std::vector<Attribute> tensors{
        attribute("keys_tensor", keys),
        attribute("values_tensor", Tensor::of<std::int16_t>({2}, {3, 4})),
        attribute("default_tensor", Tensor::of<std::int16_t>({1}, {-2}))};
    EXPECT_EQ(values_of<std::int16_t>(
                  run_ml("LabelEncoder", 4, {Tensor::of<float>({3}, {1, NAN, 2})}, tensors)),
              (std::vector<std::int16_t>{4, 3, -2}));
    EXPECT_THROW(
        run_ml("LabelEncoder", 2, {words},
               {attribute("keys_strings", Text{"a", "b"}), attribute("values_int64s", ints({5}))}),
        Error);
    EXPECT_EQ(values_of<float>(run_ml("OneHotEncoder", 1, {Tensor::of<std::int64_t>({2}, {4, 5})},
                                      {attribute("cats_int64s", ints({3, 4}))})),
              (F{0, 1, 0, 0}));
    EXPECT_THROW(run_ml("OneHotEncoder", 1, {Tensor::of<std::int64_t>({1}, {5})},
                        {attribute("cats_int64s", ints({3})), attribute("zeros", 0)}),
                 Error);
}

TEST(MapKernels, ZipAndVectorize) {
    const auto zipped =
        run_kernel("ai.onnx.ml", "ZipMap", 1, {Tensor::of<float>({2, 2}, {0.25f, 0.75f, 1, 0})},
                   {attribute("classlabels_strings", Text{"x", "y"})});
    const Sequence& rows = zipped[0].sequence();
    ASSERT_EQ(rows.items.size(), 2u);
    EXPECT_EQ(rows.items[0].map().string_keys, (Text{"x", "y"}));
    EXPECT_EQ(values_of<float>(rows.items[0].map().values), (F{0.25f, 0.75f}));
    EXPECT_EQ(values_of<float>(run_ml("DictVectorizer", 1, {rows.items[0]},
                                      {attribute("string_vocabulary", Text{"q", "y"})})),
              (F{0, 0.75f}));
    Map map;
    map.int_keys = {2, 0};
    map.values = Tensor::of<float>({2}, {5, 6});
    EXPECT_EQ(values_of<float>(run_ml("CastMap", 1, {RuntimeValue(map)},
                                      {attribute("map_form", "SPARSE"), attribute("max_map", 3)})),
              (F{6, 0, 5}));
    EXPECT_THROW(run_ml("CastMap", 1, {RuntimeValue(map)},
                        {attribute("map_form", "SPARSE"), attribute("max_map", 2)}),
                 Error);
}

TEST(SvmKernels, RegressionWithLinearKernel) {
    const Tensor x = Tensor::of<float>({1, 2}, {1, 2});
    const std::vector<Attribute> attributes{
        attribute("kernel_type", "LINEAR"), attribute("coefficients", floats({1, -1})),
        attribute("support_vectors", floats({1, 1, 0, 1})), attribute("rho", floats({0.5f})),
        attribute("n_supports", 2)};
    EXPECT_EQ(values_of<float>(run_ml("SVMRegressor", 1, {x}, attributes)), F{3 - 2 + 0.5f});
}

}  // namespace
}  // namespace lapidary::test
