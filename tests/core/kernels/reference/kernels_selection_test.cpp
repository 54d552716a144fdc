// SPDX-License-Identifier: Apache-2.0
// reference.top_k, unique, non_zero, compress, one_hot, non_max_suppression.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using I64 = std::vector<std::int64_t>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Tensor list(I64 values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}
KernelRun outputs(std::size_t count) {
    KernelRun run;
    run.outputs = count;
    return run;
}

TEST(Selection, TopKBreaksTiesByIndexAndRanksNanHighest) {
    const Tensor data = Tensor::of<float>({5}, {2, nan, 3, 3, 1});
    auto best = run_kernel("", "TopK", 11, {data, list({3})}, {}, outputs(2));
    EXPECT_EQ(values_of<std::int64_t>(best[1].tensor()), (I64{1, 2, 3}));
    EXPECT_TRUE(std::isnan(best[0].tensor().data<float>()[0]));
    best = run_kernel("", "TopK", 11, {data, list({5})}, {attribute("largest", 0)}, outputs(2));
    EXPECT_EQ(values_of<std::int64_t>(best[1].tensor()), (I64{4, 0, 2, 3, 1}));
    best = run_kernel("", "TopK", 1, {Tensor::of<float>({2, 2}, {1, 2, 4, 3})},
                      {attribute("k", 1), attribute("axis", 0)}, outputs(2));
    EXPECT_EQ(values_of<float>(best[0].tensor()), (std::vector<float>{4, 3}));
    EXPECT_THROW(run_kernel("", "TopK", 11, {data, list({6})}, {}, outputs(2)), Error);
    EXPECT_THROW(run_kernel("", "TopK", 11, {data, list({-1})}, {}, outputs(2)), Error);
    EXPECT_EQ(run_kernel("", "TopK", 11, {data, list({0})}, {}, outputs(2))[0].tensor().shape(),
              (Shape{0}));
}

TEST(Selection, UniqueGroupsElementsAndSlices) {
    auto groups = run_kernel("", "Unique", 11, {Tensor::of<float>({6}, {2, 1, 1, 3, 4, 3})},
                             {attribute("sorted", 0)}, outputs(4));
    EXPECT_EQ(values_of<float>(groups[0].tensor()), (std::vector<float>{2, 1, 3, 4}));
    EXPECT_EQ(values_of<std::int64_t>(groups[1].tensor()), (I64{0, 1, 3, 4}));
    EXPECT_EQ(values_of<std::int64_t>(groups[2].tensor()), (I64{0, 1, 1, 2, 3, 2}));
    EXPECT_EQ(values_of<std::int64_t>(groups[3].tensor()), (I64{1, 2, 2, 1}));
    const Tensor cube =
        Tensor::of<float>({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1});
    groups = run_kernel("", "Unique", 11, {cube}, {attribute("axis", 1)}, outputs(4));
    EXPECT_EQ(values_of<float>(groups[0].tensor()),
              (std::vector<float>{0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}));
    EXPECT_EQ(values_of<std::int64_t>(groups[1].tensor()), (I64{1, 0, 2}));
    EXPECT_EQ(values_of<std::int64_t>(groups[2].tensor()), (I64{1, 0, 2, 0}));
    EXPECT_EQ(
        values_of<float>(run_kernel("", "Unique", 11, {Tensor::of<float>({4}, {nan, 1, nan, 1})},
                                    {}, outputs(1))[0]
                             .tensor())
            .size(),
        2u);
    EXPECT_EQ(values_of<std::string>(run_kernel_tensor(
                  "", "Unique", 11, {Tensor::of<std::string>({3}, {"b", "a", "b"})})),
              (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(run_kernel_tensor("", "Unique", 11, {Tensor(DType::f32, {0})}).shape(), (Shape{0}));
}

TEST(Selection, NonZeroCompressAndOneHot) {
    EXPECT_EQ(values_of<std::int64_t>(run_kernel_tensor(
                  "", "NonZero", 13, {Tensor::of<float>({2, 2}, {1, -0.0f, nan, 2})})),
              (I64{0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(run_kernel_tensor("", "NonZero", 13, {Tensor::scalar(0.0f)}).shape(), (Shape{1, 0}));
    const Tensor matrix = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                 mask = Tensor::of<bool>({3}, {true, false, true});
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("", "Compress", 11, {matrix, mask}, {attribute("axis", 1)})),
              (std::vector<float>{1, 3, 4, 6}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Compress", 11, {matrix, mask})),
              (std::vector<float>{1, 3}));
    EXPECT_THROW(run_kernel("", "Compress", 11, {matrix, mask}, {attribute("axis", 0)}), Error);
    const Tensor off_on = Tensor::of<float>({2}, {0, 1});
    const auto hot = [&](std::int64_t version, RuntimeValue indices) {
        return values_of<float>(run_kernel_tensor(
            "", "OneHot", version, {indices, Tensor::scalar<std::int64_t>(2), off_on}));
    };
    EXPECT_EQ(hot(11, list({1, -2, 2, -3})), (std::vector<float>{0, 1, 1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(hot(9, list({1, -2})), (std::vector<float>{0, 1, 0, 0}));
    EXPECT_EQ(hot(11, Tensor::of<float>({2}, {nan, 1e30f})), (std::vector<float>{0, 0, 0, 0}));
    EXPECT_THROW(
        run_kernel("", "OneHot", 11, {list({1}), Tensor::scalar<std::int64_t>(-1), off_on}), Error);
}

TEST(Selection, NonMaxSuppressionKeepsTheBestOfOverlappingBoxes) {
    const Tensor boxes = Tensor::of<float>({1, 3, 4}, {0, 0, 1, 1, 1.1f, 1, 0.1f, 0, 5, 5, 6, 6});
    const Tensor scores = Tensor::of<float>({1, 2, 3}, {0.5f, 0.9f, 0.8f, 0.3f, 0.2f, 0.1f});
    const auto pick = [&](float iou, float score) {
        return values_of<std::int64_t>(run_kernel_tensor(
            "", "NonMaxSuppression", 11,
            {boxes, scores, list({3}), Tensor::scalar(iou), Tensor::scalar(score)}));
    };
    EXPECT_EQ(pick(0.5f, 0.25f), (I64{0, 0, 1, 0, 0, 2, 0, 1, 0}));
    EXPECT_EQ(pick(1.0f, 0.85f), (I64{0, 0, 1}));
    EXPECT_THROW(pick(1.5f, 0), Error);
    EXPECT_EQ(run_kernel_tensor("", "NonMaxSuppression", 11, {boxes, scores}).shape(),
              (Shape{0, 3}));
}

}  // namespace
}  // namespace lapidary::test
