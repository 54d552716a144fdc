// SPDX-License-Identifier: Apache-2.0
#include "quantize/quantized_operator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lapidary {
namespace {

constexpr std::array<std::string_view, 9> movers{"Reshape", "Transpose", "Squeeze",  "Unsqueeze",   "Flatten",
                                                 "MaxPool", "Slice",     "Identity", "DepthToSpace"};
constexpr std::array<std::string_view, 10> integer_forms{
    "Add", "Mul", "Concat", "Sigmoid", "LeakyRelu", "AveragePool", "GlobalAveragePool", "Resize", "Split", "Where"};

std::optional<WeightedProduct> convolution(const Graph& graph, const Node& node, WeightedProduct product) {
    const bool transposed = node.op_type == "ConvTranspose";
    product.output_axis = transposed ? 1 : 0;
    product.input_axis = transposed ? 0 : 1;
    product.groups = node.int_attribute("group", 1);
    product.is_convolution = true;
    const std::int64_t rank = graph.value(product.weight).constant->rank();
    return rank >= 3 && product.groups > 0 ? std::optional(product) : std::nullopt;
}

}  // namespace

bool is_f32(const Graph& graph, ValueId value) {
    return value && graph.value(value).type.is_tensor() && graph.value(value).type.dtype == DType::f32;
}

std::optional<WeightedProduct> weighted_product(const Graph& graph, const Node& node, std::string& reason) {
    const bool is_convolution = node.op_type == "Conv" || node.op_type == "ConvTranspose";
    if (!node.domain.empty() || (!is_convolution && node.op_type != "Gemm" && node.op_type != "MatMul")) {
        reason = node.qualified_op() + " is no product with a weight";
        return std::nullopt;
    }
    WeightedProduct product;
    product.node = node.id;
    product.data = node.inputs.at(0);
    product.weight = node.inputs.at(1);
    if (node.inputs.size() > 2 && node.op_type != "MatMul") product.bias = node.inputs[2];
    if (!is_f32(graph, product.data) || !is_f32(graph, product.weight)) {
        reason = "it does not compute in float32";
        return std::nullopt;
    }
    const Value& weight = graph.value(product.weight);
    if (!weight.is_constant() || !weight.constant) {
        reason = "its second operand is no constant";
        return std::nullopt;
    }
    if (graph.value(product.data).is_constant()) {
        reason = "its first operand is a constant";
        return std::nullopt;
    }
    const std::int64_t rank = weight.constant->rank();
    if (is_convolution) {
        if (auto found = convolution(graph, node, product)) return found;
        reason = "its weight has no spatial axis";
        return std::nullopt;
    }
    if (rank != 2) {
        reason = "its weight is no matrix";
        return std::nullopt;
    }
    product.data_axis = -1;
    const bool transposed = node.op_type == "Gemm" && node.int_attribute("transB", 0) != 0;
    product.output_axis = transposed ? 0 : 1;
    product.input_axis = 1 - product.output_axis;
    if (node.op_type == "Gemm")
        product.plain = node.int_attribute("transA", 0) == 0 && node.float_attribute("alpha", 1) == 1 &&
                        node.float_attribute("beta", 1) == 1;
    return product;
}

bool moves_values(const Node& node) {
    return node.domain.empty() && std::ranges::find(movers, node.op_type) != movers.end() && node.outputs.size() == 1;
}

bool has_integer_form(const Node& node) {
    return node.domain.empty() && std::ranges::find(integer_forms, node.op_type) != integer_forms.end();
}

}  // namespace lapidary
