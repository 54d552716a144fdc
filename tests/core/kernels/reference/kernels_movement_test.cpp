// SPDX-License-Identifier: Apache-2.0
// Kernels that move elements: reference.reshape, transpose, concat, split, slice, pad, tile,
// gather, scatter ...
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using I64 = std::vector<std::int64_t>;

Tensor count_up(Shape shape) {
    Tensor t(DType::f32, std::move(shape));
    std::iota(t.mutable_data<float>().begin(), t.mutable_data<float>().end(), 0.0f);
    return t;
}
Tensor list(I64 values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& e) { return e.message(); }
    return "no error";
}

TEST(Movement, ReshapeCopiesAndInfersDimensions) {
    const auto shape_of = [](Shape in, I64 target, int allow_zero) {
        return run_kernel_tensor("", "Reshape", 14, {count_up(in), list(target)},
                                 {attribute("allowzero", allow_zero)})
            .shape();
    };
    EXPECT_EQ(shape_of({2, 3, 4}, {0, -1}, 0), (Shape{2, 12}));
    EXPECT_EQ(shape_of({2, 3, 4}, {-1, 0, 2}, 0), (Shape{4, 3, 2}));
    EXPECT_EQ(shape_of({0, 3}, {3, 0}, 1), (Shape{3, 0}));
    EXPECT_EQ(shape_of({1, 12, 0, 64}, {1, -1, 768}, 0), (Shape{1, 0, 768}));
    EXPECT_THROW(shape_of({0, 12, 64}, {0, -1}, 0), Error);  // any size would fit
    EXPECT_EQ(shape_of({1}, {}, 0), (Shape{}));
    EXPECT_THROW(shape_of({2, 3}, {4, -1}, 0), Error);
    EXPECT_THROW(shape_of({2, 3}, {-1, -1}, 0), Error);
    EXPECT_THROW(shape_of({2, 3}, {6, 1, 0}, 0), Error);
    EXPECT_THROW(shape_of({0, 3}, {0, -1}, 1), Error);
    EXPECT_THROW(shape_of({2, 3}, {INT64_MAX, INT64_MAX}, 0), Error);
}

TEST(Movement, SqueezeAndUnsqueezeTakeAxesFromAttributeOrInput) {
    EXPECT_EQ(
        run_kernel_tensor("", "Squeeze", 11, {count_up({1, 3, 1})}, {attribute("axes", ints({0}))})
            .shape(),
        (Shape{3, 1}));
    EXPECT_EQ(run_kernel_tensor("", "Squeeze", 13, {count_up({1, 3, 1}), list({-1})}).shape(),
              (Shape{1, 3}));
    EXPECT_EQ(run_kernel_tensor("", "Squeeze", 13, {count_up({1, 3, 1})}).shape(), (Shape{3}));
    EXPECT_EQ(run_kernel_tensor("", "Squeeze", 13, {count_up({1, 3, 1}), list({})}).shape(),
              (Shape{3}));
    EXPECT_EQ(
        run_kernel_tensor("", "Squeeze", 11, {count_up({1, 3, 1})}, {attribute("axes", ints({}))})
            .shape(),
        (Shape{3}));
    EXPECT_THROW(run_kernel_tensor("", "Squeeze", 13, {count_up({1, 3, 1}), list({1})}), Error);
    EXPECT_EQ(run_kernel_tensor("", "Unsqueeze", 11, {count_up({3, 4})},
                                {attribute("axes", ints({0, 3}))})
                  .shape(),
              (Shape{1, 3, 4, 1}));
    EXPECT_EQ(run_kernel_tensor("", "Unsqueeze", 13, {count_up({3}), list({-1, 0})}).shape(),
              (Shape{1, 3, 1}));
    EXPECT_THROW(run_kernel_tensor("", "Unsqueeze", 13, {count_up({3}), list({0, -3})}), Error);
    EXPECT_EQ(run_kernel_tensor("", "Flatten", 13, {count_up({2, 3, 4})}, {attribute("axis", -1)})
                  .shape(),
              (Shape{6, 4}));
    EXPECT_EQ(
        run_kernel_tensor("", "Flatten", 13, {count_up({2, 3, 4})}, {attribute("axis", 3)}).shape(),
        (Shape{24, 1}));
}

