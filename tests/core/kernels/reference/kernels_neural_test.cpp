// SPDX-License-Identifier: Apache-2.0
// Reference kernels of MatMul, Gemm, convolutions, pooling and normalizations against values worked
// out by hand and against slow loops written here.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using namespace test;

/// A reproducible spread of values in (-1, 1).
Tensor spread(Shape shape, unsigned seed) {
    Tensor t(DType::f32, shape);
    for (float& v : t.mutable_data<float>()) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(static_cast<int>(seed >> 8) % 2001 - 1000) / 1001.0f;
    }
    return t;
}

void expect_near(const Tensor& actual, const Shape& shape, const std::vector<float>& expected,
                 double tolerance = 1e-6) {
    ASSERT_EQ(actual.shape(), shape);
    const auto found = to_doubles(actual);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

TEST(MatMulKernel, MultipliesAllTileEdges) {
    for (const std::int64_t rows : {1, 5, 6, 7, 13})
        for (const std::int64_t columns : {1, 15, 16, 17, 40})
            for (const std::int64_t inner : {1, 3, 256, 300}) {
                const Tensor a = spread({rows, inner}, 1), b = spread({inner, columns}, 2);
                const Tensor y = run_kernel_tensor("", "MatMul", 13, {a, b});
                ASSERT_EQ(y.shape(), (Shape{rows, columns}));
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < columns; ++j) {
                        float sum = 0;  // in the order the kernel promises
                        for (std::int64_t k = 0; k < inner; ++k)
                            sum +=
                                a.data<float>()[i * inner + k] * b.data<float>()[k * columns + j];
                        ASSERT_EQ(y.data<float>()[i * columns + j], sum)
                            << rows << "x" << inner << "x" << columns;
                    }
            }
}

TEST(MatMulKernel, BroadcastsBatchesAndVectors) {
    const Tensor a = Tensor::of<float>({2, 1, 1, 2}, {1, 2, 3, 4}),
                 b = Tensor::of<float>({2, 2, 1}, {5, 6, 7, 8});
    expect_near(run_kernel_tensor("", "MatMul", 13, {a, b}), {2, 2, 1, 1}, {17, 23, 39, 53});
    const Tensor v = Tensor::of<float>({2}, {1, 10});
    expect_near(run_kernel_tensor("", "MatMul", 13, {v, v}), {}, {101});
    expect_near(run_kernel_tensor("", "MatMul", 13, {a, v}), {2, 1, 1}, {21, 43});
    EXPECT_EQ(run_kernel_tensor("", "MatMul", 13,
                                {Tensor(DType::f32, {3, 0}), Tensor(DType::f32, {0, 2})})
                  .shape(),
              (Shape{3, 2}));
}

TEST(MatMulKernel, TakesEveryType) {
    const Tensor ints = Tensor::of<std::int32_t>({2, 2}, {1, -2, 3, 4});
    EXPECT_EQ(values_of<std::int32_t>(run_kernel_tensor("", "MatMul", 9, {ints, ints})),
              (std::vector<std::int32_t>{-5, -10, 15, 10}));
    const Tensor wide = Tensor::of<std::uint64_t>({1, 1}, {1ull << 63});
    // wraps
    EXPECT_EQ(run_kernel_tensor("", "MatMul", 9, {wide, wide}).data<std::uint64_t>()[0], 0u);
    const Tensor half = Tensor::of<Half>({1, 2}, {Half(1.5f), Half(-2.0f)});
    expect_near(run_kernel_tensor("", "MatMul", 13, {half, half.reshaped({2, 1})}), {1, 1},
                {6.25f});
    const Tensor brain = Tensor::of<BFloat16>({1, 2}, {BFloat16(1.5f), BFloat16(-2.0f)});
    expect_near(run_kernel_tensor("", "MatMul", 13, {brain, brain.reshaped({2, 1})}), {1, 1},
                {6.25f});
    const Tensor fine = Tensor::of<double>({1, 1}, {1.0 / 3});
    EXPECT_EQ(run_kernel_tensor("", "MatMul", 13, {fine, fine}).data<double>()[0], 1.0 / 9);
}

