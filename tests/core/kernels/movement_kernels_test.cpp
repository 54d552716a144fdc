// SPDX-License-Identifier: Apache-2.0
// The fast movement kernels against the reference kernels, bit for bit, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

template <typename T>
Tensor counting(Shape shape) {
    std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i * 7 + i / 256);
    return Tensor::of<T>(std::move(shape), values);
}

Tensor list(const std::vector<std::int64_t>& values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

/// Runs both kernels with run-time and with constant lists.
void expect_same(const char* op, std::int64_t version, const char* kernel,
                 const std::vector<RuntimeValue>& inputs,
                 const std::vector<Attribute>& attributes = {}, const std::string& what = {}) {
    const Tensor expected = run_kernel_tensor("", op, version, inputs, attributes);
    for (bool constant : {false, true}) {
        KernelRun run;
        run.kernel = kernel;
        for (std::size_t i = 1; i < inputs.size() && constant; ++i)
            if (!inputs[i].is_empty()) run.constants.insert(i);
        run.static_shapes = constant;
        EXPECT_TRUE(
            same_contents(run_kernel_tensor("", op, version, inputs, attributes, run), expected))
            << op << " " << what;
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
        expect_same("Transpose", 13, "movement.transpose", {x},
                    {attribute("perm", ints(permutation))}, what);
    } while (std::ranges::next_permutation(permutation).found);
    expect_same("Transpose", 13, "movement.transpose", {x});
}

TEST(FastMovement, TransposesOfEveryPermutationAndWidth) {
    for_each_isa([](Isa) {
        for (const Shape& shape : {Shape{}, Shape{5}, Shape{17, 33}, Shape{16, 16}, Shape{3, 1000},
                                   Shape{70, 130}, Shape{2, 3, 5}, Shape{5, 1, 20, 4},
                                   Shape{2, 4, 19, 8}, Shape{2, 3, 2, 2, 3}, Shape{0, 3}}) {
            expect_transposes<float>(shape);
            expect_transposes<std::uint8_t>(shape);
            expect_transposes<std::int64_t>(shape);
            expect_transposes<std::int16_t>(shape);
        }
        for (const std::int64_t few : {2, 3, 4})
            for (const Shape& shape :
                 {Shape{few, 150}, Shape{150, few}, Shape{3, 150, few}, Shape{40, few, 2}}) {
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
    EXPECT_THROW(run_kernel_tensor("", "Transpose", 13, {counting<float>({2, 3})},
                                   {attribute("perm", ints({0, 0}))}, run),
                 Error);
    EXPECT_THROW(run_kernel_tensor("", "Transpose", 13, {counting<float>({2, 3})},
                                   {attribute("perm", ints({0, 2, 1}))}, run),
                 Error);
}

TEST(FastMovement, SlicesOfAllSignsAndSteps) {
    const Tensor x = counting<float>({4, 7, 9});
    for (std::int64_t start : {0, 2, -3, 100})
        for (std::int64_t end : {9, -1, 5, -100})
            for (std::int64_t step : {1, 2, -1, -3, 50})
                for (std::int64_t axis : {0, 1, 2, -1})
                    expect_same("Slice", 13, "movement.slice",
                                {x, list({start}), list({end}), list({axis}), list({step})});
    expect_same("Slice", 13, "movement.slice", {x, list({1, 2}), list({3, 6})});
    expect_same("Slice", 13, "movement.slice",
                {x, list({1, 2, 3}), list({3, 6, 7}), RuntimeValue(), list({1, 3, 2})});
    expect_same("Slice", 13, "movement.slice",
                {counting<std::uint8_t>({40, 40}), Tensor::of<std::int32_t>({1}, {3}),
                 Tensor::of<std::int32_t>({1}, {30}), Tensor::of<std::int32_t>({1}, {1})});
    expect_same("Slice", 9, "movement.slice", {x},
                {attribute("starts", ints({1, -4})), attribute("ends", ints({3, 100})),
                 attribute("axes", ints({0, 2}))});
    KernelRun run;
    run.kernel = "movement.slice";
    for (const auto& bad : {list({5}), list({1, 1})})
        EXPECT_THROW(run_kernel_tensor("", "Slice", 13, {x, list({0}), list({1}), bad}, {}, run),
                     Error);
    EXPECT_THROW(run_kernel_tensor("", "Slice", 13, {x, list({0}), list({1}), list({0}), list({0})},
                                   {}, run),
                 Error);
}

TEST(FastMovement, ExpandAndTileRepeat) {
    for (const auto& [from, to] :
         std::vector<std::pair<Shape, std::vector<std::int64_t>>>{{{3, 1}, {3, 4}},
                                                                  {{1}, {5, 6}},
                                                                  {{}, {4}},
                                                                  {{2, 1, 3}, {1, 4, 1}},
                                                                  {{3}, {1}},
                                                                  {{0, 1}, {0, 5}},
                                                                  {{1, 5}, {700, 5}},
                                                                  {{1, 1, 900}, {3, 40, 900}}})
        expect_same("Expand", 13, "movement.expand", {counting<float>(from), list(to)});
    for (const auto& [from, repeats] : std::vector<std::pair<Shape, std::vector<std::int64_t>>>{
             {{3, 2}, {2, 3}}, {{4}, {1}}, {{2, 3, 4}, {1, 5, 1}}, {{2, 2}, {0, 2}}, {{}, {}}})
        for (bool wide : {false, true})
            expect_same("Tile", 13, "movement.tile",
                        {wide ? counting<std::int64_t>(from) : counting<std::uint8_t>(from),
                         list(repeats)});
    KernelRun run;
    run.kernel = "movement.expand";
    EXPECT_THROW(run_kernel_tensor("", "Expand", 13, {counting<float>({2}), list({3})}, {}, run),
                 Error);
    EXPECT_THROW(run_kernel_tensor("", "Expand", 13, {counting<float>({2}), list({-1})}, {}, run),
                 Error);
}

TEST(FastMovement, GatherOneOfEachPair) {
    for (const std::int64_t index : {-2, -1, 0, 1}) {
        const Tensor one = Tensor::scalar<std::int64_t>(index);
        for (const std::int64_t count : {1, 7, 33, 50000}) {
            const std::vector<Attribute> attributes{attribute("axis", -1)};
            expect_same("Gather", 13, "movement.gather",
                        {counting<std::uint8_t>({3, count, 2}), one}, attributes);
            expect_same("Gather", 13, "movement.gather", {counting<float>({3, count, 2}), one},
                        attributes);
            expect_same("Gather", 13, "movement.gather",
                        {counting<std::int16_t>({3, count, 2}), one}, attributes);
        }
        expect_same("Gather", 13, "movement.gather", {counting<std::uint8_t>({5, 2, 4}), one},
                    {attribute("axis", 1)});
    }
}

TEST(FastMovement, GatherAlongEachAxis) {
    for (int axis : {0, 1, 2, -1})
        for (const Tensor& indices : {list({0, 2, -1, 1}), Tensor::scalar<std::int64_t>(1),
                                      Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, -3}), list({})}) {
            expect_same("Gather", 13, "movement.gather", {counting<float>({3, 4, 5}), indices},
                        {attribute("axis", axis)});
            expect_same("Gather", 13, "movement.gather",
                        {counting<std::int64_t>({3, 4, 5}), indices}, {attribute("axis", axis)});
            expect_same("Gather", 13, "movement.gather",
                        {counting<std::uint8_t>({3, 4, 3}), indices}, {attribute("axis", axis)});
        }
    expect_same("Gather", 13, "movement.gather",
                {counting<float>({50, 700}),
                 Tensor::of<std::int32_t>({100}, std::vector<std::int32_t>(100, 49))});
    KernelRun run;
    run.kernel = "movement.gather";
    EXPECT_THROW(run_kernel_tensor("", "Gather", 13, {counting<float>({3}), list({3})}, {}, run),
                 Error);
    EXPECT_THROW(run_kernel_tensor("", "Gather", 13, {counting<float>({3}), list({-4})}, {}, run),
                 Error);
}

TEST(FastMovement, ShapesAndConstants) {
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})});
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})},
                {attribute("start", -2), attribute("end", -1)});
    expect_same("Shape", 15, "movement.shape", {counting<float>({3, 4, 5})},
                {attribute("start", 2), attribute("end", 1)});
    expect_same("Size", 13, "movement.size", {counting<float>({3, 4, 5})});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({3, 2})});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({})},
                {attribute("value", Tensor::of<std::int64_t>({1}, {7}))});
    expect_same("ConstantOfShape", 9, "movement.constant_of_shape", {list({0, 5})},
                {attribute("value", Tensor::of<bool>({1}, {true}))});
    expect_same("Constant", 13, "movement.constant", {},
                {attribute("value", counting<float>({2, 2}))});
    expect_same("Constant", 13, "movement.constant", {}, {attribute("value_ints", ints({1, 2}))});
}