TEST(Movement, TransposeAgreesWithIndexArithmeticForEveryPermutation) {
    const Shape shape{3, 37, 2, 41};
    const Tensor data = count_up(shape);
    I64 permutation{0, 1, 2, 3};
    do {
        const Tensor out =
            run_kernel_tensor("", "Transpose", 13, {data}, {attribute("perm", permutation)});
        const auto values = out.data<float>();
        std::size_t at = 0;
        std::int64_t i[4];
        for (i[0] = 0; i[0] < out.dim(0); ++i[0])
            for (i[1] = 0; i[1] < out.dim(1); ++i[1])
                for (i[2] = 0; i[2] < out.dim(2); ++i[2])
                    for (i[3] = 0; i[3] < out.dim(3); ++i[3], ++at) {
                        std::int64_t source[4];
                        for (int d = 0; d < 4; ++d)
                            source[permutation[static_cast<std::size_t>(d)]] = i[d];
                        const std::int64_t flat =
                            ((source[0] * 37 + source[1]) * 2 + source[2]) * 41 + source[3];
                        ASSERT_EQ(values[at], static_cast<float>(flat)) << "position " << at;
                    }
    } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(Movement, TransposeMovesStringsAndPackedNibbles) {
    const Tensor words = Tensor::of<std::string>({2, 2}, {"a", "b", "c", "d"});
    EXPECT_EQ(values_of<std::string>(run_kernel_tensor("", "Transpose", 13, {words})),
              (std::vector<std::string>{"a", "c", "b", "d"}));
    Tensor nibbles(DType::u4, {3, 1});
    auto* bytes = static_cast<std::uint8_t*>(nibbles.mutable_raw());
    bytes[0] = 0x21, bytes[1] = 0x03;
    const Tensor turned = run_kernel_tensor("", "Transpose", 21, {nibbles});
    EXPECT_EQ(turned.shape(), (Shape{1, 3}));
    EXPECT_EQ(to_doubles(turned), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(run_kernel_tensor("", "Transpose", 13, {count_up({})}).size(), 1);
    EXPECT_EQ(run_kernel_tensor("", "Transpose", 13, {count_up({0, 2})}).shape(), (Shape{2, 0}));
}

TEST(Movement, ConcatRefusesPiecesThatDoNotFit) {
    const Tensor out =
        run_kernel_tensor("", "Concat", 13, {count_up({2, 1}), count_up({2, 0}), count_up({2, 2})},
                          {attribute("axis", -1)});
    EXPECT_EQ(values_of<float>(out), (std::vector<float>{0, 0, 1, 1, 2, 3}));
    EXPECT_THROW(
        run_kernel("", "Concat", 13, {count_up({2, 1}), count_up({3, 1})}, {attribute("axis", 1)}),
        Error);
    EXPECT_THROW(run_kernel("", "Concat", 13, {count_up({})}, {attribute("axis", 0)}), Error);
}

TEST(Movement, SplitSizesComeFromAttributeInputOrOutputs) {
    KernelRun two, three;
    two.outputs = 2, three.outputs = 3;
    const auto shapes = [](const std::vector<RuntimeValue>& outputs) {
        I64 sizes;
        for (const auto& v : outputs) sizes.push_back(v.tensor().dim(1));
        return sizes;
    };
    EXPECT_EQ(shapes(run_kernel("", "Split", 11, {count_up({2, 5})},
                                {attribute("axis", 1), attribute("split", ints({2, 3}))}, two)),
              (I64{2, 3}));
    EXPECT_EQ(shapes(run_kernel("", "Split", 13, {count_up({2, 5}), list({5, 0})},
                                {attribute("axis", -1)}, two)),
              (I64{5, 0}));
    EXPECT_EQ(shapes(run_kernel("", "Split", 18, {count_up({2, 7})},
                                {attribute("axis", 1), attribute("num_outputs", 3)}, three)),
              (I64{3, 3, 1}));
    const auto pieces =
        run_kernel("", "Split", 13, {count_up({2, 4})}, {attribute("axis", 1)}, two);
    EXPECT_EQ(values_of<float>(pieces[1].tensor()), (std::vector<float>{2, 3, 6, 7}));
    EXPECT_THROW(run_kernel("", "Split", 13, {count_up({2, 5})}, {attribute("axis", 1)}, two),
                 Error);
    EXPECT_THROW(run_kernel("", "Split", 13, {count_up({2, 5}), list({INT64_MAX, INT64_MAX})},
                            {attribute("axis", 1)}, two),
                 Error);
    EXPECT_THROW(
        run_kernel("", "Split", 13, {count_up({2, 5}), list({6, -1})}, {attribute("axis", 1)}, two),
        Error);
}

TEST(Movement, SliceClampsAndWalksBackwards) {
    const auto slice = [](I64 starts, I64 ends, I64 axes, I64 steps) {
        return values_of<float>(run_kernel_tensor(
            "", "Slice", 13,
            {count_up({3, 4}), list(starts), list(ends), list(axes), list(steps)}));
    };
    EXPECT_EQ(slice({1}, {INT64_MAX}, {1}, {2}), (std::vector<float>{1, 3, 5, 7, 9, 11}));
    EXPECT_EQ(slice({-1, INT64_MAX}, {INT64_MIN, INT64_MIN}, {0, 1}, {-2, -3}),
              (std::vector<float>{11, 8, 3, 0}));
    EXPECT_EQ(slice({2, 1}, {3, 2}, {0, 1}, {INT64_MAX, INT64_MIN}), (std::vector<float>{}));
    EXPECT_EQ(slice({2, 1}, {3, 0}, {0, 1}, {INT64_MAX, INT64_MIN}), (std::vector<float>{9}));
    EXPECT_EQ(slice({INT64_MIN}, {-2}, {0}, {1}), (std::vector<float>{0, 1, 2, 3}));
    EXPECT_THROW(slice({0}, {1}, {0}, {0}), Error);
    EXPECT_THROW(slice({0, 0}, {1, 1}, {0, -2}, {1, 1}), Error);
    EXPECT_THROW(slice({0}, {1}, {2}, {1}), Error);
    const Tensor old =
        run_kernel_tensor("", "Slice", 9, {count_up({3, 4})},
                          {attribute("starts", ints({-2})), attribute("ends", ints({99}))});
    EXPECT_EQ(old.shape(), (Shape{2, 4}));
}

TEST(Movement, PadExtendsAndCutsInEveryMode) {
    const Tensor data = Tensor::of<float>({4}, {1, 2, 3, 4});
    const auto pad = [&](const char* mode, I64 pads) {
        return values_of<float>(run_kernel_tensor(
            "", "Pad", 19, {data, list(pads), Tensor::scalar(9.0f)}, {attribute("mode", mode)}));
    };
    EXPECT_EQ(pad("constant", {2, -1}), (std::vector<float>{9, 9, 1, 2, 3}));
    EXPECT_EQ(pad("edge", {2, 1}), (std::vector<float>{1, 1, 1, 2, 3, 4, 4}));
    EXPECT_EQ(pad("reflect", {2, 1}), (std::vector<float>{3, 2, 1, 2, 3, 4, 3}));
    EXPECT_EQ(pad("reflect", {-1, 4}), (std::vector<float>{2, 3, 4, 3, 2, 3, 4}));
    EXPECT_EQ(pad("wrap", {1, 6}), (std::vector<float>{4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2}));
    EXPECT_EQ(pad("constant", {-2, -2}), (std::vector<float>{}));
    EXPECT_THROW(pad("constant", {-3, -2}), Error);
    EXPECT_THROW(pad("constant", {INT64_MIN, INT64_MAX}), Error);
    EXPECT_THROW(pad("constant", {INT64_MAX, 1}), Error);
    EXPECT_THROW(pad("mirror", {1, 1}), Error);
    EXPECT_THROW(
        run_kernel("", "Pad", 19, {count_up({0}), list({1, 1})}, {attribute("mode", "edge")}),
        Error);
    const Tensor some = run_kernel_tensor(
        "", "Pad", 18, {count_up({2, 2}), list({1, 0}), RuntimeValue(), list({-1})});
    EXPECT_EQ(values_of<float>(some), (std::vector<float>{0, 0, 1, 0, 2, 3}));
    const Tensor old = run_kernel_tensor(
        "", "Pad", 2, {data}, {attribute("pads", ints({0, 1})), attribute("value", 7.0f)});
    EXPECT_EQ(values_of<float>(old), (std::vector<float>{1, 2, 3, 4, 7}));
    const Tensor crop = run_kernel_tensor("", "CenterCropPad", 18, {count_up({5}), list({2})});
    EXPECT_EQ(values_of<float>(crop), (std::vector<float>{1, 2}));
}

TEST(Movement, TileAndExpandRepeat) {
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Tile", 13, {count_up({2, 2}), list({2, 2})})),
              (std::vector<float>{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
    EXPECT_THROW(run_kernel("", "Tile", 13, {count_up({2}), list({-1})}), Error);
    EXPECT_THROW(run_kernel("", "Tile", 13, {count_up({2}), list({INT64_MAX})}), Error);
    EXPECT_EQ(
        values_of<float>(run_kernel_tensor("", "Expand", 13, {count_up({2, 1}), list({2, 1, 2})})),
        (std::vector<float>{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(run_kernel_tensor("", "Expand", 13, {count_up({1}), list({0, 3})}).shape(),
              (Shape{0, 3}));
    EXPECT_THROW(run_kernel("", "Expand", 13, {count_up({2}), list({3})}), Error);
}

TEST(Movement, LargeOutputsAreRefusedByTheLimit) {
    KernelRun small;
    small.limits.tensor_bytes = 1024;
    EXPECT_EQ(run_kernel_tensor("", "Expand", 13, {count_up({1}), list({256})}, {}, small).size(),
              256);
    EXPECT_THROW(run_kernel("", "Expand", 13, {count_up({1}), list({257})}, {}, small), Error);
    EXPECT_THROW(run_kernel("", "ConstantOfShape", 9, {list({257})}, {}, small), Error);
    EXPECT_THROW(run_kernel("", "Pad", 13, {count_up({1}), list({INT64_MAX / 2, 0})}, {}, small),
                 Error);
}

TEST(Movement, GatherChecksEveryIndex) {
    const Tensor data = count_up({3, 4});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Gather", 13, {data, list({-1, 0})},
                                                 {attribute("axis", 1)})),
              (std::vector<float>{3, 0, 7, 4, 11, 8}));
    EXPECT_EQ(run_kernel_tensor("", "Gather", 13, {data, Tensor::scalar<std::int64_t>(2)}).shape(),
              (Shape{4}));
    EXPECT_EQ(message_of([&] {
                  run_kernel("", "Gather", 13, {data, list({99})});
              }),
              "index 99 is out of range [-3, 2] for axis 0 of f32[3,4]");
    EXPECT_THROW(run_kernel("", "Gather", 13, {count_up({0, 4}), list({0})}), Error);
    EXPECT_EQ(run_kernel_tensor("", "Gather", 13, {count_up({0, 4}), list({})}).shape(),
              (Shape{0, 4}));
    const Tensor rows = Tensor::of<std::int32_t>({1, 4}, {2, -1, 0, 1});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "GatherElements", 13, {data, rows})),
              (std::vector<float>{8, 9, 2, 7}));
    EXPECT_THROW(run_kernel("", "GatherElements", 13,
                            {data, Tensor::of<std::int32_t>({1, 4}, {3, 0, 0, 0})}),
                 Error);
}

TEST(Movement, GatherNdHonoursBatchDimensions) {
    const Tensor data = count_up({2, 2, 2});
    const Tensor pairs = Tensor::of<std::int64_t>({2, 2}, {0, 1, 1, -2});
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "GatherND", 13, {data, pairs})),
              (std::vector<float>{2, 3, 4, 5}));
    const Tensor one = Tensor::of<std::int64_t>({2, 1}, {1, 0});
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("", "GatherND", 13, {data, one}, {attribute("batch_dims", 1)})),
              (std::vector<float>{2, 3, 4, 5}));
    EXPECT_THROW(run_kernel("", "GatherND", 13, {data, Tensor::of<std::int64_t>({1, 2}, {0, 2})}),
                 Error);
    EXPECT_THROW(
        run_kernel("", "GatherND", 13, {data, Tensor::of<std::int64_t>({1, 4}, {0, 0, 0, 0})}),
        Error);
    EXPECT_EQ(run_kernel_tensor("", "GatherND", 13,
                                {count_up({0, 2}), Tensor::of<std::int64_t>({0, 1}, {})},
                                {attribute("batch_dims", 1)})
                  .shape(),
              (Shape{0}));
}