TEST(MatMulKernel, NamesShapesThatDoNotFit) {
    try {
        run_kernel("", "MatMul", 13, {Tensor(DType::f32, {2, 3}), Tensor(DType::f32, {2, 3})});
        FAIL() << "no error";
    } catch (const Error& e) {
        EXPECT_NE(e.message().find("[2,3]"), std::string::npos) << e.message();
    }
}

TEST(GemmKernel, ScalesTransposesAndAdds) {
    const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor b = Tensor::of<float>({2, 2}, {1, 0, 2, 1});
    const Tensor c = Tensor::of<float>({3, 1}, {100, 200, 300});
    const Tensor y = run_kernel_tensor("", "Gemm", 13, {a, b, c},
                                       {attribute("transA", 1), attribute("transB", 1),
                                        attribute("alpha", 2.0f), attribute("beta", 0.5f)});
    expect_near(y, {3, 2},
                {2 * 1 + 50, 2 * (2 + 4) + 50, 2 * 2 + 100, 2 * (4 + 5) + 100, 2 * 3 + 150,
                 2 * (6 + 6) + 150});
    const Tensor i = Tensor::of<std::int64_t>({1, 1}, {3});
    EXPECT_EQ(run_kernel_tensor("", "Gemm", 13, {i, i, i}).data<std::int64_t>()[0], 12);
}

struct ConvCase {
    Shape x, w;
    std::int64_t group, stride, dilation, pad;
};

class ConvKernel : public testing::TestWithParam<ConvCase> {};

TEST_P(ConvKernel, AgreesWithDirectLoops) {
    const ConvCase p = GetParam();
    const Tensor x = spread(p.x, 3), w = spread(p.w, 4), b = spread({p.w[0]}, 5);
    const std::int64_t height =
        (p.x[2] + 2 * p.pad - ((p.w[2] - 1) * p.dilation + 1)) / p.stride + 1;
    const std::int64_t width =
        (p.x[3] + 2 * p.pad - ((p.w[3] - 1) * p.dilation + 1)) / p.stride + 1;
    const Tensor y = run_kernel_tensor("", "Conv", 11, {x, w, b},
                                       {attribute("group", static_cast<int>(p.group)),
                                        attribute("strides", ints({p.stride, p.stride})),
                                        attribute("dilations", ints({p.dilation, p.dilation})),
                                        attribute("pads", ints({p.pad, p.pad, p.pad, p.pad}))});
    ASSERT_EQ(y.shape(), (Shape{p.x[0], p.w[0], height, width}));
    const std::int64_t filters = p.w[0] / p.group;
    std::size_t at = 0;
    for (std::int64_t n = 0; n < p.x[0]; ++n)
        for (std::int64_t m = 0; m < p.w[0]; ++m)
            for (std::int64_t oh = 0; oh < height; ++oh)
                for (std::int64_t ow = 0; ow < width; ++ow, ++at) {
                    double sum = b.data<float>()[m];
                    for (std::int64_t c = 0; c < p.w[1]; ++c)
                        for (std::int64_t kh = 0; kh < p.w[2]; ++kh)
                            for (std::int64_t kw = 0; kw < p.w[3]; ++kw) {
                                const std::int64_t ih = oh * p.stride - p.pad + kh * p.dilation,
                                                   iw = ow * p.stride - p.pad + kw * p.dilation;
                                if (ih < 0 || iw < 0 || ih >= p.x[2] || iw >= p.x[3]) continue;
                                const std::int64_t channel = m / filters * p.w[1] + c;
                                sum +=
                                    static_cast<double>(
                                        x.data<float>()[((n * p.x[1] + channel) * p.x[2] + ih) *
                                                            p.x[3] +
                                                        iw]) *
                                    w.data<float>()[((m * p.w[1] + c) * p.w[2] + kh) * p.w[3] + kw];
                            }
                    ASSERT_NEAR(y.data<float>()[at], sum, 2e-5) << "element " << at;
                }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ConvKernel,
                         testing::Values(ConvCase{{1, 1, 5, 5}, {1, 1, 3, 3}, 1, 1, 1, 1},
                                         ConvCase{{2, 3, 9, 7}, {8, 3, 3, 3}, 1, 2, 1, 1},
                                         ConvCase{{1, 40, 6, 6}, {17, 40, 1, 1}, 1, 1, 1, 0},
                                         ConvCase{{1, 4, 8, 8}, {8, 2, 3, 3}, 2, 1, 2, 2},
                                         ConvCase{{1, 6, 11, 13}, {6, 1, 5, 5}, 6, 2, 1, 2},
                                         ConvCase{{1, 6, 9, 9}, {12, 1, 3, 3}, 6, 1, 2, 3},
                                         ConvCase{{3, 32, 20, 20}, {24, 32, 3, 3}, 1, 1, 1, 1},
                                         ConvCase{{1, 8, 4, 4}, {4, 8, 3, 3}, 1, 3, 1, 4}));