TEST(FastMovement, DepthAndSpace) {
    for (int block : {1, 2, 3}) {
        const Tensor deep = counting<float>({2, 36, 5, 7});
        for (const char* mode : {"DCR", "CRD"})
            expect_same("DepthToSpace", 13, "movement.space_depth", {deep},
                        {attribute("blocksize", block), attribute("mode", mode)});
        expect_same("SpaceToDepth", 13, "movement.space_depth", {counting<float>({2, 5, 18, 12})},
                    {attribute("blocksize", block)});
        expect_same("SpaceToDepth", 13, "movement.space_depth", {counting<float>({1, 3, 12, 240})},
                    {attribute("blocksize", block)});
        expect_same("DepthToSpace", 13, "movement.space_depth", {counting<float>({1, 36, 3, 90})},
                    {attribute("blocksize", block)});
    }
    KernelRun run;
    run.kernel = "movement.space_depth";
    EXPECT_THROW(run_kernel_tensor("", "DepthToSpace", 13, {counting<float>({1, 3, 2, 2})},
                                   {attribute("blocksize", 2)}, run),
                 Error);
}

TEST(FastMovement, PadsOfEveryModeAndSign) {
    for (const char* mode : {"constant", "reflect", "edge", "wrap"})
        for (const auto& pads : std::vector<std::vector<std::int64_t>>{{0, 0, 0, 0, 0, 0},
                                                                       {0, 1, 2, 0, 1, 1},
                                                                       {1, 0, 0, 2, 0, 0},
                                                                       {0, 0, 1, 0, 0, 0},
                                                                       {0, -1, 0, 0, 1, 0},
                                                                       {0, 0, -2, 0, 0, 3},
                                                                       {1, 2, 3, 1, 1, 0},
                                                                       {0, 0, -1, 0, 0, -2},
                                                                       {0, 2, 0, 0, 0, 0}})
            for (bool wide : {false, true}) {
                const Tensor x =
                    wide ? counting<float>({3, 4, 5}) : counting<std::uint8_t>({3, 4, 5});
                std::vector<RuntimeValue> inputs{x, list(pads)};
                if (wide) inputs.push_back(Tensor::scalar(7.5f));
                expect_same("Pad", 13, "movement.pad", inputs, {attribute("mode", mode)},
                            std::string(mode) + to_string(Shape(pads)));
            }
    expect_same(
        "Pad", 18, "movement.pad",
        {counting<float>({2, 3, 40, 50}), list({1, 2, 3, 4}), RuntimeValue(), list({-1, 2})});
    expect_same("Pad", 13, "movement.pad",
                {counting<float>({64, 300, 5}), list({0, 3, 0, 0, 3, 0})});
    KernelRun run;
    run.kernel = "movement.pad";
    EXPECT_THROW(run_kernel_tensor("", "Pad", 13, {counting<float>({3}), list({-4, 0})}, {}, run),
                 Error);
    EXPECT_THROW(run_kernel_tensor("", "Pad", 13, {counting<float>({3}), list({1})}, {}, run),
                 Error);
}

