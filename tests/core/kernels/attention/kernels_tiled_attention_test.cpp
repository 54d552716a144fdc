// SPDX-License-Identifier: Apache-2.0
// Tiled attention against the reference kernels, on every instruction set: head sizes and lengths
// around the tiles', masks, caches, biases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/float16.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

using namespace test;

const RuntimeValue none;
constexpr float infinity = std::numeric_limits<float>::infinity();

void expect_projected(std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes,
                      std::size_t outputs = 1, double tolerance = 2e-5) {
    KernelRun run;
    run.outputs = outputs;
    run.constants = {1};
    expect_as_reference("com.microsoft", "Attention", 1, "attention.projected", inputs, attributes,
                        tolerance, run);
}

TEST(TiledAttention, ProjectsAndAttends) {
    for (const std::int64_t size : {1, 3, 8, 15, 16, 17, 33, 64, 80})
        for (const std::int64_t sequence : {1, 2, 3, 4, 5, 13, 50}) {
            const std::int64_t hidden = 2 * size;
            const std::vector<RuntimeValue> inputs{
                noise({2, sequence, 12}, 1), noise({12, 3 * hidden}, 2), noise({3 * hidden}, 3)};
            expect_projected(inputs, {attribute("num_heads", 2)});
            expect_projected(inputs,
                             {attribute("num_heads", 2), attribute("unidirectional", 1),
                              attribute("scale", 0.3f)},
                             2);
        }
}

TEST(TiledAttention, SplitsUnequally) {
    expect_projected(
        {noise({2, 7, 12}, 1), noise({12, 2 * 12 + 20}, 2), noise({44}, 3)},
        {attribute("num_heads", 4), attribute("qkv_hidden_sizes", ints({12, 12, 20}))});
    EXPECT_THROW(run_kernel("com.microsoft", "Attention", 1,
                            {noise({2, 7, 12}, 1), noise({12, 30}, 2)}, {attribute("num_heads", 4)},
                            {.kernel = "attention.projected", .constants = {1}}),
                 Error);
    EXPECT_THROW(
        run_kernel("com.microsoft", "Attention", 1, {noise({2, 7, 12}, 1), noise({12, 36}, 2)},
                   {attribute("num_heads", 4)}, {.kernel = "attention.projected"}),
        Error);
}

TEST(TiledAttention, CrossesTileBoundaries) {
    for (const std::int64_t sequence : {47, 48, 49, 96, 255, 256, 257, 300, 530}) {
        const std::vector<RuntimeValue> inputs{noise({1, sequence, 8}, 1, 2),
                                               noise({8, 3 * 2 * 20}, 2, 2), noise({120}, 3)};
        expect_projected(inputs, {attribute("num_heads", 2)}, 1, 1e-4);
        expect_projected(inputs, {attribute("num_heads", 2), attribute("unidirectional", 1)}, 1,
                         1e-4);
    }
}

