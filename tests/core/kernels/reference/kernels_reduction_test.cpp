// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;
using L = std::vector<std::int64_t>;
constexpr float inf = std::numeric_limits<float>::infinity();

Tensor counting(Shape shape) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    return Tensor::of(std::move(shape), values);
}

RuntimeValue axes(L values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(ReduceKernels, AnySetOfAxes) {
    const Tensor x = counting({2, 3, 4});
    const auto sum = [&](L a, int keep = 0) {
        return run_kernel_tensor("", "ReduceSum", 13, {x, axes(a)}, {attribute("keepdims", keep)});
    };
    EXPECT_EQ(values_of<float>(sum({1})), (F{12, 15, 18, 21, 48, 51, 54, 57}));
    EXPECT_EQ(values_of<float>(sum({-1})), (F{6, 22, 38, 54, 70, 86}));
    EXPECT_EQ(values_of<float>(sum({0, 2})), (F{60, 92, 124}));
    EXPECT_EQ(values_of<float>(sum({0, 1, 2})), F{276});
    EXPECT_EQ(sum({0, 2}, 1).shape(), (Shape{1, 3, 1}));
    EXPECT_EQ(values_of<float>(sum({})), F{276});
    EXPECT_THROW(sum({3}), Error);
}

TEST(ReduceKernels, AttributeAxesBeforeTheyBecameAnInput) {
    const Tensor y =
        run_kernel_tensor("", "ReduceMean", 13, {counting({2, 4})}, {attribute("axes", ints({0}))});
    EXPECT_EQ(y.shape(), (Shape{1, 4}));
    EXPECT_EQ(values_of<float>(y), (F{2, 3, 4, 5}));
    const Tensor z = run_kernel_tensor("", "ReduceMean", 18, {counting({2, 4}), axes({1})},
                                       {attribute("keepdims", 0)});
    EXPECT_EQ(values_of<float>(z), (F{1.5f, 5.5f}));
}

TEST(ReduceKernels, NoAxesWithNoopStillDoesTheElementSteps) {
    const Tensor x = Tensor::of<float>({2}, {-3, 2});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "ReduceSum", 13, {x},
                                                 {attribute("noop_with_empty_axes", 1)})),
              (F{-3, 2}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "ReduceSumSquare", 18, {x},
                                                 {attribute("noop_with_empty_axes", 1)})),
              (F{9, 4}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "ReduceL1", 18, {x},
                                                 {attribute("noop_with_empty_axes", 1)})),
              (F{3, 2}));
}

/// An empty list is as good as none: attribute or input, fast kernel or plain one.
TEST(ReduceKernels, EmptyAxesMeanAllOfThemUnlessAnAttributeSaysOtherwise) {
    for (const char* op :
         {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2",
          "ReduceSumSquare", "ReduceProd", "ReduceLogSum", "ReduceLogSumExp"}) {
        for (const char* kernel : {"", "elementwise.reduction"}) {
            if (*kernel && std::string(op).find("Log") != std::string::npos) continue;
            KernelRun run;
            run.kernel = kernel;
            const Tensor x = std::string(op) == "ReduceProd"
                                 ? Tensor::of<std::int64_t>({2, 3}, {1, 2, 3, 4, 5, 6})
                                 : counting({2, 3});
            const RuntimeValue none = axes({});
            EXPECT_EQ(
                run_kernel_tensor("", op, 11, {x}, {attribute("axes", ints({}))}, run).shape(),
                (Shape{1, 1}))
                << op << kernel;
            EXPECT_EQ(
                run_kernel_tensor("", op, 18, {x, none}, {attribute("keepdims", 0)}, run).shape(),
                Shape())
                << op << kernel;
            EXPECT_EQ(run_kernel_tensor("", op, 18, {x, none},
                                        {attribute("noop_with_empty_axes", 1)}, run)
                          .shape(),
                      (Shape{2, 3}))
                << op << kernel;
        }
    }
}