TEST(FastMovement, ScatterAndGatherBySlices) {
    const Tensor x = counting<float>({4, 5, 6});
    for (const auto& [shape, indices] :
         std::vector<std::pair<Shape, std::vector<std::int64_t>>>{{{3, 1}, {0, -1, 0}},
                                                                  {{2, 2}, {0, 4, -4, -5}},
                                                                  {{1, 2, 3}, {0, 0, 0, 3, 4, -1}},
                                                                  {{0, 2}, {}}}) {
        const Tensor where = Tensor::of<std::int64_t>(shape, indices);
        expect_same("GatherND", 12, "movement.gather_nd", {x, where});
        Shape updates(shape.begin(), shape.end() - 1);
        updates.insert(updates.end(), x.shape().begin() + shape.back(), x.shape().end());
        expect_same("ScatterND", 16, "movement.scatter_nd", {x, where, counting<float>(updates)});
    }
    KernelRun run;
    for (const char* op : {"GatherND", "ScatterND"}) {
        run.kernel = op == std::string("GatherND") ? "movement.gather_nd" : "movement.scatter_nd";
        std::vector<RuntimeValue> inputs{x, Tensor::of<std::int64_t>({1, 3}, {0, 5, 0})};
        if (op == std::string("ScatterND")) inputs.push_back(Tensor::of<float>({1}, {1}));
        EXPECT_THROW(run_kernel_tensor("", op, 16, inputs, {}, run), Error);
    }
}

