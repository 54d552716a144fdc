// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/byte_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/threads/session_threads.h"
#include "exec/plan/large_weights.h"
#include "kernels/activation.h"
#include "kernels/product/product_request.h"
#include "ops/byte_sum.h"
#include "rewrite/quantized_weight.h"
#include "rewrite/session_domain.h"

namespace lapidary {
namespace {

ValueId input_of(const Node& node, std::size_t index) {
    return index < node.inputs.size() ? node.inputs[index] : ValueId();
}

bool holds_float32(const Graph& graph, ValueId value) {
    return graph.value(value).type.dtype == DType::f32;
}

/// A float32 row of so many values.
bool is_row(const Graph& graph, ValueId value, std::int64_t columns) {
    const Type& type = graph.value(value).type;
    if (type.dtype != DType::f32 || !type.is_static()) return false;
    const Shape shape = type.static_shape();
    return !shape.empty() && shape.back() == columns && element_count(shape) == columns;
}

/// What is not the weight in lapidary::DynamicQuantizeMatMul: its further inputs and attributes.
struct ProductForm {
    ValueId bias, residual;
    std::vector<Attribute> attributes;
};

bool has_activation(const Node& node) {
    return node.op_type == "GemmFastGelu" || !node.string_attribute("activation", "").empty();
}

/// Adds the activation of the product. False: it has no vector form.
bool add_activation(const Node& node, std::vector<Attribute>& attributes) {
    if (!has_activation(node)) return true;
    std::string name = "FastGelu", reason;
    Activation activation;
    if (node.op_type != "GemmFastGelu") {
        name = node.string_attribute("activation", "");
        const auto found = fused_activation(node, reason);
        if (!found) return false;
        activation = *found;
    }
    attributes.push_back({"activation", name, {}, {}});
    attributes.push_back({"activation_alpha", activation.alpha, {}, {}});
    attributes.push_back({"activation_beta", activation.beta, {}, {}});
    return true;
}

/// Nothing: the integer kernel does not have this form.
std::optional<ProductForm> form_of(const Graph& graph, const Node& node, std::int64_t columns) {
    for (const char* attribute : {"transA", "transBatchA", "transBatchB"})
        if (node.int_attribute(attribute, 0) != 0) return std::nullopt;
    ProductForm form{input_of(node, 2), input_of(node, 3), {}};
    if (form.bias && (node.float_attribute("beta", 1) != 1 || !is_row(graph, form.bias, columns)))
        return std::nullopt;
    if (form.residual && !holds_float32(graph, form.residual)) return std::nullopt;
    for (const char* attribute : {"alpha", "transB"})
        if (const Attribute* const found = node.attribute(attribute))
            form.attributes.push_back(*found);
    if (!add_activation(node, form.attributes)) return std::nullopt;
    return form;
}

/// True where QAttention, which has fewer inputs and attributes, can do what the node does.
bool fits_integer_attention(const Graph& graph, const Node& node) {
    return input_of(node, 2) && holds_float32(graph, node.inputs[2]) && !input_of(node, 5) &&
           !input_of(node, 6) && node.ints_attribute("qkv_hidden_sizes").empty() &&
           node.int_attribute("rotary_embedding_dim", 0) == 0;
}

class ByteConversion final : public WeightConversion {
public:
    explicit ByteConversion(const CancelToken& cancel) : cancel_(cancel) {}

    /// Quantizes the weights of the main graph, by several threads.
    void prepare(const Graph& graph, int threads) {
        struct Task {
            const Tensor* weight;
            bool is_transposed;
            std::optional<QuantizedWeight>* made;
        };
        std::vector<Task> tasks;
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            const Value* const weight = large_weight(graph, node);
            if (!weight || !takes(graph, node, *weight->constant)) continue;
            const auto [at, is_new] = find(*weight->constant, is_transposed(node));
            if (is_new) tasks.push_back({&*weight->constant, is_transposed(node), &at->second});
        }
        if (tasks.empty()) return;
        const auto pool = make_session_threads(
            std::min(usable_thread_count(threads),
                     static_cast<int>(std::min<std::size_t>(tasks.size(), 256))));
        pool->execute([&] {
            pool->parallel_tasks(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i, int) {
                const Task& task = tasks[static_cast<std::size_t>(i)];
                *task.made = quantize(*task.weight, task.is_transposed);
            });
        });
    }

    bool convert(GraphEdit& edit, NodeId product, const Value& weight) override {
        const Graph& graph = edit.graph();
        const Node node = graph.node(product);
        const Tensor& matrix = *weight.constant;
        if (!takes(graph, node, matrix)) return false;
        const auto bytes = bytes_for(edit, node.inputs[1], matrix, is_transposed(node));
        if (!bytes) return false;
        if (node.op_type == "Attention") make_attention(edit, node, *bytes);
        else
            make_product(edit, node, *form_of(graph, node, matrix.dim(is_transposed(node) ? 0 : 1)),
                         *bytes);
        return true;
    }

private:
    struct Bytes {
        ValueId values, scale;
    };
    /// Identity and shape of a constant, and whether its rows are the columns of B.
    using Key = std::tuple<const void*, std::vector<std::int64_t>, bool>;

    static bool is_transposed(const Node& node) {
        return node.op_type != "Attention" && node.int_attribute("transB", 0) != 0;
    }