TEST(TiledAttention, TakesMasksOfAllForms) {
    const std::int64_t batch = 2, sequence = 6, hidden = 32;
    const std::vector<RuntimeValue> inputs{noise({batch, sequence, 12}, 1),
                                           noise({12, 3 * hidden}, 2), noise({3 * hidden}, 3)};
    const auto with = [&](Tensor mask) {
        auto all = inputs;
        all.push_back(std::move(mask));
        return all;
    };
    const auto bits = [](Shape shape) {
        Tensor t(DType::i32, shape);
        std::uint32_t state = 7;
        for (auto& v : t.mutable_data<std::int32_t>())
            v = static_cast<std::int32_t>((state = state * 1103515245 + 12345) >> 16 & 1);
        return t;
    };
    for (const int causal : {0, 1}) {
        const std::vector<Attribute> attributes{attribute("num_heads", 2),
                                                attribute("unidirectional", causal)};
        expect_projected(with(Tensor::of<std::int32_t>({2}, {4, 6})), attributes);
        expect_projected(with(Tensor::of<std::int32_t>({4}, {4, 6, 1, 2})), attributes);
        expect_projected(with(Tensor::of<std::int32_t>({8}, {4, 6, 0, 6, 12, 0, 4, 10})),
                         attributes);
        expect_projected(with(Tensor::of<std::int32_t>({2, 1}, {0, 0})), attributes);
        expect_projected(with(bits({2, 6})), attributes);
        expect_projected(with(bits({2, 6, 6})), attributes);
        expect_projected(with(bits({2, 1, 9, 9})), attributes);
        // hides everything
        expect_projected(with(Tensor::of<std::int32_t>({2, 6}, std::vector<std::int32_t>(12, 0))),
                         attributes);
        // hides nothing
        expect_projected(with(Tensor::of<std::int32_t>({2, 6}, std::vector<std::int32_t>(12, 1))),
                         attributes);
        auto minus_infinity = attributes;
        minus_infinity.push_back(attribute("mask_filter_value", -infinity));
        expect_projected(
            with(Tensor::of<std::int32_t>({2, 6}, {0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0})),
            minus_infinity);
    }
    EXPECT_THROW(
        run_kernel("com.microsoft", "Attention", 1, with(bits({2, 5})), {attribute("num_heads", 2)},
                   {.kernel = "attention.projected", .constants = {1}}),
        Error);
}

TEST(TiledAttention, KeepsACache) {
    for (const std::int64_t past : {1, 5, 30, 300})
        for (const std::int64_t sequence : {1, 2, 7}) {
            const std::vector<RuntimeValue> inputs{noise({2, sequence, 12}, 1),
                                                   noise({12, 3 * 2 * 20}, 2),
                                                   noise({120}, 3),
                                                   none,
                                                   noise({2, 2, 2, past, 20}, 4),
                                                   noise({1, 2, sequence, past + sequence}, 5)};
            expect_projected(inputs, {attribute("num_heads", 2), attribute("unidirectional", 1)},
                             2);
            expect_projected(inputs, {attribute("num_heads", 2)}, 1);
        }
}

TEST(TiledAttention, MultiHead) {
    KernelRun run;
    run.outputs = 3;
    for (const std::int64_t size : {4, 17, 64})
        for (const std::int64_t queries : {1, 9}) {
            const std::int64_t hidden = 3 * size, keys = 11;
            const Tensor q = noise({2, queries, hidden}, 1), k = noise({2, keys, hidden}, 2),
                         v = noise({2, keys, 3 * 5}, 3), bias = noise({2 * hidden + 15}, 4);
            const auto check = [&](std::vector<RuntimeValue> inputs,
                                   std::vector<Attribute> attributes, const KernelRun& how) {
                attributes.push_back(attribute("num_heads", 3));
                expect_as_reference("com.microsoft", "MultiHeadAttention", 1,
                                    "attention.multi_head", inputs, attributes, 2e-5, how);
            };
            check({q, k, v}, {}, {});
            check({q, k, v, bias}, {}, {});
            check({q, k, v, bias, Tensor::of<std::int32_t>({2}, {4, 11}),
                   noise({2, 1, queries, keys}, 5)},
                  {attribute("scale", 0.2f)}, run);
            check({q, noise({2, 3, 6, size}, 6), noise({2, 3, 6, 5}, 7), bias}, {}, {});
            check({q, k, v, none, none, none, noise({2, 3, 4, size}, 6), noise({2, 3, 4, 5}, 7)},
                  {attribute("unidirectional", 1)}, run);
            check({noise({2, queries, 3, 3, size}, 1)}, {}, {});  // packed: goes another way
        }
}