TEST(ReduceKernels, EmptySetsGiveTheNeutralElement) {
    const Tensor x = Tensor::of<float>({2, 0, 3}, {});
    const auto reduce = [&](const char* op, Tensor t) {
        return run_kernel_tensor("", op, 20, {std::move(t), axes({1})}, {attribute("keepdims", 0)});
    };
    EXPECT_EQ(values_of<float>(reduce("ReduceSum", x)), F(6, 0));
    EXPECT_EQ(values_of<float>(reduce("ReduceProd", x)), F(6, 1));
    EXPECT_EQ(values_of<float>(reduce("ReduceMax", x)), F(6, -inf));
    EXPECT_EQ(values_of<float>(reduce("ReduceMin", x)), F(6, inf));
    EXPECT_EQ(values_of<float>(reduce("ReduceLogSum", x)), F(6, -inf));
    EXPECT_EQ(values_of<float>(reduce("ReduceLogSumExp", x)), F(6, -inf));
    EXPECT_EQ(reduce("ReduceMax", Tensor::of<std::int8_t>({1, 0}, {})).data<std::int8_t>()[0],
              -128);
    EXPECT_EQ(reduce("ReduceMin", Tensor::of<bool>({1, 0}, {})).data<bool>()[0], true);
    EXPECT_EQ(reduce("ReduceSum", Tensor::of<float>({0, 4}, {})).shape(), Shape{0});
}

TEST(ReduceKernels, NormsAndLogarithms) {
    const Tensor x = Tensor::of<float>({4}, {3, -4, 0, 0});
    EXPECT_FLOAT_EQ(run_kernel_tensor("", "ReduceL2", 18, {x}).data<float>()[0], 5);
    const Tensor large = Tensor::of<float>({3}, {1000, 1000, -inf});
    EXPECT_FLOAT_EQ(run_kernel_tensor("", "ReduceLogSumExp", 18, {large}).data<float>()[0],
                    1000.6931f);
    EXPECT_EQ(run_kernel_tensor("", "ReduceMax", 20, {Tensor::of<bool>({2}, {false, true})})
                  .data<bool>()[0],
              true);
    EXPECT_EQ(run_kernel_tensor("", "ReduceMean", 18, {Tensor::of<std::int32_t>({2}, {-3, 0})})
                  .data<std::int32_t>()[0],
              -1);
    EXPECT_EQ(
        run_kernel_tensor("", "ReduceMin", 18, {Tensor::of<std::uint64_t>({2}, {~0ull, ~0ull - 1})})
            .data<std::uint64_t>()[0],
        ~0ull - 1);
    EXPECT_TRUE(
        std::isnan(run_kernel_tensor("", "ReduceMax", 18, {Tensor::of<float>({3}, {1, NAN, 2})})
                       .data<float>()[0]));
}

TEST(ReduceKernels, HalfSumsDoNotStall) {
    // A half accumulator would stop growing at 2048.
    const Tensor ones = Tensor::of<Half>({4000}, std::vector<Half>(4000, Half(1)));
    EXPECT_EQ(float(run_kernel_tensor("", "ReduceSum", 13, {ones}).data<Half>()[0]), 4000.0f);
}

TEST(ReduceKernels, LargeShapesAgreeWithPlainLoops) {
    const Tensor x = counting({7, 60, 300});
    const auto y = values_of<float>(
        run_kernel_tensor("", "ReduceMax", 18, {x, axes({1})}, {attribute("keepdims", 0)}));
    ASSERT_EQ(y.size(), 2100u);
    for (int n = 0; n < 7; ++n)
        for (int w = 0; w < 300; ++w)
            ASSERT_EQ(y[n * 300 + w], static_cast<float>((n * 60 + 59) * 300 + w));
}

TEST(SoftmaxKernels, AxisMeansOtherThingsBeforeAndSinceOpset13) {
    const Tensor x = Tensor::of<float>({2, 2, 1}, {0, 0, 0, 0});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Softmax", 11, {x})),
              (F{0.5f, 0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Softmax", 11, {x}, {attribute("axis", 0)})),
              F(4, 0.25f));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Softmax", 13, {x})), F(4, 1.0f));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Softmax", 13, {x}, {attribute("axis", 0)})),
              F(4, 0.5f));
}

TEST(SoftmaxKernels, LargeInputsStayFinite) {
    const Tensor x = Tensor::of<float>({1, 3}, {10000, 10000, -10000});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Softmax", 13, {x})), (F{0.5f, 0.5f, 0}));
    const auto log = values_of<float>(run_kernel_tensor("", "LogSoftmax", 13, {x}));
    EXPECT_FLOAT_EQ(log[0], -0.6931472f);
    EXPECT_FLOAT_EQ(log[2], -20000.6931f);
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("", "Hardmax", 13, {Tensor::of<float>({2, 2}, {1, 1, 0, 2})})),
              (F{1, 0, 0, 1}));
}

