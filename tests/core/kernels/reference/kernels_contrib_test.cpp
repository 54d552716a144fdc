// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

Tensor run_ms(const char* op, std::vector<RuntimeValue> inputs,
              std::vector<Attribute> attributes = {}, const KernelRun& run = {}) {
    return run_kernel_tensor("com.microsoft", op, 1, std::move(inputs), std::move(attributes), run);
}

/// Values that look random but are the same each time.
Tensor noise(Shape shape, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

void expect_near(const Tensor& a, const Tensor& b, float tolerance = 1e-5f) {
    ASSERT_EQ(a.shape(), b.shape());
    const auto x = a.data<float>(), y = b.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance) << "element " << i;
}

TEST(FusedKernels, BiasAndActivation) {
    const Tensor x = Tensor::of<float>({1, 2}, {0.5f, -1}),
                 bias = Tensor::of<float>({2}, {0.5f, 2});
    const auto gelu = values_of<float>(run_ms("BiasGelu", {x, bias}));
    EXPECT_NEAR(gelu[0], 0.8413447f, 1e-6);
    EXPECT_NEAR(gelu[1], 0.8413447f, 1e-6);
    EXPECT_NEAR(run_ms("FastGelu", {x, bias}).data<float>()[0], 0.841192f, 1e-6);
    EXPECT_NEAR(run_ms("QuickGelu", {x}).data<float>()[0], 0.5f / (1 + std::exp(-0.851f)), 1e-6);
    EXPECT_THROW(run_ms("BiasGelu", {x, Tensor::of<float>({3}, {1, 2, 3})}), Error);
}

TEST(FusedKernels, FusedMatMulTransposesAndScales) {
    const Tensor a = noise({2, 3, 4}, 1), b = noise({2, 4, 5}, 2);
    const Tensor plain = run_kernel_tensor("", "MatMul", 13, {a, b});
    const Tensor at =
        run_kernel_tensor("", "Transpose", 13, {a}, {attribute("perm", ints({0, 2, 1}))});
    const Tensor bt =
        run_kernel_tensor("", "Transpose", 13, {b}, {attribute("perm", ints({2, 0, 1}))});
    const Tensor half = run_kernel_tensor("", "Mul", 14, {plain, Tensor::scalar(0.5f)});
    expect_near(run_ms("FusedMatMul", {at, b}, {attribute("transA", 1), attribute("alpha", 0.5f)}),
                half);
    // bt is [5, 2, 4]: dimension 0 belongs to the matrix, and the matrix is transposed.
    expect_near(
        run_ms("FusedMatMul", {a, bt}, {attribute("transB", 1), attribute("transBatchB", 1)}),
        plain);
}

TEST(FusedKernels, ConvolutionWithSumAndActivation) {
    const Tensor x = noise({1, 2, 4, 4}, 3), w = noise({3, 2, 3, 3}, 4), b = noise({3}, 5),
                 z = noise({1, 3, 2, 2}, 6);
    const Tensor sum =
        run_kernel_tensor("", "Add", 14, {run_kernel_tensor("", "Conv", 11, {x, w, b}), z});
    expect_near(run_ms("FusedConv", {x, w, b, z}, {attribute("activation", "Relu")}),
                run_kernel_tensor("", "Relu", 14, {sum}));
    const Tensor clipped = run_ms(
        "FusedConv", {x, w, b, z},
        {attribute("activation", "Clip"), attribute("activation_params", floats({-0.1f, 0.1f}))});
    for (const float v : values_of<float>(clipped)) EXPECT_LE(std::fabs(v), 0.1f);
    EXPECT_THROW(run_ms("FusedConv", {x, w, b}, {attribute("activation", "LeakyRelu")}), Error);
    EXPECT_THROW(run_ms("FusedConv", {x, w, b}, {attribute("activation", "Unheard")}), Error);
}