// What causality hides weighs 0, and 0 times NaN or Inf is NaN: as where a graph adds a mask to the
// scores.
TEST(TiledAttention, OddValuesComeThroughWhereTheyAreHidden) {
    constexpr std::int64_t queries = 5, heads = 2, size = 16, hidden = heads * size;
    const Tensor q = noise({2, queries, hidden}, 1);
    const std::vector<Attribute> attributes{attribute("num_heads", 2),
                                            attribute("unidirectional", 1)};
    for (const bool in_values : {false, true})
        for (const float odd : {std::numeric_limits<float>::quiet_NaN(), infinity})
            for (const bool biased : {false, true}) {
                Tensor k = noise({2, queries, hidden}, 2), v = noise({2, queries, hidden}, 3);
                // The last position of batch 0, head 1: only the last query sees it.
                (in_values ? v : k).mutable_data<float>()[(queries - 1) * hidden + size] = odd;
                std::vector<RuntimeValue> inputs{q, k, v};
                if (biased)
                    inputs.insert(inputs.end(),
                                  {none, none, noise({1, heads, queries, queries}, 4)});
                for_each_isa([&](Isa) {
                    for (const char* kernel : {"", "attention.multi_head"}) {
                        KernelRun run;
                        run.kernel = kernel;
                        const auto y = values_of<float>(run_kernel_tensor(
                            "com.microsoft", "MultiHeadAttention", 1, inputs, attributes, run));
                        for (std::int64_t i = 0; i < 2 * queries * hidden; ++i) {
                            const std::int64_t row = i / hidden, column = i % hidden;
                            const bool in_head = row < queries && column >= size;
                            if (in_values) {
                                const bool is_odd = in_head && column == size;
                                EXPECT_EQ(!std::isfinite(y[i]), is_odd)
                                    << kernel << " element " << i;
                            } else if (!in_head) {
                                EXPECT_TRUE(std::isfinite(y[i])) << kernel << " element " << i;
                            } else if (std::isnan(odd)) {
                                EXPECT_TRUE(std::isnan(y[i])) << kernel << " element " << i;
                            } else {  // a score of Inf spoils its row, one of -Inf does not
                                const float* query = q.data<float>().data() + row * hidden + size;
                                EXPECT_EQ(std::isnan(y[i]), query[0] > 0)
                                    << kernel << " element " << i;
                            }
                        }
                    }
                });
            }
}

TEST(TiledAttention, GroupsOfQueries) {
    KernelRun run;
    run.outputs = 3;
    const Tensor cosine = noise({40, 8}, 11), sine = noise({40, 8}, 12);
    const auto check = [&](std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes) {
        attributes.push_back(attribute("num_heads", 6));
        attributes.push_back(attribute("kv_num_heads", 2));
        expect_as_reference("com.microsoft", "GroupQueryAttention", 1, "attention.group_query",
                            inputs, attributes, 2e-5, run);
    };
    const auto number = [](std::int32_t v) { return Tensor::of<std::int32_t>({1}, {v}); };
    for (const std::int64_t size : {16, 20, 64}) {
        // A prompt without past, two lengths.
        const Tensor lengths = Tensor::of<std::int32_t>({2}, {8, 5});
        const Tensor q = noise({2, 9, 6 * size}, 1), k = noise({2, 9, 2 * size}, 2),
                     v = noise({2, 9, 2 * size}, 3);
        check({q, k, v, none, none, lengths, number(9)}, {});
        check({q, k, v, none, none, lengths, number(9), cosine, sine}, {attribute("do_rotary", 1)});
        check({q, k, v, none, none, lengths, number(9), cosine, sine},
              {attribute("do_rotary", 1), attribute("rotary_interleaved", 1),
               attribute("local_window_size", 4), attribute("softcap", 3.0f)});
        check({noise({2, 9, 10 * size}, 1), none, none, none, none, lengths, number(9), cosine,
               sine, none, noise({1, 1, 9, 9}, 5), noise({6}, 6)},
              {attribute("do_rotary", 1)});
        check({q, k, v, none, none, lengths, number(9)},
              {attribute("causal", 0), attribute("smooth_softmax", 1)});
        // One more token behind caches of 12 rows, of which 8 and 5 are used.
        const Tensor past_k = noise({2, 2, 12, size}, 7), past_v = noise({2, 2, 12, size}, 8);
        check({noise({2, 1, 6 * size}, 1), noise({2, 1, 2 * size}, 2), noise({2, 1, 2 * size}, 3),
               past_k, past_v, lengths, number(9), cosine, sine},
              {attribute("do_rotary", 1)});
        check({noise({2, 1, 6 * size}, 1), noise({2, 1, 2 * size}, 2), noise({2, 1, 2 * size}, 3),
               past_k, past_v, Tensor::of<std::int32_t>({2}, {12, 12}), number(13), cosine, sine},
              {attribute("do_rotary", 1), attribute("local_window_size", 5)});
    }
    EXPECT_THROW(check({noise({1, 1, 12}, 1), noise({1, 1, 4}, 1), noise({1, 1, 4}, 1), none, none,
                        number(7), number(1)},
                       {}),
                 Error);
}

