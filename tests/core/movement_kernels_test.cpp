// SPDX-License-Identifier: Apache-2.0
// The fast movement kernels against the reference kernels, bit for bit, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <lapidary/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

template <typename T>
Tensor counting(Shape shape) {
    std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i * 7 + i / 256);
    return Tensor::of<T>(std::move(shape), values);
}

Tensor list(const std::vector<std::int64_t>& values) { return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values); }

/// Runs both kernels with run-time and with constant lists.
void expect_same(const char* op, std::int64_t version, const char* kernel, const std::vector<RuntimeValue>& inputs, const std::vector<Attribute>& attributes = {},
                 const std::string& what = {}) {
    const Tensor expected = run_kernel_tensor("", op, version, inputs, attributes);
    for (bool constant : {false, true}) {
        KernelRun run;
        run.kernel = kernel;
        for (std::size_t i = 1; i < inputs.size() && constant; ++i)
            if (!inputs[i].is_empty()) run.constants.insert(i);
        run.static_shapes = constant;
        EXPECT_TRUE(same_contents(run_kernel_tensor("", op, version, inputs, attributes, run), expected)) << op << " " << what;
    }
}

template <typename T>
void expect_transposes(const Shape& shape) {
    std::vector<std::int64_t> permutation(shape.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    const Tensor x = counting<T>(shape);
    do {
        std::string what = to_string(shape) + " by";
        for (auto p : permutation) what += " " + std::to_string(p);
        expect_same("Transpose", 13, "movement.transpose", {x}, {attribute("perm", ints(permutation))}, what);
    } while (std::ranges::next_permutation(permutation).found);
    expect_same("Transpose", 13, "movement.transpose", {x});
}

TEST(FastMovement, TransposesOfEveryPermutationAndWidth) {
    for_each_isa([](Isa) {
        for (const Shape& shape : {Shape{}, Shape{5}, Shape{17, 33}, Shape{16, 16}, Shape{3, 1000}, Shape{70, 130}, Shape{2, 3, 5}, Shape{5, 1, 20, 4}, Shape{2, 4, 19, 8},
                                   Shape{2, 3, 2, 2, 3}, Shape{0, 3}}) {
            expect_transposes<float>(shape);
            expect_transposes<std::uint8_t>(shape);
            expect_transposes<std::int64_t>(shape);
            expect_transposes<std::int16_t>(shape);
        }
        expect_transposes<float>({3, 130, 257});
        expect_transposes<std::uint8_t>({3, 300, 257});
    });
}

TEST(FastMovement, TransposeRefusesWhatIsNoPermutation) {
    KernelRun run;
    run.kernel = "movement.transpose";
    EXPECT_THROW(run_kernel_tensor("", "Transpose", 13, {counting<float>({2, 3})}, {attribute("perm", ints({0, 0}))}, run), Error);
    EXPECT_THROW(run_kernel_tensor("", "Transpose", 13, {counting<float>({2, 3})}, {attribute("perm", ints({0, 2, 1}))}, run), Error);
}

TEST(FastMovement, SlicesOfAllSignsAndSteps) {
    const Tensor x = counting<float>({4, 7, 9});
    for (std::int64_t start : {0, 2, -3, 100})
        for (std::int64_t end : {9, -1, 5, -100})
            for (std::int64_t step : {1, 2, -1, -3, 50})
                for (std::int64_t axis : {0, 1, 2, -1})
                    expect_same("Slice", 13, "movement.slice", {x, list({start}), list({end}), list({axis}), list({step})});
    expect_same("Slice", 13, "movement.slice", {x, list({1, 2}), list({3, 6})});
    expect_same("Slice", 13, "movement.slice", {x, list({1, 2, 3}), list({3, 6, 7}), RuntimeValue(), list({1, 3, 2})});
    expect_same("Slice", 13, "movement.slice", {counting<std::uint8_t>({40, 40}), Tensor::of<std::int32_t>({1}, {3}), Tensor::of<std::int32_t>({1}, {30}), Tensor::of<std::int32_t>({1}, {1})});
    expect_same("Slice", 9, "movement.slice", {x}, {attribute("starts", ints({1, -4})), attribute("ends", ints({3, 100})), attribute("axes", ints({0, 2}))});
    KernelRun run;
    run.kernel = "movement.slice";
    for (const auto& bad : {list({5}), list({1, 1})})
        EXPECT_THROW(run_kernel_tensor("", "Slice", 13, {x, list({0}), list({1}), bad}, {}, run), Error);
    EXPECT_THROW(run_kernel_tensor("", "Slice", 13, {x, list({0}), list({1}), list({0}), list({0})}, {}, run), Error);
}

TEST(FastMovement, ExpandAndTileRepeat) {
    for (const auto& [from, to] : std::vector<std::pair<Shape, std::vector<std::int64_t>>>{
             {{3, 1}, {3, 4}}, {{1}, {5, 6}}, {{}, {4}}, {{2, 1, 3}, {1, 4, 1}}, {{3}, {1}}, {{0, 1}, {0, 5}}, {{1, 5}, {700, 5}}, {{1, 1, 900}, {3, 40, 900}}})
        expect_same("Expand", 13, "movement.expand", {counting<float>(from), list(to)});
    for (const auto& [from, repeats] : std::vector<std::pair<Shape, std::vector<std::int64_t>>>{{{3, 2}, {2, 3}}, {{4}, {1}}, {{2, 3, 4}, {1, 5, 1}}, {{2, 2}, {0, 2}}, {{}, {}}})
        for (bool wide : {false, true}) expect_same("Tile", 13, "movement.tile", {wide ? counting<std::int64_t>(from) : counting<std::uint8_t>(from), list(repeats)});
    KernelRun run;
    run.kernel = "movement.expand";
    EXPECT_THROW(run_kernel_tensor("", "Expand", 13, {counting<float>({2}), list({3})}, {}, run), Error);
    EXPECT_THROW(run_kernel_tensor("", "Expand", 13, {counting<float>({2}), list({-1})}, {}, run), Error);
}

TEST(FastMovement, GatherAlongEachAxis) {
    for (int axis : {0, 1, 2, -1})
        for (const Tensor& indices : {list({0, 2, -1, 1}), Tensor::scalar<std::int64_t>(1), Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, -3}), list({})}) {
            expect_same("Gather", 13, "movement.gather", {counting<float>({3, 4, 5}), indices}, {attribute("axis", axis)});
            expect_same("Gather", 13, "movement.gather", {counting<std::int64_t>({3, 4, 5}), indices}, {attribute("axis", axis)});
            expect_same("Gather", 13, "movement.gather", {counting<std::uint8_t>({3, 4, 3}), indices}, {attribute("axis", axis)});
        }
    expect_same("Gather", 13, "movement.gather", {counting<float>({50, 700}), Tensor::of<std::int32_t>({100}, std::vector<std::int32_t>(100, 49))});
    KernelRun run;
    run.kernel = "movement.gather";
    EXPECT_THROW(run_kernel_tensor("", "Gather", 13, {counting<float>({3}), list({3})}, {}, run), Error);
    EXPECT_THROW(run_kernel_tensor("", "Gather", 13, {counting<float>({3}), list({-4})}, {}, run), Error);
}