TEST(FusedKernels, SkipLayerNormalizationGivesTheSumToo) {
    const Tensor x = noise({2, 3, 4}, 7), skip = noise({3, 4}, 8), gamma = noise({4}, 9),
                 beta = noise({4}, 10), bias = noise({4}, 11);
    KernelRun four;
    four.outputs = 4;
    four.unwanted_outputs = {1, 2};
    const auto out = run_kernel("com.microsoft", "SkipLayerNormalization", 1,
                                {x, skip, gamma, beta, bias}, {attribute("epsilon", 1e-5f)}, four);
    const Tensor sum = run_kernel_tensor("", "Sum", 13, {x, skip, bias});
    expect_near(out[3].tensor(), sum);
    expect_near(out[0].tensor(),
                run_kernel_tensor("", "LayerNormalization", 17, {sum, gamma, beta}));
    EXPECT_THROW(run_ms("SkipLayerNormalization", {x, noise({2, 4}, 1), gamma}), Error);
}

TEST(FusedKernels, GroupNormInBothLayouts) {
    const Tensor x = noise({2, 3, 5, 4}, 7), gamma = noise({4}, 9), beta = noise({4}, 10);
    const Tensor first = run_kernel_tensor(
        "", "Transpose", 13, {x}, {attribute("perm", std::vector<std::int64_t>{0, 3, 1, 2})});
    const Tensor plain =
        run_kernel_tensor("", "GroupNormalization", 21, {first, gamma, beta},
                          {attribute("num_groups", 2), attribute("epsilon", 1e-5f)});
    const std::vector<Attribute> two{attribute("groups", 2), attribute("activation", 0)};
    const Tensor last = run_kernel_tensor(
        "", "Transpose", 13, {plain}, {attribute("perm", std::vector<std::int64_t>{0, 2, 3, 1})});
    expect_near(run_ms("GroupNorm", {x, gamma, beta}, two), last);
    expect_near(
        run_ms("GroupNorm", {first, gamma, beta}, {two[0], two[1], attribute("channels_last", 0)}),
        plain);
    expect_near(
        run_ms("GroupNorm", {x, gamma, beta}, {two[0], attribute("activation", 1)}),
        run_kernel_tensor("", "Mul", 13, {last, run_kernel_tensor("", "Sigmoid", 13, {last})}));
    EXPECT_THROW(run_ms("GroupNorm", {x, gamma, beta}, {attribute("groups", 3), two[1]}), Error);
    EXPECT_THROW(run_ms("GroupNorm", {x, noise({3}, 1), beta}, two), Error);
    EXPECT_THROW(run_ms("GroupNorm", {x, gamma, beta}, {two[0], attribute("activation", 2)}),
                 Error);
}

TEST(FusedKernels, SkipGroupNormGivesTheSumToo) {
    const Tensor x = noise({2, 3, 5, 4}, 7), gamma = noise({4}, 9), beta = noise({4}, 10),
                 skip = noise({2, 4}, 11), bias = noise({4}, 12);
    KernelRun two;
    two.outputs = 2;
    const std::vector<Attribute> attributes{attribute("groups", 2), attribute("activation", 1)};
    const auto out = run_kernel("com.microsoft", "SkipGroupNorm", 1, {x, gamma, beta, skip, bias},
                                attributes, two);
    const Tensor sum = run_kernel_tensor("", "Sum", 13, {x, skip.reshaped({2, 1, 1, 4}), bias});
    expect_near(out[1].tensor(), sum);
    expect_near(out[0].tensor(), run_ms("GroupNorm", {sum, gamma, beta}, attributes));
    EXPECT_THROW(run_ms("SkipGroupNorm", {x, gamma, beta, noise({2, 3}, 1)}, attributes), Error);
}

TEST(FusedKernels, SkipLayerNormalizationHasItsOwnEpsilon) {
    const Tensor x = Tensor::of<float>({1, 2}, {1e-4f, -1e-4f}),
                 none = Tensor::of<float>({1, 2}, {0, 0}), gamma = Tensor::of<float>({2}, {1, 1});
    EXPECT_NEAR(run_ms("SkipLayerNormalization", {x, none, gamma}).data<float>()[0], 1, 1e-3);
}

TEST(FusedKernels, EmbeddingsCheckTheirIds) {
    const Tensor words = noise({5, 4}, 1), positions = noise({3, 4}, 2),
                 segments = noise({2, 4}, 3), gamma = noise({4}, 4), beta = noise({4}, 5);
    const auto embed = [&](std::vector<std::int32_t> ids) {
        KernelRun two;
        two.outputs = 2;
        return run_kernel(
            "com.microsoft", "EmbedLayerNormalization", 1,
            {Tensor::of<std::int32_t>({1, 3}, ids), Tensor::of<std::int32_t>({1, 3}, {0, 1, 0}),
             words, positions, segments, gamma, beta, Tensor::of<std::int32_t>({1, 3}, {1, 1, 0})},
            {}, two);
    };
    EXPECT_EQ(embed({0, 4, 2})[1].tensor().data<std::int32_t>()[0], 2);
    EXPECT_THROW(embed({0, 5, 2}), Error);
    EXPECT_THROW(embed({0, -6, 2}), Error);
    expect_near(embed({-5, -1, 2})[0].tensor(), embed({0, 4, 2})[0].tensor());
}

