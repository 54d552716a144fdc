// SPDX-License-Identifier: Apache-2.0
// The fast reductions against the reference kernels, on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

Tensor wave(Shape shape) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 2 * std::sin(0.37f * static_cast<float>(i)) + 0.1f;
    return Tensor::of<float>(std::move(shape), values);
}

const std::vector<const char*> operators{"ReduceSum",       "ReduceMean", "ReduceL1", "ReduceL2",
                                         "ReduceSumSquare", "ReduceMax",  "ReduceMin"};

/// Within 4e-6 of the sum of magnitudes (lanes of at most 1024 elements add up in float); extremes
/// exactly.
void expect_agrees(const char* op, const Tensor& x, std::vector<std::int64_t> axes, int keep,
                   const std::string& what) {
    std::vector<Attribute> attributes{attribute("keepdims", keep)};
    if (!axes.empty()) attributes.push_back(attribute("axes", axes));
    KernelRun fast;
    fast.kernel = "elementwise.reduction";
    const Tensor actual = run_kernel_tensor("", op, 11, {x}, attributes, fast),
                 expected = run_kernel_tensor("", op, 11, {x}, attributes);
    ASSERT_EQ(actual.shape(), expected.shape()) << op << what;
    const bool extreme = std::string(op) == "ReduceMax" || std::string(op) == "ReduceMin";
    const Tensor scale =
        run_kernel_tensor("", std::string(op) == "ReduceMean" ? "ReduceMean" : "ReduceL1", 11,
                          {run_kernel_tensor("", "Abs", 13, {x})}, attributes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(actual.size()); ++i) {
        const float tolerance = extreme ? 0 : 4e-6f * (1 + scale.data<float>()[i]);
        ASSERT_NEAR(actual.data<float>()[i], expected.data<float>()[i], tolerance)
            << op << what << " at " << i;
    }
}

TEST(FastReductions, AllAxesAndLengths) {
    for_each_isa([](Isa isa) {
        for (const char* op : operators) {
            for (std::int64_t n :
                 {1, 2, 3, 15, 16, 17, 31, 63, 64, 65, 100, 1023, 1024, 1025, 5000}) {
                expect_agrees(op, wave({3, n}), {1}, 1, " row " + std::string(name_of(isa)));
                expect_agrees(op, wave({n, 5}), {0}, 0, " column " + std::string(name_of(isa)));
                expect_agrees(op, wave({5, n}), {0}, 0, " wide column");
                expect_agrees(op, wave({2, n, 3}), {-2}, 1, " middle");
            }
            expect_agrees(op, wave({2, 3, 4, 5}), {2, 3}, 0, " two");
            expect_agrees(op, wave({2, 3, 4, 5}), {0, 2}, 1, " apart");
            expect_agrees(op, wave({2, 3, 4, 5}), {}, 1, " all");
            expect_agrees(op, wave({2, 1, 4, 1}), {1, 3}, 0, " of one");
            expect_agrees(op, wave({40, 3000}), {1}, 0, " parallel rows");
            expect_agrees(op, wave({300, 700}), {0}, 0, " parallel columns");
            expect_agrees(op, wave({7}), {0}, 0, " vector");
        }
    });
}

TEST(FastReductions, LongSumsKeepTheirAccuracy) {
    std::vector<float> ones(3000000, 0.1f);
    const Tensor x = Tensor::of<float>({1, 3000000}, ones);
    KernelRun fast;
    fast.kernel = "elementwise.reduction";
    for_each_isa([&](Isa) {
        EXPECT_NEAR(
            run_kernel_tensor("", "ReduceMean", 11, {x}, {attribute("axes", ints({1}))}, fast)
                .data<float>()[0],
            0.1f, 1e-6f);
        EXPECT_NEAR(run_kernel_tensor("", "ReduceMean", 11, {x.reshaped({3000000, 1, 1})},
                                      {attribute("axes", ints({0}))}, fast)
                        .data<float>()[0],
                    0.1f, 1e-6f);
    });
}

// Of elements whose squares float cannot hold.
TEST(FastReductions, NormsOfLargeAndSmallElements) {
    KernelRun fast;
    fast.kernel = "elementwise.reduction";
    for_each_isa([&](Isa) {
        for (const float size : {1e-30f, 1e20f, 1e30f})
            for (const std::int64_t axis : {0, 1}) {
                Tensor x = wave({70, 90});
                for (float& v : x.mutable_data<float>()) v *= size;
                const std::vector<Attribute> attributes{attribute("axes", ints({axis}))};
                const Tensor found = run_kernel_tensor("", "ReduceL2", 11, {x}, attributes, fast),
                             expected = run_kernel_tensor("", "ReduceL2", 11, {x}, attributes);
                for (std::size_t i = 0; i < std::size_t(found.size()); ++i)
                    ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 1e-5f * size)
                        << size << " at " << i;
            }
    });
}

TEST(FastReductions, NaNIsTheExtreme) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    KernelRun fast;
    fast.kernel = "elementwise.reduction";
    for_each_isa([&](Isa) {
        for (std::size_t at : {0u, 5u, 70u, 1500u}) {
            std::vector<float> values(2000, 1.0f);
            values[at] = nan;
            for (const char* op : {"ReduceMax", "ReduceMin", "ReduceSum"})
                for (const Shape& shape : {Shape{1, 2000}, Shape{2000, 1}})
                    EXPECT_TRUE(std::isnan(
                        run_kernel_tensor("", op, 11, {Tensor::of<float>(shape, values)}, {}, fast)
                            .data<float>()[0]))
                        << op << at;
        }
    });
}

TEST(FastReductions, IntegersAndAxesThatAreInputs) {
    KernelRun fast;
    fast.kernel = "elementwise.reduction";
    const Tensor x = Tensor::of<std::int64_t>({2, 3}, {5, -7, 3, INT64_MAX, 2, 2});
    for (const char* op : {"ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceMean"})
        for (const auto& axes : std::vector<std::vector<std::int64_t>>{{0}, {1}, {0, 1}, {-1}})
            EXPECT_TRUE(same_contents(
                run_kernel_tensor(
                    "", op, 18,
                    {x, Tensor::of<std::int64_t>({static_cast<std::int64_t>(axes.size())}, axes)},
                    {}, fast),
                run_kernel_tensor(
                    "", op, 18,
                    {x, Tensor::of<std::int64_t>({static_cast<std::int64_t>(axes.size())}, axes)})))
                << op;
    EXPECT_TRUE(same_contents(run_kernel_tensor("", "ReduceSum", 13, {wave({3, 4}), RuntimeValue()},
                                                {attribute("noop_with_empty_axes", 1)}, fast),
                              wave({3, 4})));
    EXPECT_THROW(run_kernel_tensor("", "ReduceSum", 13,
                                   {wave({3}), Tensor::of<std::int64_t>({1}, {4})}, {}, fast),
                 Error);
    const Tensor empty = Tensor::of<float>({0, 3}, {});
    EXPECT_TRUE(same_contents(
        run_kernel_tensor("", "ReduceMax", 11, {empty}, {attribute("axes", ints({0}))}, fast),
        run_kernel_tensor("", "ReduceMax", 11, {empty}, {attribute("axes", ints({0}))})));
}

}  // namespace
}  // namespace lapidary::test