TEST(ConvKernels, HandleOtherRanks) {
    const Tensor x = Tensor::of<float>({1, 1, 4}, {1, 2, 3, 4}),
                 w = Tensor::of<float>({1, 1, 2}, {1, 10});
    expect_near(run_kernel_tensor("", "Conv", 11, {x, w}), {1, 1, 3}, {21, 32, 43});
    const Tensor cube(spread({1, 2, 3, 3, 3}, 1)), taps = spread({1, 2, 3, 3, 3}, 2);
    double sum = 0;
    for (std::size_t i = 0; i < 54; ++i)
        sum += static_cast<double>(cube.data<float>()[i]) * taps.data<float>()[i];
    expect_near(run_kernel_tensor("", "Conv", 11, {cube, taps}), {1, 1, 1, 1, 1},
                {static_cast<float>(sum)}, 1e-5);
    EXPECT_EQ(run_kernel_tensor("", "Conv", 11, {Tensor(DType::f32, {0, 1, 4}), w}).shape(),
              (Shape{0, 1, 3}));
}

TEST(ConvTransposeKernel, ScattersWithStridePadsAndOutputPadding) {
    const Tensor x = Tensor::of<float>({1, 1, 2, 2}, {1, 2, 3, 4}),
                 w = Tensor::of<float>({1, 1, 2, 2}, {1, 10, 100, 1000});
    expect_near(
        run_kernel_tensor("", "ConvTranspose", 11, {x, w}, {attribute("strides", ints({2, 2}))}),
        {1, 1, 4, 4}, {1, 10, 2, 20, 100, 1000, 200, 2000, 3, 30, 4, 40, 300, 3000, 400, 4000});
    expect_near(run_kernel_tensor("", "ConvTranspose", 11, {x, w, Tensor::of<float>({1}, {0.5f})},
                                  {attribute("pads", ints({1, 1, 0, 0})),
                                   attribute("output_padding", ints({0, 1})),
                                   attribute("strides", ints({1, 2}))}),
                {1, 1, 2, 4},
                {100 * 10 + 30.5f, 204.5f, 2040.5f, 0.5f, 3000.5f, 400.5f, 4000.5f, 0.5f});
}

TEST(PoolKernels, AverageCountsPaddingByItsAttribute) {
    const Tensor x = Tensor::of<float>({1, 1, 3}, {3, 6, 9});
    const auto pads = attribute("pads", ints({1, 1}));
    const auto kernel = attribute("kernel_shape", ints({3}));
    expect_near(run_kernel_tensor("", "AveragePool", 19, {x}, {kernel, pads}), {1, 1, 3},
                {4.5f, 6, 7.5f});
    expect_near(run_kernel_tensor("", "AveragePool", 19, {x},
                                  {kernel, pads, attribute("count_include_pad", 1)}),
                {1, 1, 3}, {3, 6, 5});
    // The last window hangs over the end: positions beyond the padding never count.
    expect_near(
        run_kernel_tensor("", "AveragePool", 19, {x},
                          {kernel, attribute("strides", ints({2})), attribute("ceil_mode", 1),
                           attribute("count_include_pad", 1), attribute("pads", ints({0, 1}))}),
        {1, 1, 2}, {6, 4.5f});
}