/// softmax(q k^T * scale + mask) v, one head, by plain loops.
F attend(const F& q, const F& k, const F& v, std::int64_t queries, std::int64_t keys,
         std::int64_t size, const std::function<bool(std::int64_t, std::int64_t)>& visible) {
    F out(static_cast<std::size_t>(queries * size), 0);
    for (std::int64_t s = 0; s < queries; ++s) {
        std::vector<double> weights(static_cast<std::size_t>(keys), 0.0);
        double sum = 0;
        for (std::int64_t t = 0; t < keys; ++t) {
            if (!visible(s, t)) continue;
            double dot = 0;
            for (std::int64_t i = 0; i < size; ++i) dot += q[s * size + i] * k[t * size + i];
            weights[t] = std::exp(dot / std::sqrt(static_cast<double>(size)));
            sum += weights[t];
        }
        for (std::int64_t t = 0; t < keys; ++t)
            for (std::int64_t i = 0; i < size; ++i)
                out[s * size + i] += static_cast<float>(weights[t] / sum * v[t * size + i]);
    }
    return out;
}

TEST(AttentionKernels, OneHeadAgreesWithPlainLoops) {
    const Tensor q = noise({1, 3, 4}, 1), k = noise({1, 5, 4}, 2), v = noise({1, 5, 4}, 3);
    const auto plain = [&](const std::function<bool(std::int64_t, std::int64_t)>& visible) {
        return Tensor::of<float>({1, 3, 4}, attend(values_of<float>(q), values_of<float>(k),
                                                   values_of<float>(v), 3, 5, 4, visible));
    };
    expect_near(run_ms("MultiHeadAttention", {q, k, v}, {attribute("num_heads", 1)}),
                plain([](auto, auto) { return true; }));
    const Tensor lengths = Tensor::of<std::int32_t>({1}, {2});
    expect_near(run_ms("MultiHeadAttention", {q, k, v, {}, lengths}, {attribute("num_heads", 1)}),
                plain([](auto, auto t) { return t < 2; }));
    const Tensor mask = Tensor::of<std::int32_t>({1, 5}, {0, 1, 1, 0, 1});
    expect_near(run_ms("MultiHeadAttention", {q, k, v, {}, mask}, {attribute("num_heads", 1)}),
                plain([](auto, auto t) { return t != 0 && t != 3; }));
    EXPECT_THROW(
        run_ms("MultiHeadAttention", {q, k, v, {}, Tensor::of<std::int32_t>({4}, {1, 1, 1, 1})},
               {attribute("num_heads", 1)}),
        Error);
    EXPECT_THROW(run_ms("MultiHeadAttention", {q, k, v}, {attribute("num_heads", 3)}), Error);
}

TEST(AttentionKernels, ProjectedAttentionWithPastContinuesASequence) {
    // Running five tokens at once and three plus two with the past gives the same last rows.
    const Tensor x = noise({1, 5, 6}, 4), w = noise({6, 24}, 5), bias = noise({24}, 6);
    const auto part = [&](std::int64_t first, std::int64_t count) {
        const auto values = values_of<float>(x);
        return Tensor::of<float>(
            {1, count, 6}, F(values.begin() + first * 6, values.begin() + (first + count) * 6));
    };
    KernelRun two;
    two.outputs = 2;
    const std::vector<Attribute> attributes{attribute("num_heads", 2),
                                            attribute("unidirectional", 1)};
    const auto whole = run_kernel("com.microsoft", "Attention", 1, {x, w, bias}, attributes, two);
    const auto first =
        run_kernel("com.microsoft", "Attention", 1, {part(0, 3), w, bias}, attributes, two);
    const auto second = run_kernel("com.microsoft", "Attention", 1,
                                   {part(3, 2), w, bias, {}, first[1]}, attributes, two);
    expect_near(second[1].tensor(), whole[1].tensor());
    const auto all = values_of<float>(whole[0].tensor());
    expect_near(second[0].tensor(), Tensor::of<float>({1, 2, 8}, F(all.begin() + 24, all.end())));
}