template <typename T>
Tensor rounded_to(const Tensor& floats) {
    Tensor halves(dtype_of<T>, floats.shape());
    std::ranges::transform(floats.data<float>(), halves.mutable_data<T>().begin(),
                           [](float x) { return T(x); });
    return halves;
}

/// `tolerance`: a rotated number may differ in its last bit, and be rounded to the next one.
template <typename T>
void expect_caches_of(double tolerance) {
    KernelRun run;
    run.outputs = 3;
    const Tensor cosine = noise({40, 8}, 11), sine = noise({40, 8}, 12);
    // Queries of a key head that are read one by one, and those for which keys are packed.
    for (const auto& [heads, queries] :
         {std::pair{2, 1}, std::pair{6, 1}, std::pair{12, 1}, std::pair{6, 4}})
        for (const std::int64_t size : {16, 17, 20, 64}) {
            const auto all = static_cast<std::int32_t>(18 + queries);
            const Tensor ends = Tensor::of<std::int32_t>({2}, {all - 1, 14 + queries});
            expect_as_reference(
                "com.microsoft", "GroupQueryAttention", 1, "attention.group_query",
                {noise({2, queries, heads * size}, 1), noise({2, queries, 2 * size}, 2),
                 noise({2, queries, 2 * size}, 3), rounded_to<T>(noise({2, 2, 30, size}, 7)),
                 rounded_to<T>(noise({2, 2, 30, size}, 8)), ends,
                 Tensor::of<std::int32_t>({1}, {all}), cosine, sine},
                {attribute("num_heads", heads), attribute("kv_num_heads", 2),
                 attribute("do_rotary", 1)},
                tolerance, run);
        }
}

TEST(TiledAttention, ReadsCachesOfHalves) {
    expect_caches_of<Half>(2e-3);
    expect_caches_of<BFloat16>(2e-2);
}

TEST(TiledAttention, Onnx23) {
    KernelRun run;
    run.outputs = 3;
    const auto check = [&](std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes,
                           const KernelRun& how = {}, std::int64_t version = 23) {
        expect_as_reference("", "Attention", version, "attention.scaled", inputs, attributes, 2e-5,
                            how);
    };
    for (const std::int64_t size : {1, 7, 16, 33, 129})
        for (const std::int64_t queries : {1, 3, 4, 20}) {
            const Tensor q = noise({2, 4, queries, size}, 1), k = noise({2, 2, 11, size}, 2),
                         v = noise({2, 2, 11, 5}, 3);
            check({q, k, v}, {}, run);
            check({q, k, v}, {attribute("is_causal", 1), attribute("softcap", 2.0f),
                              attribute("scale", 0.7f)});
            check({q, k, v, noise({queries, 11}, 4)}, {});
            check({q, k, v, noise({2, 1, 1, 11}, 4)}, {attribute("is_causal", 1)});
            check({q, k, v, noise({4, queries, 8}, 4)}, {});  // fewer columns than keys
            check({q, k, v, noise({queries, 1}, 4)}, {});
            check({q, k, v, none, noise({2, 2, 6, size}, 5), noise({2, 2, 6, 5}, 6)},
                  {attribute("is_causal", 1)}, run);
            check({q, k, v, none, none, none, Tensor::of<std::int64_t>({2}, {3, 11})},
                  {attribute("is_causal", 1)}, {}, 24);
            check({q, k, v, none, none, none, Tensor::of<std::int64_t>({2}, {0, 5})}, {}, {}, 24);
            Tensor mask(DType::boolean, {2, 1, queries, 11});
            std::int64_t at = 0;
            // the first query sees nothing
            for (bool& attends : mask.mutable_data<bool>()) attends = at++ % 3 == 1 && at > 11;
            check({q, k, v, mask}, {});
            check({q.reshaped({2, queries, 4 * size}), k.reshaped({2, 11, 2 * size}),
                   v.reshaped({2, 11, 10}), mask},
                  {attribute("q_num_heads", 4), attribute("kv_num_heads", 2)}, run);
        }
    EXPECT_THROW(
        run_kernel("", "Attention", 23,
                   {noise({1, 1, 2, 4}, 1), noise({1, 1, 2, 4}, 1), noise({1, 1, 3, 4}, 1)}, {},
                   {.kernel = "attention.scaled"}),
        Error);
}