TEST(PoolKernels, MaxGivesValuesAndIndices) {
    const Tensor x = Tensor::of<float>({1, 2, 2, 3}, {1, 5, 2, 4, 3, 6, -1, -2, -3, -4, -5, -6});
    for (const int order : {0, 1}) {
        KernelRun run;
        run.outputs = 2;
        const auto out = run_kernel(
            "", "MaxPool", 12, {x},
            {attribute("kernel_shape", ints({2, 2})), attribute("storage_order", order)}, run);
        expect_near(out[0].tensor(), {1, 2, 1, 2}, {5, 6, -1, -2});
        EXPECT_EQ(values_of<std::int64_t>(out[1].tensor()),
                  order == 0 ? (std::vector<std::int64_t>{1, 5, 6, 7})
                             : (std::vector<std::int64_t>{2, 5, 6, 8}));
    }
    const Tensor bytes = Tensor::of<std::int8_t>({1, 1, 2}, {-7, -3});
    EXPECT_EQ(run_kernel_tensor("", "MaxPool", 12, {bytes}, {attribute("kernel_shape", ints({2}))})
                  .data<std::int8_t>()[0],
              -3);
    EXPECT_THROW(
        run_kernel("", "MaxPool", 12, {bytes},
                   {attribute("kernel_shape", ints({2})), attribute("strides", ints({0}))}),
        Error);
    EXPECT_THROW(run_kernel("", "MaxPool", 12, {bytes}, {attribute("kernel_shape", ints({5}))}),
                 Error);
}

TEST(PoolKernels, GlobalAndLp) {
    const Tensor x = Tensor::of<float>({1, 2, 2}, {3, 4, -6, 8});
    expect_near(run_kernel_tensor("", "GlobalAveragePool", 1, {x}), {1, 2, 1}, {3.5f, 1});
    expect_near(run_kernel_tensor("", "GlobalMaxPool", 1, {x}), {1, 2, 1}, {4, 8});
    expect_near(run_kernel_tensor("", "GlobalLpPool", 2, {x}), {1, 2, 1}, {5, 10});
    expect_near(run_kernel_tensor("", "LpPool", 18, {x}, {attribute("kernel_shape", ints({2}))}),
                {1, 2, 1}, {5, 10});
}

TEST(NormalizationKernels, BatchInferenceAndTraining) {
    const Tensor x = Tensor::of<float>({2, 1, 2}, {1, 3, 5, 7});
    const auto one = [](float v) { return Tensor::of<float>({1}, {v}); };
    expect_near(run_kernel_tensor("", "BatchNormalization", 15, {x, one(2), one(1), one(3), one(4)},
                                  {attribute("epsilon", 0.0f)}),
                {2, 1, 2}, {-1, 1, 3, 5});
    KernelRun run;
    run.outputs = 3;
    const auto out = run_kernel(
        "", "BatchNormalization", 15, {x, one(1), one(0), one(0), one(1)},
        {attribute("epsilon", 0.0f), attribute("training_mode", 1), attribute("momentum", 0.5f)},
        run);
    const float d = std::sqrt(5.0f);
    expect_near(out[0].tensor(), {2, 1, 2}, {-3 / d, -1 / d, 1 / d, 3 / d});
    expect_near(out[1].tensor(), {1}, {2});
    expect_near(out[2].tensor(), {1}, {3});
}

TEST(NormalizationKernels, LayerGroupInstanceRms) {
    const Tensor x = Tensor::of<float>({1, 2, 2}, {1, 3, 10, 30});
    const Tensor scale = Tensor::of<float>({2}, {1, 2}), bias = Tensor::of<float>({2}, {0, 5});
    KernelRun run;
    run.outputs = 3;
    const auto out = run_kernel("", "LayerNormalization", 17, {x, scale, bias},
                                {attribute("epsilon", 0.0f)}, run);
    expect_near(out[0].tensor(), {1, 2, 2}, {-1, 7, -1, 7});
    expect_near(out[1].tensor(), {1, 2, 1}, {2, 20});
    expect_near(out[2].tensor(), {1, 2, 1}, {1, 0.1f});
    expect_near(run_kernel_tensor("", "InstanceNormalization", 6, {x, scale, bias},
                                  {attribute("epsilon", 0.0f)}),
                {1, 2, 2}, {-1, 1, 3, 7});
    expect_near(run_kernel_tensor("", "GroupNormalization", 21, {x, scale, bias},
                                  {attribute("epsilon", 0.0f), attribute("num_groups", 2)}),
                {1, 2, 2}, {-1, 1, 3, 7});
    expect_near(
        run_kernel_tensor("", "RMSNormalization", 23, {Tensor::of<float>({1, 2}, {3, 4}), scale},
                          {attribute("epsilon", 0.0f)}),
        {1, 2}, {3 / std::sqrt(12.5f), 8 / std::sqrt(12.5f)});
}