TEST(AttentionKernels, GroupedHeadsShareKeys) {
    const Tensor q = noise({1, 2, 8}, 1), k = noise({1, 2, 4}, 2), v = noise({1, 2, 4}, 3);
    const RuntimeValue last = Tensor::of<std::int32_t>({1}, {1}),
                       total = Tensor::scalar(std::int32_t{2});
    KernelRun three;
    three.outputs = 3;
    const auto out =
        run_kernel("com.microsoft", "GroupQueryAttention", 1, {q, k, v, {}, {}, last, total},
                   {attribute("num_heads", 2), attribute("kv_num_heads", 1)}, three);
    const auto query = values_of<float>(q), result = values_of<float>(out[0].tensor());
    for (int head = 0; head < 2; ++head) {
        F rows;
        for (int s = 0; s < 2; ++s)
            rows.insert(rows.end(), query.begin() + s * 8 + head * 4,
                        query.begin() + s * 8 + head * 4 + 4);
        const F expected = attend(rows, values_of<float>(k), values_of<float>(v), 2, 2, 4,
                                  [](auto s, auto t) { return t <= s; });
        for (int s = 0; s < 2; ++s)
            for (int i = 0; i < 4; ++i)
                EXPECT_NEAR(result[s * 8 + head * 4 + i], expected[s * 4 + i], 1e-5);
    }
    EXPECT_EQ(out[1].tensor().shape(), (Shape{1, 1, 2, 4}));
    const RuntimeValue far = Tensor::of<std::int32_t>({1}, {1000});
    EXPECT_THROW(
        run_kernel("com.microsoft", "GroupQueryAttention", 1, {q, k, v, {}, {}, far, total},
                   {attribute("num_heads", 2), attribute("kv_num_heads", 1)}, three),
        Error);
}

TEST(AttentionKernels, RotaryPositionsAreChecked) {
    const Tensor x = Tensor::of<float>({1, 1, 4}, {1, 2, 3, 4});
    const Tensor cos = Tensor::of<float>({2, 2}, {1, 1, 0, 0}),
                 sin = Tensor::of<float>({2, 2}, {0, 0, 1, 1});
    const auto rotate = [&](std::int64_t position, int interleaved) {
        return run_ms("RotaryEmbedding", {x, Tensor::of<std::int64_t>({1}, {position}), cos, sin},
                      {attribute("interleaved", interleaved)});
    };
    EXPECT_EQ(values_of<float>(rotate(0, 0)), (F{1, 2, 3, 4}));
    EXPECT_EQ(values_of<float>(rotate(1, 0)), (F{-3, -4, 1, 2}));
    EXPECT_EQ(values_of<float>(rotate(1, 1)), (F{-2, 1, -4, 3}));
    EXPECT_THROW(rotate(2, 0), Error);
}

TEST(OldKernels, CropAndImageScaler) {
    const Tensor x = Tensor::of<float>({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    const auto old = [&](const char* op, std::vector<Attribute> attributes) {
        return run_kernel_tensor("", op, 9, {x}, std::move(attributes));
    };
    EXPECT_EQ(values_of<float>(old("Crop", {attribute("border", ints({1, 0, 0, 1}))})),
              (F{1, 2, 4, 5}));
    EXPECT_EQ(values_of<float>(old("Crop", {attribute("border", ints({1, 1, 0, 0})),
                                            attribute("scale", ints({1, 2}))})),
              (F{4, 5}));
    EXPECT_THROW(old("Crop", {attribute("border", ints({2, 0, 2, 0}))}), Error);
    EXPECT_EQ(old("ImageScaler", {attribute("scale", 2.0f), attribute("bias", floats({1}))})
                  .data<float>()[8],
              17);
    EXPECT_FLOAT_EQ(run_ms("Inverse", {Tensor::of<float>({2, 2}, {2, 0, 1, 4})}).data<float>()[2],
                    -0.125f);
    EXPECT_THROW(run_ms("Inverse", {Tensor::of<float>({2, 2}, {1, 2, 2, 4})}), Error);
}

}  // namespace
}  // namespace lapidary::test
