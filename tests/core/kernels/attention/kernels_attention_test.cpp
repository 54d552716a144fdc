// SPDX-License-Identifier: Apache-2.0
// Attention and RotaryEmbedding against values worked out by hand and against direct loops.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using namespace test;

Tensor floats_of(Shape shape, std::vector<float> values) {
    return Tensor::of<float>(std::move(shape), values);
}

/// Scores that are 0 everywhere make the output the mean of the attended values.
std::vector<float> mean_attention(std::vector<RuntimeValue> more, std::vector<Attribute> attributes,
                                  std::int64_t version = 23) {
    std::vector<RuntimeValue> inputs{floats_of({1, 1, 3, 1}, {0, 0, 0}),
                                     floats_of({1, 1, 3, 1}, {1, 2, 3}),
                                     floats_of({1, 1, 3, 1}, {1, 2, 6})};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return values_of<float>(
        run_kernel_tensor("", "Attention", version, std::move(inputs), std::move(attributes)));
}

TEST(AttentionKernel, MasksKeys) {
    EXPECT_EQ(mean_attention({}, {}), (std::vector<float>{3, 3, 3}));
    EXPECT_EQ(mean_attention({}, {attribute("is_causal", 1)}), (std::vector<float>{1, 1.5f, 3}));
    const Tensor mask =
        Tensor::of<bool>({3, 3}, {true, false, true, false, false, false, false, true, true});
    // a row without keys is zero
    EXPECT_EQ(mean_attention({mask}, {}), (std::vector<float>{3.5f, 0, 4}));
    EXPECT_EQ(mean_attention({mask}, {attribute("is_causal", 1)}), (std::vector<float>{1, 0, 4}));
    const Tensor narrow = Tensor::of<bool>({3, 2}, {true, true, true, true, false, true});
    EXPECT_EQ(mean_attention({narrow}, {}), (std::vector<float>{1.5f, 1.5f, 2}));
    const RuntimeValue none;
    EXPECT_EQ(mean_attention({none, none, none, Tensor::of<std::int64_t>({1}, {2})}, {}, 24),
              (std::vector<float>{1.5f, 1.5f, 1.5f}));
    // Two keys for three queries: the first query precedes them all.
    EXPECT_EQ(mean_attention({none, none, none, Tensor::of<std::int64_t>({1}, {2})},
                             {attribute("is_causal", 1)}, 24),
              (std::vector<float>{0, 1, 1.5f}));
}

TEST(AttentionKernel, WeighsBySoftmaxOfScaledProducts) {
    const Tensor q = floats_of({1, 1, 1, 2}, {1, 2}),
                 k = floats_of({1, 1, 2, 2}, {0.5f, 0.25f, -1, 1}),
                 v = floats_of({1, 1, 2, 1}, {10, 20});
    // (1*0.5 + 2*0.25) and (-1 + 2), scaled
    const double a = 1.0 / std::sqrt(2.0), b = 1.0 / std::sqrt(2.0);
    KernelRun run;
    run.outputs = 4;
    const auto plain =
        run_kernel("", "Attention", 23, {q, k, v}, {attribute("qk_matmul_output_mode", 0)}, run);
    EXPECT_NEAR(plain[3].tensor().data<float>()[0], a, 1e-6);
    EXPECT_NEAR(plain[3].tensor().data<float>()[1], b, 1e-6);
    EXPECT_NEAR(plain[0].tensor().data<float>()[0], 15, 1e-5);
    const Tensor bias = floats_of({1, 2}, {0, -1});
    const auto capped = run_kernel("", "Attention", 23, {q, k, v, bias},
                                   {attribute("softcap", 0.5f), attribute("scale", 1.0f),
                                    attribute("qk_matmul_output_mode", 3)},
                                   run);
    const double cap = 0.5 * std::tanh(2.0), first = std::exp(cap), second = std::exp(cap - 1);
    EXPECT_NEAR(capped[3].tensor().data<float>()[0], first / (first + second), 1e-6);
    EXPECT_NEAR(capped[0].tensor().data<float>()[0], (10 * first + 20 * second) / (first + second),
                1e-5);
}

TEST(AttentionKernel, SharesKeyHeadsAndKeepsThePast) {
    // Heads-last form: two query heads on one key head, one past key.
    const Tensor q = floats_of({1, 1, 2}, {0, 100}), k = floats_of({1, 1, 1}, {1}),
                 v = floats_of({1, 1, 1}, {4});
    const Tensor past_key = floats_of({1, 1, 1, 1}, {-1}),
                 past_value = floats_of({1, 1, 1, 1}, {2});
    KernelRun run;
    run.outputs = 3;
    const auto out = run_kernel(
        "", "Attention", 23, {q, k, v, RuntimeValue(), past_key, past_value},
        {attribute("q_num_heads", 2), attribute("kv_num_heads", 1), attribute("is_causal", 1)},
        run);
    EXPECT_EQ(out[0].tensor().shape(), (Shape{1, 1, 2}));
    EXPECT_EQ(values_of<float>(out[0].tensor()), (std::vector<float>{3, 4}));
    EXPECT_EQ(values_of<float>(out[1].tensor()), (std::vector<float>{-1, 1}));
    EXPECT_EQ(values_of<float>(out[2].tensor()), (std::vector<float>{2, 4}));
    EXPECT_EQ(out[1].tensor().shape(), (Shape{1, 1, 2, 1}));
}