TEST(NormalizationKernels, LrnAndMeanVariance) {
    const Tensor x = Tensor::of<float>({1, 3, 1}, {1, 2, 3});
    const auto options = [](int size) {
        return std::vector<Attribute>{attribute("size", size), attribute("alpha", 3.0f),
                                      attribute("beta", 1.0f), attribute("bias", 2.0f)};
    };
    expect_near(run_kernel_tensor("", "LRN", 13, {x}, options(3)), {1, 3, 1},
                {1.0f / 7, 2.0f / 16, 3.0f / 15});
    expect_near(run_kernel_tensor("", "MeanVarianceNormalization", 13,
                                  {Tensor::of<float>({2, 2}, {1, 10, 3, 30})},
                                  {attribute("axes", ints({0}))}),
                {2, 2}, {-1, -1, 1, 1});
}

TEST(EinsumKernel, ContractsAndBroadcasts) {
    const Tensor a = Tensor::of<float>({2, 2}, {1, 2, 3, 4}),
                 b = Tensor::of<float>({2, 2}, {5, 6, 7, 8});
    const auto einsum = [](const char* equation, std::vector<RuntimeValue> inputs) {
        return run_kernel_tensor("", "Einsum", 12, std::move(inputs),
                                 {attribute("equation", equation)});
    };
    expect_near(einsum("ij,jk->ik", {a, b}), {2, 2}, {19, 22, 43, 50});
    expect_near(einsum("ij , jk", {a, b}), {2, 2}, {19, 22, 43, 50});
    expect_near(einsum("ij,kj->ki", {a, b}), {2, 2}, {17, 39, 23, 53});
    expect_near(einsum("ii->i", {a}), {2}, {1, 4});
    expect_near(einsum("ii", {a}), {}, {5});
    expect_near(einsum("ji", {a}), {2, 2}, {1, 3, 2, 4});
    expect_near(einsum("ij->", {a}), {}, {10});
    expect_near(einsum("ij,ij->j", {a, b}), {2}, {26, 44});
    expect_near(einsum("ij,jk,k->i", {a, b, Tensor::of<float>({2}, {1, -1})}), {2}, {-3, -7});
    expect_near(einsum("...ij,...j->...i", {a.reshaped({1, 2, 2}), b}), {2, 2}, {17, 39, 23, 53});
    const Tensor ints8 = Tensor::of<std::int8_t>({2}, {100, 100});
    // wraps
    EXPECT_EQ(einsum("i,i->", {ints8, Tensor::of<std::int8_t>({2}, {1, 1})}).data<std::int8_t>()[0],
              -56);
    EXPECT_EQ(einsum("ij,jk->ik", {Tensor(DType::f32, {0, 2}), b}).shape(), (Shape{0, 2}));
    expect_near(einsum("ij,jk->ik", {Tensor(DType::f32, {1, 0}), Tensor(DType::f32, {0, 2})}),
                {1, 2}, {0, 0});
    for (const char* wrong :
         {"ij,jk->iz", "ij", "ij,jkl->ik", "i1,jk->ik", "ij,jk->ii", "ij,jk->ik->", "i......,jk"})
        EXPECT_THROW(einsum(wrong, {a, b}), Error) << wrong;
    EXPECT_THROW(einsum("ij,jk->ik", {a, Tensor(DType::f32, {3, 2})}), Error);
}

