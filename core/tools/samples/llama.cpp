// SPDX-License-Identifier: Apache-2.0
// Decoders of the Llama kind as onnxruntime-genai's model builder writes them for the CPU: grouped
// queries with rotary positions in one node, norms by the root mean square, gated units.
#include "samples/llama.h"

#include <cmath>
#include <string>

#include "samples/model_builder.h"
#include "samples/sample_models.h"

namespace lapidary::samples {
namespace {

constexpr float norm_epsilon = 1e-5f;

class LlamaBuilder {
public:
    LlamaBuilder(const LlamaSizes& sizes, std::uint64_t seed)
        : sizes_(sizes), m_(sizes.name, 21, seed), head_(sizes.width / sizes.heads) {
        if (sizes.is_deferred) m_.defer_weights();
    }

    Model build() {
        const ValueId ids = m_.input("input_ids", DType::i64, {batch_, sequence_});
        const ValueId mask = m_.input("attention_mask", DType::i64, {batch_, total_});
        read_lengths(mask);
        add_rotary_tables();
        const ValueId table =
            m_.weight("model.embed_tokens.weight", {sizes_.vocabulary, sizes_.width}, 0.02f);
        ModelBuilder::Scope scope(m_, "model");
        residual_ = m_.op("Gather", {table, ids});
        ValueId x = m_.op("SimplifiedLayerNormalization",
                          {residual_, ones("model.layers.0.input_layernorm.weight")},
                          {attribute("axis", -1), attribute("epsilon", norm_epsilon)});
        for (std::int64_t i = 0; i < sizes_.layers; ++i) x = layer(x, i);
        const ValueId logits = product(x, "lm_head", sizes_.width, sizes_.vocabulary);
        m_.output(logits, "logits", DType::f32, {batch_, sequence_, sizes_.vocabulary});
        for (const auto& [value, name] : presents_)
            m_.output(value, name, DType::f32, cache_shape(total_));
        return m_.finish();
    }

private:
    SymbolicShape cache_shape(const Dim& rows) const {
        return {batch_, sizes_.key_heads, rows, head_};
    }

    ValueId ones(const std::string& name) {
        Tensor weight(DType::f32, {sizes_.width});
        for (float& w : weight.mutable_data<float>()) w = 1;
        return m_.initializer(name, std::move(weight));
    }

    ValueId product(ValueId x, const std::string& path, std::int64_t in, std::int64_t out) {
        return m_.op("MatMul", {x, m_.weight(path + ".weight", {in, out}, 0.02f)});
    }

    /// Lengths of the sequences, less one, and of the longest, which attention takes.
    void read_lengths(ValueId mask) {
        ModelBuilder::Scope scope(m_, "model/attn_mask_reformat");
        const ValueId one = m_.initializer("one", Tensor::of<std::int64_t>({1}, {1}));
        const ValueId index = m_.initializer("index", Tensor::scalar<std::int64_t>(1));
        const ValueId used = m_.op("ReduceSum", {mask, one}, {attribute("keepdims", 0)});
        lengths_ = m_.op("Cast", {m_.op("Sub", {used, one})}, {attribute("to", 6)});
        const ValueId rows =
            m_.op("Gather", {m_.op("Shape", {mask}), index}, {attribute("axis", 0)});
        total_rows_ = m_.op("Cast", {rows}, {attribute("to", 6)});
    }

    void add_rotary_tables() {
        Tensor cosine(DType::f32, {sizes_.positions, head_ / 2}), sine(DType::f32, cosine.shape());
        for (std::int64_t p = 0, at = 0; p < sizes_.positions; ++p)
            for (std::int64_t i = 0; i < head_ / 2; ++i, ++at) {
                const double turn = -2.0 * static_cast<double>(i) / static_cast<double>(head_);
                const double angle = static_cast<double>(p) * std::pow(10000.0, turn);
                cosine.mutable_data<float>()[static_cast<std::size_t>(at)] =
                    static_cast<float>(std::cos(angle));
                sine.mutable_data<float>()[static_cast<std::size_t>(at)] =
                    static_cast<float>(std::sin(angle));
            }
        cosine_ = m_.initializer("cos_cache", std::move(cosine));
        sine_ = m_.initializer("sin_cache", std::move(sine));
    }

