// SPDX-License-Identifier: Apache-2.0
#include "generation/llama_gguf.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include "generation/gguf_weight.h"

namespace lapidary {
namespace {

constexpr const char* llama_kind = "a decoder of the Llama kind as onnxruntime-genai writes it";

bool is_constant_product(const Node& node) {
    return node.op_type == "MatMul" || node.op_type == "MatMulNBits";
}
bool is_norm(const Node& node) { return node.op_type.ends_with("SimplifiedLayerNormalization"); }

/// Follows the graph from operator to operator; Casts are passed by.
class Walk {
public:
    explicit Walk(const Graph& graph) : graph_(graph) {}

    const Node& producer(const Node& node, std::size_t input) const {
        if (input < node.inputs.size() && node.inputs[input])
            if (const Node* const found = producer_of(node.inputs[input])) return *found;
        fail_unsupported("input " + std::to_string(input) + " of " + node.describe() +
                         " is no result: expected " + llama_kind);
    }
    const Node* producer_of(ValueId id) const {
        const Value& value = graph_.value(id);
        if (!value.producer) return nullptr;
        const Node& node = graph_.node(value.producer);
        return node.op_type == "Cast" ? producer_of(node.inputs.at(0)) : &node;
    }
    std::vector<const Node*> readers(const Node& node) const {
        std::vector<const Node*> found;
        add_readers(node.outputs.at(0), found);
        return found;
    }
    /// The only reader that `is` holds for.
    template <typename Is>
    const Node& reader(const Node& node, const Is& is, const char* what) const {
        const Node* only = nullptr;
        for (const Node* const found : readers(node)) {
            if (!is(*found)) continue;
            if (only) fail_unsupported(node.describe() + " is read by more than one " + what);
            only = found;
        }
        if (!only)
            fail_unsupported(node.describe() + " is read by no " + what + ": expected " +
                             llama_kind);
        return *only;
    }

private:
    void add_readers(ValueId id, std::vector<const Node*>& found) const {
        for (const Use& use : graph_.value(id).uses) {
            const Node& node = graph_.node(use.node);
            if (node.op_type == "Cast") add_readers(node.outputs.at(0), found);
            else found.push_back(&node);
        }
    }

    const Graph& graph_;
};

class LlamaWriter {
public:
    explicit LlamaWriter(const Model& model) : graph_(model.graph), walk_(graph_) {
        for (const NodeId id : graph_.nodes())
            if (graph_.node(id).op_type == "GroupQueryAttention")
                attentions_.push_back(&graph_.node(id));
        if (attentions_.empty())
            fail_unsupported("llama.cpp is given decoders with GroupQueryAttention: expected " +
                             std::string(llama_kind));
    }

    GgufFile write() {
        add_table();
        const Node* last = nullptr;
        for (std::size_t i = 0; i < attentions_.size(); ++i) last = &add_layer(i);
        add_norm(*last, "output_norm.weight");
        GgufTensor head =
            gguf_weight(graph_, walk_.reader(*last, is_constant_product, "product (the head)"));
        add(std::move(head), "output.weight");
        add_sizes(*last);
        return std::move(file_);
    }

private:
    void add(GgufTensor tensor, std::string name) {
        tensor.name = std::move(name);
        file_.add(std::move(tensor));
    }

    void add_norm(const Node& norm, std::string name) {
        const std::size_t weight = norm.op_type.starts_with("Skip") ? 2 : 1;
        file_.add(gguf_vector(graph_, norm.inputs.at(weight), std::move(name)));
    }

    /// Behind the first norm stands the table.
    void add_table() {
        const Node& norm = first_norm();
        const Node& table = walk_.producer(norm, 0);
        GgufTensor tensor = gguf_weight(graph_, table);
        width_ = tensor.width;
        vocabulary_ = tensor.rows;
        add(std::move(tensor), "token_embd.weight");
    }
    const Node& first_norm() const {
        const Node& product = walk_.producer(*attentions_[0], 0);
        const Node& norm = walk_.producer(product, 0);
        if (!is_norm(norm))
            fail_unsupported(norm.describe() + " is no norm: expected " + llama_kind);
        return norm;
    }

    /// Returns the norm behind the layer.
    const Node& add_layer(std::size_t index) {
        const Node& attention = *attentions_[index];
        const std::string at = "blk." + std::to_string(index) + ".";
        add_attention(attention, at);
        const Node& out = walk_.reader(attention, is_constant_product, "product");
        add(gguf_weight(graph_, out), at + "attn_output.weight");
        const Node& norm = walk_.reader(out, is_norm, "norm");
        add_norm(norm, at + "ffn_norm.weight");
        return add_gated(norm, at);
    }

