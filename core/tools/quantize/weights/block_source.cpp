// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/block_source.h"

#include "ops/operator_traits.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {
namespace {

constexpr std::int64_t least_table = 1024;  // elements: a smaller table is not worth it

std::string table_problem(const Graph& graph, const Node& node, const QuantizeOptions& options,
                          std::int64_t block) {
    const Value& table = graph.value(node.inputs.at(0));
    if (!table.is_constant() || !table.constant || !is_f32(graph, table.id))
        return "it does not select from a constant of float32";
    const Tensor& values = *table.constant;
    if (values.rank() != 2 || values.size() < least_table || node.int_attribute("axis", 0) != 0)
        return "its table is too small, or no matrix of which rows are taken";
    if (options.block_form != BlockForm::matmul_nbits)
        return "a table behind DequantizeLinear would become float whole in each run";
    if (values.dim(1) % block != 0)
        return "its rows of " + std::to_string(values.dim(1)) + " are no whole blocks of " +
               std::to_string(block);
    return {};
}

}  // namespace

std::optional<BlockSource> block_source(const Graph& graph, const Node& node,
                                        const QuantizeOptions& options, std::int64_t block,
                                        std::string& reason) {
    if (reads_table(node)) {
        reason = table_problem(graph, node, options, block);
        if (!reason.empty()) return std::nullopt;
        return BlockSource{node.inputs.at(0), 1, std::nullopt};
    }
    const auto product = weighted_product(graph, node, reason);
    if (!product) return std::nullopt;
    if (traits_of(node).quantizing.weights_4.empty() || !product->plain) {
        reason = "weights in blocks are those of MatMul and plain Gemm";
        return std::nullopt;
    }
    const std::int64_t rows =
        graph.value(product->weight).constant->dim(static_cast<std::size_t>(product->input_axis));
    if (rows < block) {
        reason =
            "its " + std::to_string(rows) + " rows do not fill a block of " + std::to_string(block);
        return std::nullopt;
    }
    return BlockSource{product->weight, product->input_axis, product};
}

Tensor matrix_in_blocks(const Graph& graph, const BlockSource& source) {
    const Tensor& constant = *graph.value(source.constant).constant;
    return source.axis == 0 ? constant : swapped_axes(constant);
}

}  // namespace lapidary
