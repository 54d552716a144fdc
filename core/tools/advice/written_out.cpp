// SPDX-License-Identifier: Apache-2.0
#include "advice/written_out.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include <lapidary/tensor/tensor.h>

namespace lapidary {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(const Node* node, Names ops) {
    return node && (node->domain.empty() || node->op_type == "FusedMatMul") &&
           std::ranges::find(ops, node->op_type) != ops.end();
}

const Node* writer_of(const Graph& graph, ValueId value) {
    if (!value || graph.value(value).kind != ValueKind::node_output) return nullptr;
    return &graph.node(graph.value(value).producer);
}

const Node* input_writer(const Graph& graph, const Node& node, std::size_t index) {
    return index < node.inputs.size() ? writer_of(graph, node.inputs[index]) : nullptr;
}

/// The first input of `node` that a node of one of these operators writes.
const Node* writer_among(const Graph& graph, const Node& node, Names ops) {
    for (const ValueId input : node.inputs)
        if (const Node* writer = writer_of(graph, input); is_one_of(writer, ops)) return writer;
    return nullptr;
}

const Node* reader_among(const Graph& graph, const Node& node, Names ops) {
    if (node.outputs.empty() || !node.outputs[0]) return nullptr;
    for (const Use& use : graph.value(node.outputs[0]).uses)
        if (const Node* reader = &graph.node(use.node); is_one_of(reader, ops)) return reader;
    return nullptr;
}

/// A constant of one element.
std::optional<double> number_of(const Graph& graph, ValueId value) {
    if (!value || !graph.value(value).is_constant() || !graph.value(value).constant) return {};
    const Tensor& tensor = *graph.value(value).constant;
    if (tensor.size() != 1 || tensor.dtype() == DType::string) return {};
    return to_doubles(tensor).front();
}

bool has_number_near(const Graph& graph, const Node& node, double wanted) {
    return std::ranges::any_of(node.inputs, [&](ValueId input) {
        const auto number = number_of(graph, input);
        return number && std::abs(*number - wanted) < 1e-2 * wanted;
    });
}

/// MatMul, or what a pass has made of it and a scale.
bool is_product(const Node* node) { return is_one_of(node, {"MatMul", "FusedMatMul"}); }

bool is_product_of_results(const Graph& graph, const Node* node) {
    return is_product(node) && node->inputs.size() == 2 &&
           std::ranges::none_of(node->inputs, [&](ValueId input) {
               return !input || graph.value(input).is_constant();
           });
}

constexpr int longest_way = 6;  // of scale, mask and casts between the products

/// Scores, Softmax and the product with the values.
std::optional<WrittenOutOperator> attention_at(const Graph& graph, const Node& softmax) {
    WrittenOutOperator found{WrittenOut::attention, softmax.id, {softmax.id}};
    const Node* at = &softmax;
    for (int i = 0; i < longest_way && !is_product(at); ++i) {
        at = writer_among(graph, *at,
                          {"MatMul", "FusedMatMul", "Mul", "Div", "Add", "Sub", "Where", "Cast",
                           "Reshape", "Clip", "Max", "Tanh"});
        if (!at) return std::nullopt;
        found.nodes.push_back(at->id);
    }
    if (!is_product_of_results(graph, at)) return std::nullopt;
    at = &softmax;
    for (int i = 0; i < longest_way && !is_product(at); ++i) {
        at = reader_among(
            graph, *at,
            {"MatMul", "FusedMatMul", "Cast", "Dropout", "Where", "Mul", "Reshape", "Identity"});
        if (!at) return std::nullopt;
        found.nodes.push_back(at->id);
    }
    if (!is_product_of_results(graph, at)) return std::nullopt;
    return found;
}

/// Sqrt(Add(ReduceMean(square), epsilon)), of what ReduceMean was taken off or not, and a division.
std::optional<WrittenOutOperator> normalization_at(const Graph& graph, const Node& root) {
    const Node* sum = input_writer(graph, root, 0);
    if (!is_one_of(sum, {"Add"})) return std::nullopt;
    const Node* mean = writer_among(graph, *sum, {"ReduceMean"});
    const Node* square = mean ? input_writer(graph, *mean, 0) : nullptr;
    if (!is_one_of(square, {"Pow", "Mul"})) return std::nullopt;
    if (square->op_type == "Mul" && square->inputs.at(0) != square->inputs.at(1))
        return std::nullopt;
    const Node* division = reader_among(graph, root, {"Div", "Reciprocal", "Mul"});
    if (!division) return std::nullopt;
    const Node* centred = input_writer(graph, *square, 0);
    while (is_one_of(centred, {"Cast"})) centred = input_writer(graph, *centred, 0);
    const bool has_mean =
        is_one_of(centred, {"Sub"}) && is_one_of(input_writer(graph, *centred, 1), {"ReduceMean"});
    WrittenOutOperator found{
        has_mean ? WrittenOut::layer_normalization : WrittenOut::rms_normalization,
        root.id,
        {root.id, sum->id, mean->id, square->id, division->id}};
    if (has_mean) found.nodes.push_back(centred->id);
    return found;
}

/// Erf(x / 1.414) + 1, or Tanh(0.798 (x + ...)) + 1.
std::optional<WrittenOutOperator> gelu_at(const Graph& graph, const Node& root) {
    const bool by_erf = root.op_type == "Erf";
    const Node* scale = input_writer(graph, root, 0);
    if (!is_one_of(scale, {"Mul", "Div"})) return std::nullopt;
    const bool is_scaled =
        by_erf ? has_number_near(graph, *scale, 1.41421) || has_number_near(graph, *scale, 0.70711)
               : has_number_near(graph, *scale, 0.79788);
    const Node* plus_one = reader_among(graph, root, {"Add"});
    if (!is_scaled || !plus_one || !has_number_near(graph, *plus_one, 1)) return std::nullopt;
    return WrittenOutOperator{WrittenOut::gelu, root.id, {root.id, scale->id, plus_one->id}};
}

}  // namespace

std::string_view name_of(WrittenOut kind) {
    switch (kind) {
    case WrittenOut::attention: return "Attention";
    case WrittenOut::layer_normalization: return "LayerNormalization";
    case WrittenOut::rms_normalization: return "RMSNormalization";
    case WrittenOut::gelu: break;
    }
    return "Gelu";
}

std::int64_t opset_of(WrittenOut kind) {
    switch (kind) {
    case WrittenOut::layer_normalization: return 17;
    case WrittenOut::gelu: return 20;
    case WrittenOut::attention:
    case WrittenOut::rms_normalization: break;
    }
    return 0;
}

bool fuses(std::string_view pass, WrittenOut kind) {
    switch (kind) {
    case WrittenOut::attention: return pass.find("attention") != pass.npos;
    case WrittenOut::layer_normalization: return pass.find("layer_norm") != pass.npos;
    case WrittenOut::rms_normalization: return pass.find("rms_norm") != pass.npos;
    case WrittenOut::gelu: break;
    }
    return pass.find("gelu") != pass.npos;
}

std::vector<WrittenOutOperator> operators_written_out(const Graph& graph) {
    std::vector<WrittenOutOperator> all;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        std::optional<WrittenOutOperator> found;
        if (is_one_of(&node, {"Softmax"})) found = attention_at(graph, node);
        else if (is_one_of(&node, {"Sqrt"})) found = normalization_at(graph, node);
        else if (is_one_of(&node, {"Erf", "Tanh"})) found = gelu_at(graph, node);
        if (found) all.push_back(std::move(*found));
    }
    return all;
}

}  // namespace lapidary