TEST(AttentionKernel, RunsManyQueriesLikeDirectLoops) {
    const std::int64_t heads = 2, queries = 70, keys = 33, size = 5;
    const auto filled = [](Shape shape, unsigned seed) {
        Tensor t(DType::f32, std::move(shape));
        for (float& v : t.mutable_data<float>()) {
            seed = seed * 1664525u + 1013904223u;
            v = static_cast<float>(static_cast<int>(seed >> 8) % 2001 - 1000) / 500.0f;
        }
        return t;
    };
    const Tensor q = filled({1, heads, queries, size}, 1), k = filled({1, heads, keys, size}, 2),
                 v = filled({1, heads, keys, size}, 3);
    const Tensor y = run_kernel_tensor("", "Attention", 23, {q, k, v});
    for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t i = 0; i < queries; ++i) {
            std::vector<double> weights;
            double total = 0;
            for (std::int64_t j = 0; j < keys; ++j) {
                double dot = 0;
                for (std::int64_t d = 0; d < size; ++d)
                    dot += static_cast<double>(q.data<float>()[(h * queries + i) * size + d]) *
                           k.data<float>()[(h * keys + j) * size + d];
                weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(size))));
                total += weights.back();
            }
            for (std::int64_t d = 0; d < size; ++d) {
                double sum = 0;
                for (std::int64_t j = 0; j < keys; ++j)
                    sum += weights[static_cast<std::size_t>(j)] / total *
                           v.data<float>()[(h * keys + j) * size + d];
                ASSERT_NEAR(y.data<float>()[(h * queries + i) * size + d], sum, 1e-5);
            }
        }
}

TEST(AttentionKernel, RefusesWhatDoesNotFit) {
    const Tensor q(DType::f32, {1, 3, 2, 4}), k(DType::f32, {1, 2, 2, 4});
    EXPECT_THROW(run_kernel("", "Attention", 23, {q, k, k}), Error);  // 3 heads on 2
    const Tensor one(DType::f32, {1, 1, 2, 4});
    EXPECT_THROW(run_kernel("", "Attention", 23, {one, one, one, Tensor(DType::f32, {5, 2})}),
                 Error);
    EXPECT_THROW(run_kernel("", "Attention", 24,
                            {one, one, one, RuntimeValue(), RuntimeValue(), RuntimeValue(),
                             Tensor::of<std::int64_t>({1}, {7})}),
                 Error);
    EXPECT_THROW(run_kernel("", "Attention", 23,
                            {Tensor(DType::f32, {1, 2, 4}), Tensor(DType::f32, {1, 2, 4}),
                             Tensor(DType::f32, {1, 2, 4})}),
                 Error);
}

TEST(RotaryEmbeddingKernel, RotatesHalvesOrNeighbours) {
    const Tensor x = floats_of({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    const Tensor cosine = floats_of({2, 2}, {1, 0, 0, 1}), sine = floats_of({2, 2}, {0, 1, 1, 0});
    const Tensor positions = Tensor::of<std::int64_t>({1, 2}, {1, 0});
    EXPECT_EQ(values_of<float>(
                  run_kernel_tensor("", "RotaryEmbedding", 23, {x, cosine, sine, positions})),
              (std::vector<float>{-3, 2, 1, 4, 5, -8, 7, 6}));
    EXPECT_EQ(
        values_of<float>(run_kernel_tensor("", "RotaryEmbedding", 23, {x, cosine, sine, positions},
                                           {attribute("interleaved", 1)})),
        (std::vector<float>{-2, 1, 3, 4, 5, 6, -8, 7}));
    const Tensor narrow = floats_of({1, 2, 1}, {0, 0}), ones = floats_of({1, 2, 1}, {1, 1});
    EXPECT_EQ(values_of<float>(run_kernel_tensor(
                  "", "RotaryEmbedding", 23, {x.reshaped({1, 2, 4}), narrow, ones},
                  {attribute("num_heads", 1), attribute("rotary_embedding_dim", 2)})),
              (std::vector<float>{-2, 1, 3, 4, -6, 5, 7, 8}));
    EXPECT_THROW(run_kernel("", "RotaryEmbedding", 23,
                            {x, cosine, sine, Tensor::of<std::int64_t>({1, 2}, {2, 0})}),
                 Error);
}

}  // namespace
}  // namespace lapidary