template <typename T, typename Index>
void expect_elements(const Shape& data_shape, const Shape& index_shape, std::int64_t axis) {
    const std::int64_t dim = data_shape[static_cast<std::size_t>(
        axis < 0 ? axis + static_cast<std::int64_t>(data_shape.size()) : axis)];
    std::vector<Index> positions(static_cast<std::size_t>(element_count(index_shape)));
    std::mt19937 draw(7);
    for (Index& p : positions)
        p = static_cast<Index>(
            static_cast<std::int64_t>(draw() % static_cast<std::uint32_t>(2 * dim)) - dim);
    const Tensor data = counting<T>(data_shape),
                 indices = Tensor::of<Index>(index_shape, positions),
                 updates = counting<T>(index_shape);
    const std::string what =
        to_string(data_shape) + " by " + to_string(index_shape) + " along " + std::to_string(axis);
    expect_same("GatherElements", 13, "movement.gather_elements", {data, indices},
                {attribute("axis", static_cast<int>(axis))}, what);
    expect_same("ScatterElements", 18, "movement.scatter_elements", {data, indices, updates},
                {attribute("axis", static_cast<int>(axis))}, what);
}

TEST(FastMovement, ElementsAlongEachAxis) {
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        expect_elements<float, std::int64_t>({5, 6, 7}, {5, 6, 7}, axis);
        expect_elements<float, std::int32_t>({5, 6, 7}, {3, 4, 5}, axis);
        expect_elements<std::int64_t, std::int64_t>({5, 6, 7}, {1, 6, 2}, axis);
        expect_elements<std::uint8_t, std::int64_t>({50, 60, 70}, {40, 60, 30}, axis);
        expect_elements<std::int16_t, std::int64_t>({2, 3, 4}, {2, 0, 4}, axis);
    }
    expect_elements<float, std::int64_t>({4, 3}, {9, 3}, 0);
    expect_elements<float, std::int64_t>({9}, {20}, 0);
    const Tensor x = counting<float>({3, 4}), outside = Tensor::of<std::int64_t>({1, 2}, {0, 4}),
                 tall = Tensor::of<std::int64_t>({4, 1}, {0, 0, 0, 0});
    EXPECT_THROW(run_kernel("", "GatherElements", 13, {x, outside}, {attribute("axis", 1)},
                            {.kernel = "movement.gather_elements"}),
                 Error);
    for (const std::int64_t far :
         {std::int64_t{-5}, INT64_MAX, INT64_MIN, INT64_MAX - 3, INT64_MIN + 4})
        for (const Shape& shape : {Shape{1, 1}, Shape{1, 2}})
            EXPECT_THROW(run_kernel("", "GatherElements", 13,
                                    {x, Tensor::of<std::int64_t>(
                                            shape, std::vector<std::int64_t>(
                                                       static_cast<std::size_t>(shape[1]), far))},
                                    {attribute("axis", 1)}, {.kernel = "movement.gather_elements"}),
                         Error)
                << far;
    EXPECT_THROW(run_kernel("", "GatherElements", 13, {x, tall}, {attribute("axis", 1)},
                            {.kernel = "movement.gather_elements"}),
                 Error);
    EXPECT_THROW(run_kernel("", "ScatterElements", 13, {x, outside, counting<float>({1, 2})},
                            {attribute("axis", 1)}, {.kernel = "movement.scatter_elements"}),
                 Error);
    EXPECT_THROW(
        run_kernel("", "ScatterElements", 18, {x, outside, counting<float>({1, 2})},
                   {attribute("reduction", "add")}, {.kernel = "movement.scatter_elements"}),
        Error);
}

TEST(FastMovement, TrianglesOfEveryDiagonal) {
    for (const Shape& shape :
         {Shape{5, 5}, Shape{2, 3, 7}, Shape{3, 8, 4}, Shape{2, 0, 3}, Shape{4, 200, 300}})
        for (const int upper : {0, 1}) {
            expect_same("Trilu", 14, "movement.trilu", {counting<float>(shape)},
                        {attribute("upper", upper)}, to_string(shape));
            for (const std::int64_t k : {-400, -5, -1, 0, 1, 2, 6, 400}) {
                const std::string what = to_string(shape) + " " + std::to_string(k);
                expect_same("Trilu", 14, "movement.trilu",
                            {counting<float>(shape), Tensor::of<std::int64_t>({}, {k})},
                            {attribute("upper", upper)}, what);
                expect_same("Trilu", 14, "movement.trilu",
                            {counting<std::uint8_t>(shape), Tensor::of<std::int64_t>({1}, {k})},
                            {attribute("upper", upper)}, what);
            }
        }
    EXPECT_THROW(
        run_kernel("", "Trilu", 14, {counting<float>({3})}, {}, {.kernel = "movement.trilu"}),
        Error);
}

