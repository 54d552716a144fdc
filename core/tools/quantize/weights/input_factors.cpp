// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/input_factors.h"

#include <algorithm>
#include <string>

#include "quantize/weights/weight_by_channel.h"

namespace lapidary {
namespace {

/// Of a node the inputs that its first output's channels are proportional to; empty: none.
std::vector<std::size_t> factor_inputs(const Graph& graph, const Node& node) {
    const auto with_bias = [&](std::size_t scale) {
        return node.inputs.size() > scale + 1 && node.inputs[scale + 1]
                   ? std::vector<std::size_t>{scale, scale + 1}
                   : std::vector<std::size_t>{scale};
    };
    const std::string op = node.qualified_op();
    if (op == "LayerNormalization") return with_bias(1);
    if (op == "SimplifiedLayerNormalization" || op == "RMSNormalization") return {1};
    if (op == "com.microsoft::SkipSimplifiedLayerNormalization") return {2};
    if (op == "com.microsoft::SkipLayerNormalization") return with_bias(2);
    if (op != "Mul") return {};
    return {graph.value(node.inputs[1]).is_constant() ? 1u : 0u};
}

bool is_vector_of(const Graph& graph, ValueId id, std::size_t channels) {
    if (!id) return false;
    const Value& value = graph.value(id);
    return value.is_constant() && value.constant && value.constant->rank() == 1 &&
           value.constant->dtype() == DType::f32 &&
           static_cast<std::size_t>(value.constant->size()) == channels;
}

/// The product without bias whose result this node alone reads; its outputs are the channels.
std::optional<WeightedProduct> product_of(const Graph& graph, ValueId id, std::size_t channels) {
    const Value& value = graph.value(id);
    if (value.kind != ValueKind::node_output || !value.read_once()) return std::nullopt;
    std::string ignored;
    const auto product = weighted_product(graph, graph.node(value.producer), ignored);
    if (!product || product->is_convolution || !product->plain || product->bias ||
        !graph.value(product->weight).read_once())
        return std::nullopt;
    const Tensor& weight = *graph.value(product->weight).constant;
    if (static_cast<std::size_t>(weight.dim(static_cast<std::size_t>(product->output_axis))) !=
        channels)
        return std::nullopt;
    return product;
}

}  // namespace

std::optional<FactorPlace> factor_place(const Graph& graph, ValueId id, std::size_t channels,
                                        bool through_products) {
    const Value& value = graph.value(id);
    if (value.kind != ValueKind::node_output || value.producer_output != 0) return std::nullopt;
    const Node& node = graph.node(value.producer);
    FactorPlace place;
    for (const std::size_t input : factor_inputs(graph, node)) {
        if (input >= node.inputs.size() || !is_vector_of(graph, node.inputs[input], channels)) {
            place.vectors.clear();
            break;
        }
        place.vectors.emplace_back(node.id, input);
    }
    if (!place.vectors.empty()) return place;
    if (!through_products || node.qualified_op() != "Mul") return std::nullopt;
    for (const ValueId input : {node.inputs[1], node.inputs[0]})
        if (auto product = product_of(graph, input, channels)) {
            place.product = std::move(product);
            return place;
        }
    return std::nullopt;
}

void divide(GraphEdit& edit, const FactorPlace& place, std::span<const float> divisors) {
    const Graph& graph = edit.graph();
    for (const auto& [node, input] : place.vectors) {
        const ValueId vector = graph.node(node).inputs[input];
        Tensor scaled = graph.value(vector).constant->clone();
        for (std::size_t c = 0; c < divisors.size(); ++c)
            scaled.mutable_data<float>()[c] /= divisors[c];
        edit.set_input(node, input,
                       edit.add_initializer(graph.value(vector).name + "_smoothed", scaled));
        if (graph.value(vector).is_unused()) edit.erase_value(vector);
    }
    if (!place.product) return;
    WeightByChannel weight(graph, *place.product);
    weight.visit([&](float& v, std::size_t, std::size_t output) { v /= divisors[output]; });
    edit.set_constant(place.product->weight, weight.tensor());
}

}  // namespace lapidary
