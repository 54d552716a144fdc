// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "samples/sample_models.h"
#include "samples/transformer_layers.h"

namespace lapidary::samples {
namespace {

struct BertShape {
    const char* name;
    std::int64_t layers, width, heads, inner;
    std::int64_t vocabulary = 30522, positions = 512;
};

constexpr float bert_epsilon = 1e-12f;

ValueId embeddings(ModelBuilder& m, const BertShape& s, ValueId ids, ValueId types) {
    ModelBuilder::Scope scope(m, "embeddings");
    const ValueId words =
        m.weight("bert.embeddings.word_embeddings.weight", {s.vocabulary, s.width}, 0.02f);
    const ValueId kinds =
        m.weight("bert.embeddings.token_type_embeddings.weight", {2, s.width}, 0.02f);
    const ValueId places =
        m.weight("bert.embeddings.position_embeddings.weight", {s.positions, s.width}, 0.02f);
    Tensor arange(DType::i64, {1, s.positions});
    for (std::int64_t i = 0; i < s.positions; ++i)
        arange.mutable_data<std::int64_t>()[static_cast<std::size_t>(i)] = i;
    const ValueId position_ids = m.initializer("bert.embeddings.position_ids", std::move(arange));
    const ValueId length = dimension(m, ids, 1);
    const ValueId used =
        m.op("Slice", {position_ids, m.ints({0}), length, m.ints({1}), m.ints({1})});
    const ValueId sum = m.op("Add", {m.op("Gather", {words, ids}), m.op("Gather", {kinds, types})});
    return m.layer_norm(m.op("Add", {sum, m.op("Gather", {places, used})}),
                        "bert.embeddings.LayerNorm", s.width, bert_epsilon);
}

ValueId attention(ModelBuilder& m, const BertShape& s, const std::string& path, ValueId x,
                  ValueId mask) {
    ModelBuilder::Scope scope(m, "self");
    const std::int64_t size = s.width / s.heads;
    const ValueId q =
        split_heads(m, m.dense(x, path + ".query", s.width, s.width), s.heads, size, false);
    const ValueId k =
        split_heads(m, m.dense(x, path + ".key", s.width, s.width), s.heads, size, true);
    const ValueId v =
        split_heads(m, m.dense(x, path + ".value", s.width, s.width), s.heads, size, false);
    const ValueId scores =
        m.op("Div", {m.op("MatMul", {q, k}), m.scalar(std::sqrt(static_cast<float>(size)))});
    const ValueId probabilities =
        m.op("Softmax", {m.op("Add", {scores, mask})}, {attribute("axis", -1)});
    return merge_heads(m, m.op("MatMul", {probabilities, v}), s.width);
}

Model bert(const BertShape& s, std::uint64_t seed) {
    ModelBuilder m(s.name, 14, seed);
    const Dim batch = Dim::symbolic("batch"), sequence = Dim::symbolic("sequence");
    const ValueId ids = m.input("input_ids", DType::i64, {batch, sequence});
    const ValueId attention_mask = m.input("attention_mask", DType::i64, {batch, sequence});
    const ValueId types = m.input("token_type_ids", DType::i64, {batch, sequence});
    ModelBuilder::Scope scope(m, "bert");
    // (1 - mask) * lowest, broadcast over heads and queries
    const ValueId wide =
        m.op("Unsqueeze", {m.op("Unsqueeze", {attention_mask, m.ints({1})}), m.ints({2})});
    const ValueId kept = m.op("Cast", {wide}, {attribute("to", 1)});
    const ValueId mask =
        m.op("Mul", {m.op("Sub", {m.scalar(1), kept}), m.scalar(-3.4028234663852886e+38f)});

    ValueId x = embeddings(m, s, ids, types);
    {
        ModelBuilder::Scope encoder(m, "encoder");
        for (std::int64_t i = 0; i < s.layers; ++i) {
            const std::string path = "bert.encoder.layer." + std::to_string(i);
            ModelBuilder::Scope layer(m, "layer." + std::to_string(i));
            {
                ModelBuilder::Scope block(m, "attention");
                const ValueId context = attention(m, s, path + ".attention.self", x, mask);
                ModelBuilder::Scope output(m, "output");
                const ValueId projected =
                    m.dense(context, path + ".attention.output.dense", s.width, s.width);
                x = m.layer_norm(m.op("Add", {projected, x}), path + ".attention.output.LayerNorm",
                                 s.width, bert_epsilon);
            }
            ValueId inner;
            {
                ModelBuilder::Scope block(m, "intermediate");
                inner = gelu_erf(m, m.dense(x, path + ".intermediate.dense", s.width, s.inner));
            }
            ModelBuilder::Scope block(m, "output");
            const ValueId projected = m.dense(inner, path + ".output.dense", s.inner, s.width);
            x = m.layer_norm(m.op("Add", {projected, x}), path + ".output.LayerNorm", s.width,
                             bert_epsilon);
        }
    }
    ValueId pooled;
    {
        ModelBuilder::Scope pooler(m, "pooler");
        const ValueId first = m.op("Gather", {x, m.constant(Tensor::scalar<std::int64_t>(0))},
                                   {attribute("axis", 1)});
        pooled = m.op("Tanh", {m.linear(first, "bert.pooler.dense", s.width, s.width)});
    }
    m.output(x, "last_hidden_state", DType::f32, {batch, sequence, s.width});
    m.output(pooled, "pooler_output", DType::f32, {batch, s.width});
    return m.finish();
}

}  // namespace

Model bert_tiny(std::uint64_t seed) { return bert({"bert-tiny", 2, 128, 2, 512}, seed); }
Model bert_base(std::uint64_t seed) { return bert({"bert-base", 12, 768, 12, 3072}, seed); }

}  // namespace lapidary::samples