TEST(Movement, ScatterReducesRepeatedIndicesInOrder) {
    const Tensor data = Tensor::of<float>({3}, {1, 2, 3}), updates = Tensor::of<float>({2}, {5, 7});
    const auto scatter = [&](const char* reduction) {
        return values_of<float>(run_kernel_tensor("", "ScatterElements", 18,
                                                  {data, list({1, -2}), updates},
                                                  {attribute("reduction", reduction)}));
    };
    EXPECT_EQ(scatter("none"), (std::vector<float>{1, 7, 3}));
    EXPECT_EQ(scatter("add"), (std::vector<float>{1, 14, 3}));
    EXPECT_EQ(scatter("mul"), (std::vector<float>{1, 70, 3}));
    EXPECT_EQ(scatter("max"), (std::vector<float>{1, 7, 3}));
    EXPECT_EQ(scatter("min"), (std::vector<float>{1, 2, 3}));
    EXPECT_THROW(scatter("median"), Error);
    const Tensor numbers = Tensor::of<std::int32_t>({1}, {INT32_MAX});
    EXPECT_EQ(
        values_of<std::int32_t>(run_kernel_tensor(
            "", "ScatterND", 18,
            {numbers, Tensor::of<std::int64_t>({1, 1}, {0}), Tensor::of<std::int32_t>({1}, {1})},
            {attribute("reduction", "add")})),
        (std::vector<std::int32_t>{INT32_MIN}));
    EXPECT_THROW(run_kernel("", "ScatterElements", 18, {data, list({3, 0}), updates}), Error);
    EXPECT_THROW(
        run_kernel("", "ScatterND", 18,
                   {data, Tensor::of<std::int64_t>({1, 1}, {-4}), Tensor::of<float>({1}, {1})}),
        Error);
    const Tensor rows = run_kernel_tensor("", "ScatterND", 18,
                                          {count_up({2, 2}), Tensor::of<std::int64_t>({1, 1}, {1}),
                                           Tensor::of<float>({1, 2}, {8, 9})});
    EXPECT_EQ(values_of<float>(rows), (std::vector<float>{0, 1, 8, 9}));
}