TEST(TiledAttention, SpreadsNaN) {
    for (const std::int64_t queries : {1, 20}) {
        Tensor q = noise({1, 1, queries, 16}, 1), k = noise({1, 1, 40, 16}, 2);
        q.mutable_data<float>()[3] = std::numeric_limits<float>::quiet_NaN();
        expect_as_reference("", "Attention", 23, "attention.scaled",
                            {q, k, noise({1, 1, 40, 16}, 3)}, {}, 2e-5);
        Tensor mask = noise({queries, 40}, 4);
        mask.mutable_data<float>()[5] = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t i = 0; i < 5; ++i) mask.mutable_data<float>()[i] = -infinity;
        expect_as_reference("", "Attention", 23, "attention.scaled",
                            {noise({1, 1, queries, 16}, 1), k, noise({1, 1, 40, 16}, 3), mask}, {},
                            2e-5);
    }
}

TEST(TiledAttention, RotatesPositions) {
    for (const std::int64_t half : {1, 8, 16, 20})
        for (const int interleaved : {0, 1}) {
            const std::vector<Attribute> attributes{attribute("interleaved", interleaved),
                                                    attribute("num_heads", 3)};
            const Tensor ids = Tensor::of<std::int64_t>({2, 4}, {0, 1, 2, 3, 9, 3, 2, 0}),
                         cosine = noise({10, half}, 2), sine = noise({10, half}, 3);
            const Tensor x = noise({2, 3, 4, 2 * half}, 1);
            expect_as_reference("", "RotaryEmbedding", 23, "attention.rotary",
                                {x, cosine, sine, ids}, attributes, 1e-6);
            expect_as_reference("", "RotaryEmbedding", 23, "attention.rotary",
                                {x.reshaped({2, 4, 6 * half}), cosine, sine, ids}, attributes,
                                1e-6);
            expect_as_reference("com.microsoft", "RotaryEmbedding", 1, "attention.rotary",
                                {x, ids, cosine, sine}, {attribute("interleaved", interleaved)},
                                1e-6);
            expect_as_reference(
                "com.microsoft", "RotaryEmbedding", 1, "attention.rotary",
                {x.reshaped({2, 4, 6 * half}), Tensor::of<std::int64_t>({1}, {5}), cosine, sine},
                attributes, 1e-6);
            auto partial = attributes;
            partial.push_back(attribute("rotary_embedding_dim", static_cast<int>(2 * half)));
            expect_as_reference("", "RotaryEmbedding", 23, "attention.rotary",
                                {noise({2, 3, 4, 2 * half + 5}, 1), cosine, sine, ids}, partial,
                                1e-6);
            EXPECT_THROW(run_kernel("", "RotaryEmbedding", 23,
                                    {x, cosine, sine,
                                     Tensor::of<std::int64_t>({2, 4}, {0, 1, 2, 3, 10, 3, 2, 0})},
                                    attributes, {.kernel = "attention.rotary"}),
                         Error);
        }
}

}  // namespace
}  // namespace lapidary