TEST(DeformConvKernel, MovesTapsByFractions) {
    const Tensor x = Tensor::of<float>({1, 1, 2, 2}, {1, 2, 4, 8}),
                 w = Tensor::of<float>({1, 1, 1, 1}, {10});
    Tensor offset(DType::f32, {1, 2, 2, 2});
    for (float& v : offset.mutable_data<float>()) v = 0;
    expect_near(run_kernel_tensor("", "DeformConv", 19, {x, w, offset}), {1, 1, 2, 2},
                {10, 20, 40, 80});
    offset.mutable_data<float>()[0] = 0.5f;  // first position, rows
    // last position, columns: a quarter of it lies outside
    offset.mutable_data<float>()[7] = 0.25f;
    const Tensor mask = Tensor::of<float>({1, 1, 2, 2}, {1, 1, 0.5f, 1}),
                 bias = Tensor::of<float>({1}, {1});
    expect_near(run_kernel_tensor("", "DeformConv", 19, {x, w, offset, bias, mask}), {1, 1, 2, 2},
                {26, 21, 21, 61});
    EXPECT_THROW(run_kernel("", "DeformConv", 19, {x, w, Tensor(DType::f32, {1, 2, 2, 3})}), Error);
}

TEST(UnpoolKernels, PutValuesBackAndCheckIndices) {
    const Tensor x = Tensor::of<float>({1, 1, 1, 2}, {5, 6});
    const auto attributes = [] {
        return std::vector<Attribute>{attribute("kernel_shape", ints({1, 2})),
                                      attribute("strides", ints({1, 2}))};
    };
    const auto unpool = [&](std::vector<std::int64_t> indices, RuntimeValue shape = {}) {
        return run_kernel_tensor(
            "", "MaxUnpool", 11,
            {x, Tensor::of<std::int64_t>({1, 1, 1, 2}, indices), std::move(shape)}, attributes());
    };
    expect_near(unpool({1, 2}), {1, 1, 1, 4}, {0, 5, 6, 0});
    expect_near(unpool({1, 2}, Tensor::of<std::int64_t>({4}, {1, 1, 2, 5})), {1, 1, 2, 5},
                {0, 5, 6, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_THROW(unpool({1, 4}), Error);
    EXPECT_THROW(unpool({-1, 2}), Error);
    EXPECT_THROW(unpool({1, 3}, Tensor::of<std::int64_t>({4}, {1, 1, 1, 3})), Error);
}

TEST(MaxRoiPoolKernel, TakesTheMaximumOfEachBin) {
    const Tensor x = Tensor::of<float>({1, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 6, 5});
    const auto pooled = attribute("pooled_shape", ints({1, 2}));
    expect_near(run_kernel_tensor("", "MaxRoiPool", 22,
                                  {x, Tensor::of<float>({1, 5}, {0, 0, 0, 3, 1})}, {pooled}),
                {1, 1, 1, 2}, {8, 6});
    EXPECT_THROW(
        run_kernel("", "MaxRoiPool", 22, {x, Tensor::of<float>({1, 5}, {1, 0, 0, 3, 1})}, {pooled}),
        Error);
    EXPECT_THROW(run_kernel("", "MaxRoiPool", 22,
                            {x, Tensor::of<float>({1, 5}, {0, 0, 0, 1e20f, 1})}, {pooled}),
                 Error);
}

TEST(DropoutKernel, CopiesOrDropsTheRequestedShare) {
    const Tensor x = spread({10000}, 9);
    const Tensor ratio = Tensor::scalar(0.25f), training = Tensor::of<bool>({}, {true});
    EXPECT_TRUE(same_contents(run_kernel_tensor("", "Dropout", 13, {x, ratio}), x));
    KernelRun run;
    run.outputs = 2;
    const auto out =
        run_kernel("", "Dropout", 13, {x, ratio, training}, {attribute("seed", 3)}, run);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < 10000; ++i) {
        const bool keep = out[1].tensor().data<bool>()[i];
        kept += keep;
        ASSERT_NEAR(out[0].tensor().data<float>()[i], keep ? x.data<float>()[i] / 0.75f : 0.0f,
                    1e-6);
    }
    EXPECT_NEAR(static_cast<double>(kept), 7500, 200);
    EXPECT_TRUE(same_contents(
        run_kernel("", "Dropout", 13, {x, ratio, training}, {attribute("seed", 3)}, run)[0]
            .tensor(),
        out[0].tensor()));
}

}  // namespace
}  // namespace lapidary
