// SPDX-License-Identifier: Apache-2.0
// Operators of language models of com.microsoft, and what ONNX 25 to 28 brought, against sums
// written out here.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

std::vector<RuntimeValue> run_all(const char* op, std::vector<RuntimeValue> inputs,
                                  std::vector<Attribute> attributes, std::size_t outputs) {
    KernelRun run;
    run.outputs = outputs;
    return run_kernel("com.microsoft", op, 1, std::move(inputs), std::move(attributes), run);
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

/// Each row of `size` elements over its root mean square, times weight.
Tensor normalized(const Tensor& x, const Tensor& weight, float epsilon) {
    F values = values_of<float>(x);
    const auto w = weight.data<float>();
    for (std::size_t at = 0; at < values.size(); at += w.size()) {
        float sum = 0;
        for (std::size_t i = 0; i < w.size(); ++i) sum += values[at + i] * values[at + i];
        const float factor = 1 / std::sqrt(sum / static_cast<float>(w.size()) + epsilon);
        for (std::size_t i = 0; i < w.size(); ++i) values[at + i] *= factor * w[i];
    }
    return Tensor::of(x.shape(), values);
}

/// Rows [begin, end) along axis 2 of [1, heads, rows, size], `length` rows in all, zeros behind.
Tensor rows_of(const Tensor& x, std::int64_t begin, std::int64_t end, std::int64_t length) {
    Tensor out(DType::f32, {1, x.dim(1), length, x.dim(3)});
    std::ranges::fill(out.mutable_data<float>(), 0.0f);
    for (std::int64_t h = 0; h < x.dim(1); ++h)
        for (std::int64_t i = begin * x.dim(3); i < end * x.dim(3); ++i)
            out.mutable_data<float>()[static_cast<std::size_t>((h * length - begin) * x.dim(3) +
                                                               i)] =
                x.data<float>()[static_cast<std::size_t>(h * x.dim(2) * x.dim(3) + i)];
    return out;
}

std::vector<RuntimeValue> grouped(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const Tensor& past_k, const Tensor& past_v, std::int32_t total,
                                  std::vector<Attribute> attributes,
                                  const std::vector<RuntimeValue>& scales = {}) {
    attributes.push_back(attribute("num_heads", 4));
    attributes.push_back(attribute("kv_num_heads", 2));
    std::vector<RuntimeValue> inputs{
        q, k, v, past_k, past_v, Tensor::of<std::int32_t>({1}, {total - 1}), Tensor::scalar(total)};
    if (!scales.empty()) {
        inputs.resize(12);
        inputs.insert(inputs.end(), scales.begin(), scales.end());
    }
    return run_all("GroupQueryAttention", std::move(inputs), std::move(attributes), 3);
}

// A cache of the window alone gives what the whole cache gives under that window; what the present
// holds follows ONNX Runtime 1.32: past a full cache the last rows of the window stay, then it
// fills up again.
TEST(LanguageKernels, GroupQueryAttentionKeepsASlidingWindow) {
    struct Case {
        std::int64_t capacity, past, held, sequence;
    };
    constexpr std::int64_t window = 4, most = 12, size = 8;
    const Tensor all_k = noise({1, 2, most, size}, 1), all_v = noise({1, 2, most, size}, 2);
    for (const Case& c : {Case{4, 2, 2, 1},
                          {4, 3, 3, 1},
                          {4, 4, 4, 1},
                          {4, 9, 4, 1},
                          {4, 4, 4, 2},
                          {4, 0, 0, 6},
                          {6, 4, 4, 1},
                          {6, 6, 6, 1},
                          {6, 7, 4, 1},
                          {6, 8, 5, 1},
                          {6, 9, 6, 1}}) {
        SCOPED_TRACE(std::to_string(c.capacity) + " rows, " + std::to_string(c.past) + " before, " +
                     std::to_string(c.sequence) + " new");
        const auto total = static_cast<std::int32_t>(c.past + c.sequence);
        const Tensor q = noise({1, c.sequence, 4 * size}, 3),
                     k = noise({1, c.sequence, 2 * size}, 4),
                     v = noise({1, c.sequence, 2 * size}, 5);
        const auto whole =
            grouped(q, k, v, rows_of(all_k, 0, c.past, c.past), rows_of(all_v, 0, c.past, c.past),
                    total, {attribute("local_window_size", static_cast<int>(window))});
        const auto slid = grouped(q, k, v, rows_of(all_k, c.past - c.held, c.past, c.capacity),
                                  rows_of(all_v, c.past - c.held, c.past, c.capacity), total,
                                  {attribute("local_window_size", static_cast<int>(window)),
                                   attribute("sliding_window_cache", 1)});
        expect_near(slid[0].tensor(), whole[0].tensor());
        const std::int64_t kept = c.held + c.sequence > c.capacity ? window : c.held + c.sequence;
        for (std::size_t i = 1; i < 3; ++i)
            expect_near(slid[i].tensor(),
                        rows_of(whole[i].tensor(), total - kept, total, c.capacity), 0);
    }
    const Tensor q = noise({1, 2, 4 * size}, 3), k = noise({1, 2, 2 * size}, 4);
    const Tensor past = rows_of(all_k, 0, 6, 6);
    for (const auto& refused : std::vector<std::vector<Attribute>>{
             {attribute("sliding_window_cache", 1)},
             {attribute("sliding_window_cache", 1), attribute("local_window_size", 7)},
             {attribute("sliding_window_cache", 1), attribute("local_window_size", 4)}})
        EXPECT_THROW(grouped(q, k, k, past, past, 8, refused), Error);
}

// Integers times their scales, new rows rounded to them.
TEST(LanguageKernels, GroupQueryAttentionReadsAQuantizedCache) {
    constexpr std::int64_t size = 8, past = 3;
    const Tensor q = noise({1, 1, 4 * size}, 3), k = noise({1, 1, 2 * size}, 4),
                 v = noise({1, 1, 2 * size}, 5);
    Tensor stored(DType::i8, {1, 2, past, size}), wide(DType::f32, stored.shape());
    for (const bool by_channel : {false, true}) {
        Tensor scale(DType::f32, {by_channel ? 2 * size : 1});
        for (std::int64_t i = 0; i < scale.size(); ++i)
            scale.mutable_data<float>()[static_cast<std::size_t>(i)] =
                0.003f * static_cast<float>(i + 1);
        const auto scale_at = [&](std::int64_t head, std::int64_t channel) {
            return scale
                .data<float>()[by_channel ? static_cast<std::size_t>(head * size + channel) : 0];
        };
        for (std::int64_t i = 0; i < stored.size(); ++i) {
            stored.mutable_data<std::int8_t>()[static_cast<std::size_t>(i)] =
                static_cast<std::int8_t>(i * 37 % 255 - 127);
            wide.mutable_data<float>()[static_cast<std::size_t>(i)] =
                stored.data<std::int8_t>()[static_cast<std::size_t>(i)] *
                scale_at(i / (past * size), i % size);
        }
        const auto rounded = [&](Tensor x) {
            for (std::int64_t i = 0; i < x.size(); ++i) {
                float& value = x.mutable_data<float>()[static_cast<std::size_t>(i)];
                value = std::clamp(std::nearbyint(value / scale_at(i / size, i % size)), -128.0f,
                                   127.0f) *
                        scale_at(i / size, i % size);
            }
            return x;
        };
        const char* type = by_channel ? "PER_CHANNEL" : "PER_TENSOR";
        const auto expected = grouped(q, rounded(noise(k.shape(), 4)), rounded(noise(v.shape(), 5)),
                                      wide, wide, past + 1, {});
        const auto found =
            grouped(q, k, v, stored, stored, past + 1,
                    {attribute("k_quant_type", type), attribute("v_quant_type", type),
                     attribute("kv_cache_bit_width", 8)},
                    {scale, scale});
        expect_near(found[0].tensor(), expected[0].tensor());
        for (std::size_t i = 1; i < 3; ++i) {
            ASSERT_EQ(found[i].tensor().dtype(), DType::i8);
            for (std::int64_t at = 0; at < found[i].tensor().size(); ++at)
                EXPECT_NEAR(found[i].tensor().data<std::int8_t>()[static_cast<std::size_t>(at)] *
                                scale_at(at / ((past + 1) * size), at % size),
                            expected[i].tensor().data<float>()[static_cast<std::size_t>(at)], 1e-5);
        }
        EXPECT_THROW(grouped(q, k, v, stored, stored, past + 1,
                             {attribute("k_quant_type", type), attribute("v_quant_type", type),
                              attribute("kv_cache_bit_width", 4)},
                             {scale, scale}),
                     Error);
        EXPECT_THROW(grouped(q, k, v, stored, stored, past + 1,
                             {attribute("k_quant_type", type), attribute("v_quant_type", type),
                              attribute("kv_cache_bit_width", 8)},
                             {noise({3}, 1), scale}),
                     Error);
    }
}

TEST(LanguageKernels, GroupQueryAttentionNormalizesHeadsFirst) {
    const Tensor q = noise({1, 3, 8}, 1), k = noise({1, 3, 4}, 2), v = noise({1, 3, 4}, 3),
                 qw = noise({4}, 4), kw = noise({4}, 5);
    const Tensor lengths = Tensor::of<std::int32_t>({1}, {2}),
                 total = Tensor::of<std::int32_t>({}, {3});
    const Tensor c = noise({4, 2}, 6), s = noise({4, 2}, 7);
    const std::vector<Attribute> base{attribute("num_heads", 2), attribute("kv_num_heads", 1),
                                      attribute("do_rotary", 1)};
    const auto run = [&](const Tensor& query, const Tensor& key, RuntimeValue qn, RuntimeValue kn,
                         std::vector<Attribute> more) {
        std::vector<Attribute> attributes = base;
        attributes.insert(attributes.end(), more.begin(), more.end());
        return run_all("GroupQueryAttention",
                       {query,
                        key,
                        v,
                        {},
                        {},
                        lengths,
                        total,
                        c,
                        s,
                        {},
                        {},
                        {},
                        {},
                        {},
                        std::move(qn),
                        std::move(kn)},
                       attributes, 3);
    };
    const auto both =
        run(q, k, qw, kw, {attribute("qk_norm_epsilon", 0.1f), attribute("k_norm_epsilon", 0.5f)});
    const auto plain = run(normalized(q, qw, 0.1f), normalized(k, kw, 0.5f), {}, {}, {});
    for (std::size_t i = 0; i < 3; ++i) expect_near(both[i].tensor(), plain[i].tensor());
    expect_near(run(q, k, {}, kw, {})[0].tensor(),
                run(q, normalized(k, kw, 1e-6f), {}, {}, {})[0].tensor());
    EXPECT_THROW(run(q, k, noise({3}, 8), kw, {}), Error);
}

TEST(LanguageKernels, MultiHeadAttentionShowsScoresBeforeTheSoftmax) {
    const Tensor q = Tensor::of<float>({1, 2, 2}, {1, 2, 3, -1}),
                 k = Tensor::of<float>({1, 2, 2}, {1, 1, 0, 2}), v = noise({1, 2, 2}, 1);
    const Tensor bias = Tensor::of<float>({1, 1, 2, 2}, {10, 20, 30, 40});
    const std::vector<Attribute> attributes{attribute("num_heads", 1), attribute("scale", 0.5f)};
    const auto shown = run_all("MultiHeadAttention", {q, k, v, {}, {}, bias}, attributes, 4);
    EXPECT_EQ(values_of<float>(shown[3].tensor()), (F{11.5f, 22, 31, 39}));
    auto causal = attributes;
    causal.push_back(attribute("unidirectional", 1));
    const auto hidden = run_all("MultiHeadAttention", {q, k, v}, causal, 4);
    EXPECT_EQ(values_of<float>(hidden[3].tensor()),
              (F{1.5f, std::numeric_limits<float>::lowest(), 1, -1}));
}

struct Cache {
    Tensor q = noise({4, 1, 4}, 1), k = noise({4, 1, 4}, 2), v = noise({4, 1, 4}, 3),
           past_k = noise({4, 2, 5, 2}, 4), past_v = noise({4, 2, 5, 2}, 5);
    Tensor past = Tensor::of<std::int32_t>({1}, {3});
    Tensor beams = Tensor::of<std::int32_t>(
        {2, 2, 5}, {0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0});

    /// Past rows with each position from the beam that `beams` names.
    Tensor chosen(const Tensor& rows) const {
        F values = values_of<float>(rows);
        const auto from = rows.data<float>();
        const auto beam = beams.data<std::int32_t>();
        for (std::size_t b = 0; b < 4; ++b)
            for (std::size_t h = 0; h < 2; ++h)
                for (std::size_t t = 0; t < 3; ++t)
                    for (std::size_t i = 0; i < 2; ++i) {
                        const std::size_t source =
                            b / 2 * 2 + static_cast<std::size_t>(beam[b * 5 + t]);
                        values[((b * 2 + h) * 5 + t) * 2 + i] =
                            from[((source * 2 + h) * 5 + t) * 2 + i];
                    }
        return Tensor::of(rows.shape(), values);
    }
};

TEST(LanguageKernels, CacheIndirectionTakesPastRowsFromOtherBeams) {
    const Cache c;
    const std::vector<Attribute> heads{attribute("num_heads", 2)};
    const auto mha = [&](const Tensor& pk, const Tensor& pv, RuntimeValue beams) {
        return run_all("MultiHeadAttention",
                       {c.q, c.k, c.v, {}, {}, {}, pk, pv, c.past, std::move(beams)}, heads, 3);
    };
    const auto indirect = mha(c.past_k, c.past_v, c.beams),
               direct = mha(c.chosen(c.past_k), c.chosen(c.past_v), {});
    expect_near(indirect[0].tensor(), direct[0].tensor(), 0);
    expect_near(indirect[1].tensor(), mha(c.past_k, c.past_v, {})[1].tensor(),
                0);  // the cache itself stays
    EXPECT_THROW(mha(c.past_k, c.past_v,
                     Tensor::of<std::int32_t>({1, 3, 5}, std::vector<std::int32_t>(15, 0))),
                 Error);
    EXPECT_THROW(mha(c.past_k, c.past_v,
                     Tensor::of<std::int32_t>({2, 2, 5}, std::vector<std::int32_t>(20, 7))),
                 Error);

    auto shared = heads;
    shared.push_back(attribute("past_present_share_buffer", 1));
    const auto decoder = run_all("DecoderMaskedMultiHeadAttention",
                                 {c.q,
                                  c.k,
                                  c.v,
                                  {},
                                  {},
                                  c.past_k,
                                  c.past_v,
                                  c.past,
                                  Tensor::of<std::int32_t>({1}, {2}),
                                  c.beams},
                                 shared, 3);
    for (std::size_t i = 0; i < 3; ++i) expect_near(decoder[i].tensor(), indirect[i].tensor());
}

TEST(LanguageKernels, DecoderAttentionOfAnEncoderAndOfPackedInputs) {
    const Cache c;
    const std::vector<Attribute> heads{attribute("num_heads", 2)};
    const Tensor cross =
        run_all("DecoderMaskedMultiHeadAttention", {c.q, c.past_k, c.past_v}, heads, 1)[0].tensor();
    expect_near(cross,
                run_all("MultiHeadAttention", {c.q, c.past_k, c.past_v}, heads, 1)[0].tensor());
    EXPECT_THROW(run_all("DecoderMaskedMultiHeadAttention", {c.q, c.past_k, c.past_v}, heads, 3),
                 Error);
    const Tensor packed =
        run_kernel_tensor("", "Concat", 13, {c.q, c.k, c.v}, {attribute("axis", 2)});
    const auto apart = run_all("DecoderMaskedMultiHeadAttention",
                               {c.q, c.k, c.v, {}, {}, c.past_k, c.past_v}, heads, 3);
    const auto together = run_all("DecoderMaskedMultiHeadAttention",
                                  {packed, {}, {}, {}, {}, c.past_k, c.past_v}, heads, 3);
    for (std::size_t i = 0; i < 3; ++i) expect_near(together[i].tensor(), apart[i].tensor(), 0);
    EXPECT_EQ(apart[1].tensor().shape(), (Shape{4, 2, 6, 2}));
    EXPECT_THROW(
        run_all("DecoderMaskedMultiHeadAttention", {noise({4, 2, 4}, 9), c.k, c.v}, heads, 1),
        Error);
}

TEST(LanguageKernels, SimplifiedSkipNormalizationGivesItsInverseDeviation) {
    const Tensor x = noise({2, 3, 4}, 1), skip = noise({2, 3, 4}, 2), gamma = noise({4}, 3);
    const auto out = run_all("SkipSimplifiedLayerNormalization", {x, skip, gamma},
                             {attribute("epsilon", 0.25f)}, 4);
    EXPECT_EQ(out[1].tensor().shape(), (Shape{2, 3, 1}));
    const auto sum = out[3].tensor().data<float>();
    for (std::size_t r = 0; r < 6; ++r) {
        float square = 0;
        for (std::size_t i = 0; i < 4; ++i) square += sum[r * 4 + i] * sum[r * 4 + i];
        EXPECT_NEAR(out[2].tensor().data<float>()[r], 1 / std::sqrt(square / 4 + 0.25f), 1e-6);
        EXPECT_EQ(out[1].tensor().data<float>()[r], 0);
    }
}

TEST(LanguageKernels, SparseAttentionSeesTheBlocksOfItsLayout) {
    // Blocks of 2; layout 0 is all of the causal mask, layout 1 leaves block 0 out for the last row
    // of blocks.
    const Tensor rows = Tensor::of<std::int32_t>({2, 4}, {0, 1, 3, 6, 0, 1, 3, 5});
    const Tensor columns = Tensor::of<std::int32_t>({2, 6}, {0, 0, 1, 0, 1, 2, 0, 0, 1, 1, 2, -1});
    const Tensor q = noise({1, 6, 8}, 1), k = noise({1, 6, 4}, 2), v = noise({1, 6, 4}, 3);
    const Tensor cache = noise({1, 1, 8, 4}, 4);
    const Tensor total = Tensor::of<std::int32_t>({1}, {6});
    const std::vector<Attribute> heads{attribute("num_heads", 2), attribute("kv_num_heads", 1)};
    auto sparse = heads;
    sparse.push_back(attribute("sparse_block_size", 2));
    const auto run = [&](const Tensor& lengths) {
        return run_all("SparseAttention", {q, k, v, cache, cache, rows, columns, total, lengths},
                       sparse, 3);
    };
    F bias(2 * 6 * 6, 0.0f);
    for (std::size_t s = 4; s < 6; ++s)
        for (std::size_t t = 0; t < 2; ++t)
            bias[(6 + s) * 6 + t] = -std::numeric_limits<float>::infinity();
    const auto expected = run_all("GroupQueryAttention",
                                  {q,
                                   k,
                                   v,
                                   cache,
                                   cache,
                                   Tensor::of<std::int32_t>({1}, {5}),
                                   total,
                                   {},
                                   {},
                                   {},
                                   Tensor::of({1, 2, 6, 6}, bias)},
                                  heads, 3);
    const auto found = run(total);
    expect_near(found[0].tensor(), expected[0].tensor());
    for (std::size_t i = 1; i < 3; ++i) {
        F rows_of =
            values_of<float>(expected[i].tensor());  // six new rows, and two of the cache that stay
        std::copy_n(cache.data<float>().begin() + 24, 8, rows_of.begin() + 24);
        expect_near(found[i].tensor(), Tensor::of({1, 1, 8, 4}, rows_of), 0);
    }
    EXPECT_THROW(run(Tensor::of<std::int32_t>({1}, {0})), Error);
    EXPECT_THROW(run(Tensor::of<std::int32_t>({1}, {7})), Error);
}

TEST(LanguageKernels, SparseAttentionOfPaddedSequencesIsThatOfEachAlone) {
    const Tensor rows = Tensor::of<std::int32_t>({2, 5}, {0, 1, 3, 6, 10, 0, 1, 3, 5, 8});
    const Tensor columns = Tensor::of<std::int32_t>(
        {2, 10}, {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 0, 1, 1, 2, 0, 2, 3, -1, -1});
    const std::vector<Attribute> attributes{attribute("num_heads", 2), attribute("kv_num_heads", 1),
                                            attribute("sparse_block_size", 2)};
    const Tensor past_key = noise({2, 1, 8, 4}, 1), past_value = noise({2, 1, 8, 4}, 2);
    const auto count = [](std::int32_t n) { return Tensor::of<std::int32_t>({1}, {n}); };
    const auto part = [](const Tensor& t, std::int64_t b,
                         std::int64_t kept) {  // [1, kept, ...] of sequence b
        Shape shape = t.shape();
        shape[0] = 1;
        shape[1] = kept;
        const auto from = t.data<float>().begin() + b * (t.size() / t.dim(0));
        return Tensor::of(shape, F(from, from + kept * (t.size() / t.dim(0) / t.dim(1))));
    };
    // A prompt of 6 and 4 tokens, then two tokens at once behind 6 and 3 keys.
    for (const auto& [queries, longest, shorter] : {std::array{6, 6, 4}, std::array{2, 8, 5}}) {
        const Tensor q = noise({2, queries, 8}, 3), k = noise({2, queries, 4}, 4),
                     v = noise({2, queries, 4}, 5);
        const auto both = run_all("SparseAttention",
                                  {q, k, v, past_key, past_value, rows, columns, count(longest),
                                   Tensor::of<std::int32_t>({2}, {longest, shorter})},
                                  attributes, 3);
        for (std::int64_t b = 0; b < 2; ++b) {
            const std::int32_t length = b == 0 ? longest : shorter;
            const std::int64_t kept =
                std::min<std::int64_t>(queries, length);  // queries that are not padding
            const auto alone =
                run_all("SparseAttention",
                        {part(q, b, kept), part(k, b, kept), part(v, b, kept), part(past_key, b, 1),
                         part(past_value, b, 1), rows, columns, count(length), count(length)},
                        attributes, 3);
            expect_near(part(both[0].tensor(), b, kept), alone[0].tensor());
            for (std::size_t cache = 1; cache < 3;
                 ++cache) {  // behind the length: padding, else the past as it was
                const Tensor &found = both[cache].tensor(), &expected = alone[cache].tensor();
                const Tensor& past = cache == 1 ? past_key : past_value;
                for (std::int64_t i = 0; i < 32; ++i) {
                    const auto at = static_cast<std::size_t>(b * 32 + i);
                    const bool is_padding =
                        queries == longest && i / 4 >= length && i / 4 < longest;
                    if (is_padding) continue;
                    EXPECT_EQ(found.data<float>()[at],
                              expected.data<float>()[static_cast<std::size_t>(i)]);
                    if (i / 4 >= length) {
                        EXPECT_EQ(found.data<float>()[at], past.data<float>()[at]);
                    }
                }
            }
        }
    }
}

TEST(LanguageKernels, FourBitFloatsOfBitsandbytes) {
    std::vector<std::uint8_t> codes;
    for (int i = 0; i < 16; i += 2) codes.push_back(static_cast<std::uint8_t>(i << 4 | (i + 1)));
    F eye(256, 0.0f);
    for (std::size_t i = 0; i < 16; ++i) eye[i * 17] = 1;
    const auto run = [&](int type, const Tensor& a, int transposed) {
        return values_of<float>(
            run_all("MatMulBnb4",
                    {a, Tensor::of<std::uint8_t>({8}, codes), Tensor::of<float>({1}, {3})},
                    {attribute("K", 16), attribute("N", 1), attribute("block_size", 16),
                     attribute("quant_type", type), attribute("transB", transposed)},
                    1)[0]
                .tensor());
    };
    const F nf4 = run(1, Tensor::of({16, 16}, eye), 1), fp4 = run(0, Tensor::of({16, 16}, eye), 1);
    for (std::size_t i = 1; i < 16; ++i) EXPECT_LT(nf4[i - 1], nf4[i]);
    EXPECT_EQ((F{nf4[0], nf4[7], nf4[15]}), (F{-3, 0, 3}));
    EXPECT_EQ((F{fp4[3], fp4[5], fp4[11]}), (F{3, 1.5f, -3}));
    EXPECT_EQ(run(1, Tensor::of<float>({1, 1}, {1}), 0), nf4);
    EXPECT_THROW(run(2, Tensor::of({16, 16}, eye), 1), Error);
    EXPECT_THROW(run(1, Tensor::of<float>({1, 2}, {1, 1}), 1), Error);
}

}  // namespace
}  // namespace lapidary::test