TEST(ScanKernels, ArgMaxTiesAndAxes) {
    const Tensor x = Tensor::of<float>({2, 3}, {2, 5, 5, 7, 1, 7});
    EXPECT_EQ(
        values_of<std::int64_t>(run_kernel_tensor("", "ArgMax", 13, {x}, {attribute("axis", 1)})),
        (L{1, 0}));
    EXPECT_EQ(
        values_of<std::int64_t>(run_kernel_tensor(
            "", "ArgMax", 13, {x}, {attribute("axis", -1), attribute("select_last_index", 1)})),
        (L{2, 2}));
    const Tensor y =
        run_kernel_tensor("", "ArgMin", 13, {x}, {attribute("axis", 0), attribute("keepdims", 0)});
    EXPECT_EQ(y.shape(), Shape{3});
    EXPECT_EQ(values_of<std::int64_t>(y), (L{0, 1, 0}));
    EXPECT_THROW(run_kernel_tensor("", "ArgMax", 13, {Tensor::of<float>({2, 0}, {})},
                                   {attribute("axis", 1)}),
                 Error);
}

TEST(ScanKernels, CumSumBothWays) {
    const Tensor x = Tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto run = [&](std::int64_t axis, int exclusive, int reverse) {
        return values_of<std::int32_t>(
            run_kernel_tensor("", "CumSum", 14, {x, Tensor::scalar(axis)},
                              {attribute("exclusive", exclusive), attribute("reverse", reverse)}));
    };
    using I = std::vector<std::int32_t>;
    EXPECT_EQ(run(1, 0, 0), (I{1, 3, 6, 4, 9, 15}));
    EXPECT_EQ(run(0, 0, 0), (I{1, 2, 3, 5, 7, 9}));
    EXPECT_EQ(run(-1, 1, 1), (I{5, 3, 0, 11, 6, 0}));
}

TEST(LossKernels, WeightedMeanLeavesIgnoredLabelsOut) {
    const Tensor x = Tensor::of<float>({3, 2}, {-1, -2, -3, -4, -5, -6});
    const Tensor labels = Tensor::of<std::int64_t>({3}, {0, 1, -100}),
                 weights = Tensor::of<float>({2}, {1, 3});
    const Tensor y = run_kernel_tensor("", "NegativeLogLikelihoodLoss", 13, {x, labels, weights},
                                       {attribute("ignore_index", -100)});
    EXPECT_EQ(y.rank(), 0);
    EXPECT_FLOAT_EQ(y.data<float>()[0], (1 + 12) / 4.0f);
    EXPECT_THROW(run_kernel_tensor("", "NegativeLogLikelihoodLoss", 13, {x, labels}), Error);
    KernelRun two;
    two.outputs = 2;
    const auto out =
        run_kernel("", "SoftmaxCrossEntropyLoss", 13,
                   {Tensor::of<float>({1, 2}, {0, 0}), Tensor::of<std::int32_t>({1}, {1})},
                   {attribute("reduction", "none")}, two);
    EXPECT_FLOAT_EQ(out[0].tensor().data<float>()[0], 0.6931472f);
    EXPECT_FLOAT_EQ(out[1].tensor().data<float>()[0], -0.6931472f);
}

TEST(MatrixKernels, DeterminantAndTriangles) {
    EXPECT_FLOAT_EQ(run_kernel_tensor("", "Det", 11, {Tensor::of<float>({2, 2}, {0, 1, 2, 3})})
                        .data<float>()[0],
                    -2);
    EXPECT_EQ(run_kernel_tensor("", "Det", 11, {Tensor::of<float>({1, 2, 2}, {1, 2, 2, 4})})
                  .data<float>()[0],
              0);
    EXPECT_THROW(run_kernel_tensor("", "Det", 11, {Tensor::of<float>({2, 3}, {1, 2, 2, 4, 5, 6})}),
                 Error);
    const Tensor x = counting({2, 3});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Trilu", 14, {x})), (F{0, 1, 2, 0, 4, 5}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor(
                  "", "Trilu", 14, {x, Tensor::scalar(std::int64_t{1})}, {attribute("upper", 0)})),
              (F{0, 1, 0, 3, 4, 5}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor(
                  "", "Trilu", 14, {x, Tensor::scalar(std::numeric_limits<std::int64_t>::min())})),
              values_of<float>(x));
}

TEST(LpNormalizationKernel, ZeroLinesStayZero) {
    const Tensor x = Tensor::of<float>({2, 2}, {3, 4, 0, 0});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "LpNormalization", 22, {x})),
              (F{0.6f, 0.8f, 0, 0}));
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "LpNormalization", 22, {x},
                                                 {attribute("p", 1), attribute("axis", 0)})),
              (F{1, 1, 0, 0}));
}

}  // namespace
}  // namespace lapidary::test