    void add_attention(const Node& attention, const std::string& at) {
        heads_ = attention.int_attribute("num_heads", 1);
        groups_ = attention.int_attribute("kv_num_heads", 1);
        const Tensor& cosine = table(attention, 7);
        head_ = cosine.dim(1) * 2;
        const Node& product = walk_.producer(attention, 0);
        add_norm(walk_.producer(product, 0), at + "attn_norm.weight");
        const bool is_packed = attention.inputs.size() < 2 || !attention.inputs[1];
        const bool is_half = attention.int_attribute("rotary_interleaved", 0) == 0;
        if (attention.int_attribute("do_rotary", 0) == 0)
            fail_unsupported(attention.describe() + " does not rotate: expected " + llama_kind);
        const auto rotated = [&](GgufTensor tensor) {
            return is_half ? with_neighbours_rotated(std::move(tensor), head_) : tensor;
        };
        const std::int64_t q = heads_ * head_, k = groups_ * head_;
        const auto part = [&](std::size_t input, std::int64_t begin, std::int64_t count) {
            if (!is_packed) return gguf_weight(graph_, walk_.producer(attention, input));
            GgufTensor all = gguf_weight(graph_, product);
            if (all.rows != q + 2 * k)
                fail_unsupported(product.describe() + " has " + std::to_string(all.rows) +
                                 " outputs, expected those of queries, keys and values, " +
                                 std::to_string(q + 2 * k));
            return rows_of(std::move(all), begin, count);
        };
        add(rotated(part(0, 0, q)), at + "attn_q.weight");
        add(rotated(part(1, q, k)), at + "attn_k.weight");
        add(part(2, q + k, k), at + "attn_v.weight");
    }

    const Node& add_gated(const Node& norm, const std::string& at) {
        const Node *gate = nullptr, *up = nullptr;
        for (const Node* const node : walk_.readers(norm)) {
            if (!is_constant_product(*node)) continue;
            bool is_gate = false;
            for (const Node* const reader : walk_.readers(*node))
                is_gate = is_gate || reader->op_type == "Sigmoid";
            (is_gate ? gate : up) = node;
        }
        if (!gate || !up)
            fail_unsupported(norm.describe() + " is read by no gated unit: expected " + llama_kind);
        GgufTensor inner = gguf_weight(graph_, *gate);
        inner_ = inner.rows;
        add(std::move(inner), at + "ffn_gate.weight");
        add(gguf_weight(graph_, *up), at + "ffn_up.weight");
        const auto is_mul = [](const Node& node) { return node.op_type == "Mul"; };
        const Node& down =
            walk_.reader(walk_.reader(*up, is_mul, "Mul"), is_constant_product, "product");
        add(gguf_weight(graph_, down), at + "ffn_down.weight");
        return walk_.reader(down, is_norm, "norm");
    }

    const Tensor& table(const Node& attention, std::size_t input) const {
        const bool is_given = input < attention.inputs.size() && attention.inputs[input];
        const Value* const value = is_given ? &graph_.value(attention.inputs[input]) : nullptr;
        if (!value || !value->constant || value->constant->rank() != 2 ||
            (value->constant->dtype() != DType::f32 && value->constant->dtype() != DType::f16))
            fail_unsupported(attention.describe() +
                             " has no constant table of positions as input " +
                             std::to_string(input));
        return *value->constant;
    }

    static double element(const Tensor& tensor, std::int64_t at) {
        const auto i = static_cast<std::size_t>(at);
        return tensor.dtype() == DType::f32
                   ? static_cast<double>(tensor.data<float>()[i])
                   : static_cast<double>(static_cast<float>(tensor.data<Half>()[i]));
    }

    /// The base of the angles, read from the second row of the tables. Throws not_supported where
    /// they are scaled, which keys of the file cannot say.
    float base() const {
        const Tensor &cosine = table(*attentions_[0], 7), &sine = table(*attentions_[0], 8);
        const std::int64_t half = head_ / 2;
        if (cosine.dim(0) < 2 || half < 2) return 10000.0f;
        const auto angle = [&](std::int64_t i) {
            return std::atan2(element(sine, half + i), element(cosine, half + i));
        };
        double base = std::pow(angle(1), -static_cast<double>(half));
        base = std::round(base / 10) * 10;
        for (std::int64_t i = 0; i < half; ++i) {
            const double expected =
                std::pow(base, -static_cast<double>(i) / static_cast<double>(half));
            if (std::abs(angle(i) - expected) > 1e-3 * expected + 1e-3)
                fail_unsupported(
                    "the angles of the positions are scaled, which is not written "
                    "for llama.cpp");
        }
        return static_cast<float>(base);
    }

    void add_sizes(const Node& norm) {
        const auto number = [&](const char* key, std::int64_t value) {
            file_.add(std::string("llama.") + key, static_cast<std::uint32_t>(value));
        };
        file_.add("general.architecture", std::string_view("llama"));
        file_.add("general.name", std::string_view(graph_.name()));
        number("context_length", table(*attentions_[0], 7).dim(0));
        number("embedding_length", width_);
        number("block_count", static_cast<std::int64_t>(attentions_.size()));
        number("feed_forward_length", inner_);
        number("attention.head_count", heads_);
        number("attention.head_count_kv", groups_);
        number("rope.dimension_count", head_);
        number("vocab_size", vocabulary_);
        file_.add("llama.rope.freq_base", base());
        file_.add("llama.attention.layer_norm_rms_epsilon", norm.float_attribute("epsilon", 1e-5f));
        file_.add("tokenizer.ggml.model", std::string_view("no_vocab"));
    }

    const Graph& graph_;
    Walk walk_;
    GgufFile file_;
    std::vector<const Node*> attentions_;
    std::int64_t heads_ = 0, groups_ = 0, head_ = 0, width_ = 0, inner_ = 0, vocabulary_ = 0;
};

}  // namespace

void write_llama_gguf(const Model& model, const std::filesystem::path& file,
                      const CancelToken& cancel) {
    LlamaWriter(model).write().save(file, cancel);
}

}  // namespace lapidary