TEST(Movement, TensorScatterWritesTheCacheAtEachBatchesPosition) {
    const Tensor cache = count_up({2, 1, 3, 1}),
                 update = Tensor::of<float>({2, 1, 2, 1}, {10, 11, 12, 13});
    EXPECT_EQ(
        values_of<float>(run_kernel_tensor("", "TensorScatter", 24, {cache, update, list({1, 2})},
                                           {attribute("mode", "circular")})),
        (std::vector<float>{0, 10, 11, 13, 4, 12}));
    EXPECT_THROW(run_kernel("", "TensorScatter", 24, {cache, update, list({1, 2})}), Error);
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "TensorScatter", 24, {cache, update})),
              (std::vector<float>{10, 11, 2, 12, 13, 5}));
}

TEST(Movement, RangeCountsWithoutOverflow) {
    const auto range = [](std::int64_t a, std::int64_t b, std::int64_t d) {
        return values_of<std::int64_t>(run_kernel_tensor(
            "", "Range", 11, {Tensor::scalar(a), Tensor::scalar(b), Tensor::scalar(d)}));
    };
    EXPECT_EQ(range(10, 4, -2), (I64{10, 8, 6}));
    EXPECT_EQ(range(1, 1, 1), (I64{}));
    EXPECT_EQ(range(INT64_MIN, INT64_MAX, INT64_MAX), (I64{INT64_MIN, -1, INT64_MAX - 1}));
    EXPECT_THROW(range(0, 1, 0), Error);
    EXPECT_EQ(values_of<float>(run_kernel_tensor("", "Range", 11,
                                                 {Tensor::scalar(1.0f), Tensor::scalar(2.0f),
                                                  Tensor::scalar(0.4f)}))
                  .size(),
              3u);
    EXPECT_THROW(
        run_kernel("", "Range", 11,
                   {Tensor::scalar(0.0f), Tensor::scalar(1.0f / 0.0f), Tensor::scalar(1.0f)}),
        Error);
}

