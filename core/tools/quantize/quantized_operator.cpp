// SPDX-License-Identifier: Apache-2.0
#include "quantize/quantized_operator.h"

#include <bit>

#include "base/at.h"
#include "kernels/kernel.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

/// True for the traits of a product whose second operand is its weight.
bool is_weighted_product(const OperatorTraits& traits) {
    return traits.domain.empty() && traits.quantizing.role == QuantizeRole::own_parameters &&
           traits.quantizing.weights != 0 &&
           (traits.layout == OperatorLayout::convolution ||
            traits.layout == OperatorLayout::product);
}

std::string operand_problem(const Graph& graph, const WeightedProduct& product) {
    if (!is_f32(graph, product.data) || !is_f32(graph, product.weight))
        return "it does not compute in float32";
    const Value& weight = graph.value(product.weight);
    if (!weight.is_constant() || !weight.constant) return "its second operand is no constant";
    if (graph.value(product.data).is_constant()) return "its first operand is a constant";
    const std::int64_t rank = weight.constant->rank();
    if (product.is_convolution && (rank < 3 || product.groups <= 0))
        return "its weight has no spatial axis";
    if (!product.is_convolution && rank != 2) return "its weight is no matrix";
    return {};
}

/// A Resize that interpolates would truncate integers, while QuantizeLinear rounds.
bool repeats_pixels(const Node& node, const OperatorTraits& traits) {
    return traits.layout == OperatorLayout::resize &&
           node.string_attribute("mode", "nearest") == "nearest" &&
           node.string_attribute("coordinate_transformation_mode", "half_pixel") !=
               "tf_crop_and_resize";
}

}  // namespace

bool is_f32(const Graph& graph, ValueId value) {
    return value && graph.value(value).type.is_tensor() &&
           graph.value(value).type.dtype == DType::f32;
}

std::optional<WeightedProduct> weighted_product(const Graph& graph, const Node& node,
                                                std::string& reason) {
    const OperatorTraits& traits = traits_of(node);
    if (!is_weighted_product(traits)) {
        reason = node.qualified_op() + " is no product with a weight";
        return std::nullopt;
    }
    const Quantizing& facts = traits.quantizing;
    WeightedProduct product;
    product.node = node.id;
    product.data = node.inputs.at(0);
    product.weight = node.inputs.at(static_cast<std::size_t>(std::countr_zero(facts.weights)));
    if (facts.bias >= 0 && node.inputs.size() > static_cast<std::size_t>(facts.bias))
        product.bias = at(node.inputs, facts.bias);
    product.is_convolution = traits.layout == OperatorLayout::convolution;
    if (product.is_convolution) product.groups = node.int_attribute("group", 1);
    reason = operand_problem(graph, product);
    if (!reason.empty()) return std::nullopt;
    // Of matrices the axis is that of an untransposed one; counted from the end it is that of
    // rank 2.
    const bool transposed = node.int_attribute("transB", 0) != 0;
    product.output_axis = facts.channel_axis < 0 ? facts.channel_axis + 2 : facts.channel_axis;
    if (transposed) product.output_axis = 1 - product.output_axis;
    product.input_axis = 1 - product.output_axis;
    if (product.is_convolution) return product;
    product.data_axis = -1;
    product.plain = node.int_attribute("transA", 0) == 0 && node.float_attribute("alpha", 1) == 1 &&
                    node.float_attribute("beta", 1) == 1;
    return product;
}

bool is_product(const Node& node) { return is_weighted_product(traits_of(node)); }

bool reads_table(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    return traits.layout == OperatorLayout::gather && (traits.quantizing.weights & 1) != 0;
}

bool moves_values(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    const bool moves =
        traits.is_moved() || traits.elements == Elements::selected || repeats_pixels(node, traits);
    return (traits.quantizing.own_widths & 8) != 0 && node.outputs.size() == 1 && moves &&
           traits.layout != OperatorLayout::split;
}

bool has_integer_form(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    const Quantizing& facts = traits.quantizing;
    const bool is_softmax = gives_shares(node);  // its small results lose most: it stays float
    const bool is_quantized =
        facts.role == QuantizeRole::own_parameters || facts.role == QuantizeRole::shared_parameters;
    const bool computes = !moves_values(node) && traits.layout != OperatorLayout::resize;
    return is_quantized && !is_softmax && facts.weights == 0 && computes &&
           (facts.static_8.empty() ? (facts.own_widths & 8) != 0 : has_fast_kernel(facts.static_8));
}

bool has_plain_integer_form(const Node& node) {
    const Quantizing& facts = traits_of(node).quantizing;
    return facts.role != QuantizeRole::stays_float && !facts.static_8.empty() &&
           !has_fast_kernel(facts.static_8);
}

bool is_transposed_convolution(const Node& node) {
    return traits_of(node).cost.formula == CostFormula::transposed_convolution;
}

bool has_integer_product(const Node& node) { return !traits_of(node).quantizing.static_8.empty(); }

bool gives_shares(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    return traits.layout == OperatorLayout::softmax && traits.range.low == 0 &&
           traits.range.high == 1;
}

bool is_absorbed(const Node& node) {
    return traits_of(node).quantizing.role == QuantizeRole::absorbed;
}

}  // namespace lapidary
