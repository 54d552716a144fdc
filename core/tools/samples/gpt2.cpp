// SPDX-License-Identifier: Apache-2.0
#include "samples/gpt2.h"

#include <cmath>

#include "samples/sample_models.h"
#include "samples/transformer_layers.h"

namespace lapidary::samples {
namespace {

constexpr float gpt2_epsilon = 1e-5f;

// Hugging Face's Conv1D: flatten to rank 2, Gemm, and back.
ValueId conv1d(ModelBuilder& m, ValueId x, const std::string& path, std::int64_t in,
               std::int64_t out) {
    const ValueId w = m.weight(path + ".weight", {in, out}, 1 / std::sqrt(static_cast<float>(in)));
    const ValueId b = m.weight(path + ".bias", {out}, 0.02f);
    ModelBuilder::Scope scope(m, path.substr(path.rfind('.') + 1));
    const ValueId shape = m.op("Concat", {dimension(m, x, 0), dimension(m, x, 1), m.ints({out})},
                               {attribute("axis", 0)});
    const ValueId flat = m.op("Reshape", {x, m.ints({-1, in})});
    const ValueId product =
        m.op("Gemm", {flat, w, b}, {attribute("alpha", 1.0f), attribute("beta", 1.0f)});
    return m.op("Reshape", {product, shape});
}

struct Cache {
    ValueId key, value;
};

ValueId attention(ModelBuilder& m, const Gpt2Sizes& sizes, const std::string& path, ValueId x,
                  ValueId causal, ValueId mask, const Cache& past, Cache& present) {
    ModelBuilder::Scope scope(m, "attn");
    const std::int64_t width = sizes.width, heads = sizes.heads, size = width / heads;
    const ValueId all = conv1d(m, x, path + ".c_attn", width, 3 * width);
    const auto parts =
        m.ops("Split", {all, m.ints({width, width, width})}, {attribute("axis", 2)}, 3);
    const ValueId q = split_heads(m, parts[0], heads, size, false);
    present.key = m.op("Concat", {past.key, split_heads(m, parts[1], heads, size, false)},
                       {attribute("axis", -2)});
    present.value = m.op("Concat", {past.value, split_heads(m, parts[2], heads, size, false)},
                         {attribute("axis", -2)});
    const ValueId keys = m.op("Transpose", {present.key}, {list("perm", {0, 1, 3, 2})});
    const ValueId scores =
        m.op("Div", {m.op("MatMul", {q, keys}), m.scalar(std::sqrt(static_cast<float>(size)))});
    // Rows past .. past+sequence of the lower triangle.
    const ValueId total = dimension(m, present.key, 2), fresh = dimension(m, q, 2);
    const ValueId from = m.op("Sub", {total, fresh});
    const ValueId rows = m.op("Slice", {causal, from, total, m.ints({2}), m.ints({1})});
    const ValueId visible = m.op("Slice", {rows, m.ints({0}), total, m.ints({3}), m.ints({1})});
    const ValueId masked = m.op("Where", {visible, scores, m.scalar(-3.4028234663852886e+38f)});
    const ValueId probabilities =
        m.op("Softmax", {m.op("Add", {masked, mask})}, {attribute("axis", -1)});
    return conv1d(m, merge_heads(m, m.op("MatMul", {probabilities, present.value}), width),
                  path + ".c_proj", width, width);
}

}  // namespace

Model gpt2(const Gpt2Sizes& sizes, std::uint64_t seed) {
    ModelBuilder m(sizes.name, 14, seed);
    const auto& [name, layers, width, heads, vocabulary, positions] = sizes;
    const std::int64_t size = width / heads;
    const Dim batch = Dim::symbolic("batch"), sequence = Dim::symbolic("sequence"),
              past_length = Dim::symbolic("past_sequence");
    const Dim total_length = Dim::symbolic("past_sequence + sequence");
    const ValueId ids = m.input("input_ids", DType::i64, {batch, sequence});
    const ValueId attention_mask = m.input("attention_mask", DType::i64, {batch, total_length});
    const ValueId position_ids = m.input("position_ids", DType::i64, {batch, sequence});
    std::vector<Cache> past, present(static_cast<std::size_t>(layers));
    for (std::int64_t i = 0; i < layers; ++i) {
        const std::string cache = "past_key_values." + std::to_string(i);
        const SymbolicShape shape{batch, heads, past_length, size};
        const ValueId key = m.input(cache + ".key", DType::f32, shape);
        past.push_back({key, m.input(cache + ".value", DType::f32, shape)});
    }
    Tensor triangle(DType::boolean, {1, 1, positions, positions});
    for (std::int64_t r = 0; r < positions; ++r)
        for (std::int64_t c = 0; c < positions; ++c)
            triangle.mutable_data<bool>()[static_cast<std::size_t>(r * positions + c)] = c <= r;
    const ValueId causal = m.initializer("transformer.h.attn.bias", std::move(triangle));

    const ValueId words = m.weight("transformer.wte.weight", {vocabulary, width}, 0.02f);
    const ValueId places = m.weight("transformer.wpe.weight", {positions, width}, 0.01f);
    ValueId x, mask;
    {
        ModelBuilder::Scope scope(m, "transformer");
        x = m.op("Add", {m.op("Gather", {words, ids}), m.op("Gather", {places, position_ids})});
        const ValueId wide =
            m.op("Unsqueeze", {m.op("Unsqueeze", {attention_mask, m.ints({1})}), m.ints({2})});
        const ValueId kept = m.op("Cast", {wide}, {attribute("to", 1)});
        mask = m.op("Mul", {m.op("Sub", {m.scalar(1), kept}), m.scalar(-3.4028234663852886e+38f)});
        for (std::int64_t i = 0; i < layers; ++i) {
            const std::string path = "transformer.h." + std::to_string(i);
            ModelBuilder::Scope block(m, "h." + std::to_string(i));
            const auto at = static_cast<std::size_t>(i);
            const ValueId context = attention(m, sizes, path + ".attn",
                                              m.layer_norm(x, path + ".ln_1", width, gpt2_epsilon),
                                              causal, mask, past[at], present[at]);
            x = m.op("Add", {context, x});
            const ValueId normed = m.layer_norm(x, path + ".ln_2", width, gpt2_epsilon);
            ModelBuilder::Scope mlp(m, "mlp");
            const ValueId inner =
                gelu_tanh(m, conv1d(m, normed, path + ".mlp.c_fc", width, 4 * width));
            x = m.op("Add", {x, conv1d(m, inner, path + ".mlp.c_proj", 4 * width, width)});
        }
        x = m.layer_norm(x, "transformer.ln_f", width, gpt2_epsilon);
    }
    ValueId logits;
    {
        // The output layer shares the embedding table, transposed at run time.
        ModelBuilder::Scope scope(m, "lm_head");
        logits = m.op("MatMul", {x, m.op("Transpose", {words}, {list("perm", {1, 0})})});
    }
    m.output(logits, "logits", DType::f32, {batch, sequence, vocabulary});
    for (std::size_t i = 0; i < present.size(); ++i) {
        const SymbolicShape shape{batch, heads, total_length, size};
        m.output(present[i].key, "present." + std::to_string(i) + ".key", DType::f32, shape);
        m.output(present[i].value, "present." + std::to_string(i) + ".value", DType::f32, shape);
    }
    return m.finish();
}

Model gpt2_small(std::uint64_t seed) { return gpt2({}, seed); }

}  // namespace lapidary::samples