TEST(Movement, ConstantsAndShapes) {
    const Tensor value = Tensor::of<std::string>({1}, {"x"});
    EXPECT_EQ(values_of<std::string>(run_kernel_tensor("", "ConstantOfShape", 9, {list({2})},
                                                       {attribute("value", value)})),
              (std::vector<std::string>{"x", "x"}));
    EXPECT_EQ(run_kernel_tensor("", "ConstantOfShape", 9, {list({})}).shape(), (Shape{}));
    EXPECT_EQ(values_of<std::int64_t>(run_kernel_tensor("", "Constant", 13, {},
                                                        {attribute("value_ints", ints({4, 5}))})),
              (I64{4, 5}));
    EXPECT_EQ(
        values_of<std::int64_t>(run_kernel_tensor("", "Shape", 15, {count_up({2, 3, 4})},
                                                  {attribute("start", -2), attribute("end", 99)})),
        (I64{3, 4}));
    EXPECT_EQ(
        values_of<std::int64_t>(run_kernel_tensor("", "Shape", 15, {count_up({2, 3})},
                                                  {attribute("start", 1), attribute("end", 0)})),
        (I64{}));
    EXPECT_EQ(values_of<std::int64_t>(run_kernel_tensor("", "Size", 13, {count_up({2, 3})})),
              (I64{6}));
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("", "EyeLike", 9, {count_up({2, 3})}, {attribute("k", -1)})),
              (std::vector<float>{0, 0, 0, 1, 0, 0}));
}