    ValueId attention(ValueId x, std::int64_t index) {
        const std::string path = "model.layers." + std::to_string(index) + ".attn";
        ModelBuilder::Scope scope(m_, "attn");
        const std::string past = "past_key_values." + std::to_string(index),
                          present = "present." + std::to_string(index);
        const ValueId key = m_.input(past + ".key", DType::f32, cache_shape(past_)),
                      value = m_.input(past + ".value", DType::f32, cache_shape(past_));
        const ValueId packed = product(x, path + ".qkv_proj", sizes_.width,
                                       (sizes_.heads + 2 * sizes_.key_heads) * head_);
        const auto made = m_.ops(
            "com.microsoft::GroupQueryAttention",
            {packed, {}, {}, key, value, lengths_, total_rows_, cosine_, sine_},
            {attribute("num_heads", sizes_.heads), attribute("kv_num_heads", sizes_.key_heads),
             attribute("scale", 1 / std::sqrt(static_cast<float>(head_))),
             attribute("do_rotary", 1), attribute("rotary_interleaved", 0),
             attribute("local_window_size", -1)},
            3);
        presents_.emplace_back(made[1], present + ".key");
        presents_.emplace_back(made[2], present + ".value");
        return product(made[0], path + ".o_proj", sizes_.width, sizes_.width);
    }

    /// Adds to the residual and normalizes.
    ValueId skip(ValueId x, const std::string& path, bool is_last) {
        const auto made = m_.ops("com.microsoft::SkipSimplifiedLayerNormalization",
                                 {residual_, x, ones(path + ".weight")},
                                 {attribute("epsilon", norm_epsilon)}, is_last ? 1 : 4);
        if (!is_last) residual_ = made[3];
        return made[0];
    }

    ValueId layer(ValueId x, std::int64_t index) {
        const std::string path = "model.layers." + std::to_string(index);
        ValueId normed;
        {
            ModelBuilder::Scope scope(m_, "layers." + std::to_string(index));
            normed = skip(attention(x, index), path + ".post_attention_layernorm", false);
            ModelBuilder::Scope mlp(m_, "mlp");
            const ValueId gate =
                              product(normed, path + ".mlp.gate_proj", sizes_.width, sizes_.inner),
                          up = product(normed, path + ".mlp.up_proj", sizes_.width, sizes_.inner);
            const ValueId active = m_.op("Mul", {gate, m_.op("Sigmoid", {gate})});
            x = product(m_.op("Mul", {active, up}), path + ".mlp.down_proj", sizes_.inner,
                        sizes_.width);
        }
        const bool is_last = index + 1 == sizes_.layers;
        return skip(x,
                    is_last ? "model.final_norm"
                            : "model.layers." + std::to_string(index + 1) + ".input_layernorm",
                    is_last);
    }

    const LlamaSizes& sizes_;
    ModelBuilder m_;
    const std::int64_t head_;
    const Dim batch_ = Dim::symbolic("batch_size"), sequence_ = Dim::symbolic("sequence_length"),
              past_ = Dim::symbolic("past_sequence_length"),
              total_ = Dim::symbolic("total_sequence_length");
    ValueId lengths_, total_rows_, cosine_, sine_, residual_;
    std::vector<std::pair<ValueId, std::string>> presents_;
};

}  // namespace

Model llama(const LlamaSizes& sizes, std::uint64_t seed) {
    return LlamaBuilder(sizes, seed).build();
}

Model llama_160m(std::uint64_t seed) { return llama({}, seed); }

Model llama_1b(std::uint64_t seed) {
    return llama({.name = "llama-1b",
                  .layers = 22,
                  .width = 2048,
                  .inner = 5632,
                  .heads = 32,
                  .key_heads = 4,
                  .is_deferred = true},
                 seed);
}

}  // namespace lapidary::samples