TEST(FastMovement, NonZeroPositionsInOrder) {
    for (const Shape& shape :
         {Shape{7}, Shape{3, 5}, Shape{2, 3, 4}, Shape{0, 4}, Shape{4, 0}, Shape{1, 6, 1}}) {
        std::vector<float> floats;
        std::vector<bool> bools;
        for (std::int64_t i = 0; i < element_count(shape); ++i) {
            floats.push_back(i % 3 == 0 ? 0.0f : i % 3 == 1 ? -0.0f : static_cast<float>(i));
            bools.push_back(i % 4 == 1);
        }
        expect_same("NonZero", 13, "movement.non_zero", {Tensor::of<float>(shape, floats)});
        expect_same("NonZero", 13, "movement.non_zero", {Tensor::of<bool>(shape, bools)});
    }
    expect_same("NonZero", 13, "movement.non_zero", {Tensor::scalar<std::int64_t>(3)});
}

TEST(FastMovement, NonMaxSuppressionPicksTheSameBoxes) {
    std::mt19937 generator(5);
    const auto uniform = [&](float scale) {
        return scale * static_cast<float>(generator() % 1000) / 1000;
    };
    std::vector<float> boxes, scores;
    for (int i = 0; i < 2 * 200; ++i) {
        const float y = uniform(10), x = uniform(10);
        boxes.insert(boxes.end(), {y, x, y + uniform(3), x - uniform(3)});
    }
    for (int i = 0; i < 2 * 3 * 200; ++i)
        scores.push_back(uniform(1) < 0.2f ? 0.5f : uniform(1) - 0.2f);
    scores[17] = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t most : {0, 1, 5, 1000})
        for (float iou : {0.0f, 0.4f, 1.0f})
            for (bool threshold : {false, true})
                for (int center : {0, 1}) {
                    std::vector<RuntimeValue> inputs{Tensor::of<float>({2, 200, 4}, boxes),
                                                     Tensor::of<float>({2, 3, 200}, scores),
                                                     Tensor::scalar<std::int64_t>(most),
                                                     Tensor::scalar(iou)};
                    if (threshold) inputs.push_back(Tensor::scalar(0.3f));
                    expect_same("NonMaxSuppression", 11, "movement.non_max_suppression", inputs,
                                {attribute("center_point_box", center)});
                }
}

TEST(FastMovement, CompressKeepsWhatIsWanted) {
    const auto expect_kept = [](const Tensor& data, const std::vector<bool>& wanted,
                                const std::vector<Attribute>& attributes) {
        expect_same("Compress", 11, "movement.compress",
                    {data, Tensor::of<bool>({static_cast<std::int64_t>(wanted.size())}, wanted)},
                    attributes);
    };
    for (const std::vector<bool>& wanted : {std::vector<bool>{true, false, true, true},
                                            {false, true},
                                            {false, false, false, false},
                                            {true, true, true, true},
                                            {}}) {
        for (int axis : {0, 1, 2, -1}) {
            expect_kept(counting<float>({4, 4, 5}), wanted, {attribute("axis", axis)});
            expect_kept(counting<std::uint8_t>({4, 4, 5}), wanted, {attribute("axis", axis)});
            expect_kept(counting<std::int64_t>({4, 5, 4}), wanted, {attribute("axis", axis)});
        }
        expect_kept(counting<std::int16_t>({2, 3, 5}), wanted, {});
        expect_kept(counting<float>({0, 4}), wanted, {attribute("axis", 1)});
    }
    KernelRun run;
    run.kernel = "movement.compress";
    EXPECT_THROW(
        run_kernel_tensor("", "Compress", 11,
                          {counting<float>({2, 3}), Tensor::of<bool>({3}, {true, false, true})},
                          {attribute("axis", 0)}, run),
        Error);
    EXPECT_THROW(
        run_kernel_tensor("", "Compress", 11, {counting<float>({2}), list({1, 0})}, {}, run),
        Error);
}

}  // namespace
}  // namespace lapidary::test