TEST(FastMovement, ShapesAndConstants) {
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})});
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})}, {attribute("start", -2), attribute("end", -1)});
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})}, {attribute("start", 2), attribute("end", 1)});
    expect_same("Size", 13, "movement.size", {counting<float>({3, 4, 5})});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({3, 2})});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({})}, {attribute("value", Tensor::of<std::int64_t>({1}, {7}))});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({0, 5})}, {attribute("value", Tensor::of<bool>({1}, {true}))});
    expect_same("Constant", 13, "movement.constant", {}, {attribute("value", counting<float>({2, 2}))});
    expect_same("Constant", 13, "movement.constant", {}, {attribute("value_ints", ints({1, 2}))});
}

TEST(FastMovement, DepthAndSpace) {
    for (int block : {1, 2, 3}) {
        const Tensor deep = counting<float>({2, 36, 5, 7});
        for (const char* mode : {"DCR", "CRD"})
            expect_same("DepthToSpace", 13, "movement.space_depth", {deep}, {attribute("blocksize", block), attribute("mode", mode)});
        expect_same("SpaceToDepth", 13, "movement.space_depth", {counting<float>({2, 5, 18, 12})}, {attribute("blocksize", block)});
    }
    KernelRun run;
    run.kernel = "movement.space_depth";
    EXPECT_THROW(run_kernel_tensor("", "DepthToSpace", 13, {counting<float>({1, 3, 2, 2})}, {attribute("blocksize", 2)}, run), Error);
}

}  // namespace
}  // namespace lapidary::test