    /// Whether the integer kernels have the node with such a weight.
    static bool takes(const Graph& graph, const Node& node, const Tensor& matrix) {
        if (!holds_float32(graph, node.inputs[0]) || matrix.rank() != 2) return false;
        const bool is_exchanged = is_transposed(node);
        if (matrix.dim(is_exchanged ? 1 : 0) > most_byte_products) return false;
        if (node.op_type == "Attention") return fits_integer_attention(graph, node);
        return form_of(graph, node, matrix.dim(is_exchanged ? 0 : 1)).has_value();
    }

    /// Constants of this graph that stand for the weight. Nothing: it is not finite.
    std::optional<Bytes> bytes_for(GraphEdit& edit, ValueId read, const Tensor& weight,
                                   bool is_transposed) {
        const Graph& graph = edit.graph();
        const QuantizedWeight* const stored = quantized(weight, is_transposed);
        if (!stored) return std::nullopt;
        Bytes& bytes = stands_[{&graph, read, is_transposed}];
        if (!bytes.values) {
            const std::string name = graph.value(read).name;
            bytes.values = edit.add_initializer(edit.fresh_name(name + "_bytes"), stored->values);
            bytes.scale = edit.add_initializer(edit.fresh_name(name + "_scale"), stored->scale);
        }
        return bytes;
    }

    /// Each weight is quantized once, so that kernels of several bodies share what they pack. The
    /// entry of one that was not asked for yet holds nothing.
    auto find(const Tensor& weight, bool is_transposed)
        -> std::pair<std::map<Key, std::optional<QuantizedWeight>>::iterator, bool> {
        const Shape& shape = weight.shape();
        const auto found = quantized_.try_emplace(
            {weight.identity(), std::vector<std::int64_t>(shape.begin(), shape.end()),
             is_transposed});
        if (found.second) sources_.push_back(weight);
        return found;
    }

    const QuantizedWeight* quantized(const Tensor& weight, bool is_transposed) {
        const auto [at, is_new] = find(weight, is_transposed);
        if (is_new) at->second = quantize(weight, is_transposed);
        return at->second ? &*at->second : nullptr;
    }

    std::optional<QuantizedWeight> quantize(const Tensor& weight, bool is_transposed) const {
        if (!std::ranges::all_of(weight.data<float>(), [](float v) { return std::isfinite(v); }))
            return std::nullopt;
        return quantize_weight(
            weight, {.values = {DType::i8, true, false}, .axis = is_transposed ? 0 : 1}, cancel_);
    }

    static void become(GraphEdit& edit, const Node& node, std::string_view domain,
                       const char* op_type, const std::vector<ValueId>& inputs) {
        for (std::size_t i = 0; i < std::max(inputs.size(), node.inputs.size()); ++i)
            edit.set_input(node.id, i, i < inputs.size() ? inputs[i] : ValueId());
        edit.set_operator(node.id, std::string(domain), op_type, 1);
    }

    static void make_product(GraphEdit& edit, const Node& node, const ProductForm& form,
                             const Bytes& bytes) {
        std::vector<ValueId> inputs{node.inputs[0], bytes.values, bytes.scale,
                                    ValueId(),      form.bias,    form.residual};
        while (!inputs.back()) inputs.pop_back();
        for (const Attribute& attribute : node.attributes)
            edit.remove_attribute(node.id, attribute.name);
        become(edit, node, session_domain, "DynamicQuantizeMatMul", inputs);
        for (const Attribute& attribute : form.attributes) edit.set_attribute(node.id, attribute);
    }

    static void make_attention(GraphEdit& edit, const Node& node, const Bytes& bytes) {
        Type type = edit.graph().value(node.inputs[0]).type;
        type.dtype = DType::u8;
        const ValueId quantized = edit.add_value("", type),
                      scale = edit.add_value("", Type::tensor(DType::f32, SymbolicShape{})),
                      zero = edit.add_value("", Type::tensor(DType::u8, SymbolicShape{}));
        NodeSpec spec;
        spec.op_type = "DynamicQuantizeLinear";
        spec.inputs = {node.inputs[0]};
        spec.outputs = {quantized, scale, zero};
        spec.version = 11;
        const NodeId quantize = edit.add_node(std::move(spec));
        edit.set_origins(quantize, node.origins);
        for (const char* attribute : {"qkv_hidden_sizes", "rotary_embedding_dim"})
            if (node.attribute(attribute)) edit.remove_attribute(node.id, attribute);
        std::vector<ValueId> inputs{quantized, bytes.values, node.inputs[2],
                                    scale,     bytes.scale,  input_of(node, 3),
                                    zero,      ValueId(),    input_of(node, 4)};
        while (!inputs.back()) inputs.pop_back();
        become(edit, node, "com.microsoft", "QAttention", inputs);
    }

    const CancelToken& cancel_;
    // weights of a graph, and what stands for them there
    std::map<std::tuple<const Graph*, ValueId, bool>, Bytes> stands_;
    std::map<Key, std::optional<QuantizedWeight>> quantized_;  // nothing: it is not finite
    std::vector<Tensor> sources_;  // kept, so that no identity comes twice
};

}  // namespace

std::size_t round_weights_to_bytes(Model& model, int threads, const CancelToken& cancel) {
    ByteConversion conversion(cancel);
    conversion.prepare(model.graph, threads);
    return convert_large_weights(model, conversion, cancel);
}

}  // namespace lapidary