TEST(Movement, SpaceAndDepthUndoEachOther) {
    const Tensor data = count_up({2, 8, 3, 5});
    const Tensor spread =
        run_kernel_tensor("", "DepthToSpace", 13, {data}, {attribute("blocksize", 2)});
    EXPECT_EQ(spread.shape(), (Shape{2, 2, 6, 10}));
    EXPECT_EQ(spread.data<float>()[1], 30.0f);  // channel 0 + 1 * (8 / 4), first pixel
    EXPECT_TRUE(same_contents(
        run_kernel_tensor("", "SpaceToDepth", 13, {spread}, {attribute("blocksize", 2)}), data));
    EXPECT_EQ(run_kernel_tensor("", "DepthToSpace", 13, {data},
                                {attribute("blocksize", 2), attribute("mode", "CRD")})
                  .data<float>()[1],
              15.0f);
    EXPECT_THROW(run_kernel("", "DepthToSpace", 13, {data}, {attribute("blocksize", 0)}), Error);
    EXPECT_THROW(run_kernel("", "SpaceToDepth", 13, {data}, {attribute("blocksize", 2)}), Error);
}

TEST(Movement, ReverseSequenceTurnsOnlyTheFirstSteps) {
    const Tensor out =
        run_kernel_tensor("", "ReverseSequence", 10, {count_up({3, 2}), list({2, 3})});
    EXPECT_EQ(values_of<float>(out), (std::vector<float>{2, 5, 0, 3, 4, 1}));
    EXPECT_THROW(run_kernel("", "ReverseSequence", 10, {count_up({3, 2}), list({4, 1})}), Error);
}

}  // namespace
}  // namespace lapidary::test
