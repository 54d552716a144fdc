// SPDX-License-Identifier: Apache-2.0
// Mode weights: matrices in blocks of 4 or 8 bits, products in float.
#include <utility>

#include "quantize/block_weight.h"
#include "quantize/quantize_writer.h"

namespace lapidary {
namespace {

class WeightsWriter final : public QuantizeWriter {
public:
    using QuantizeWriter::QuantizeWriter;

private:
    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (is_kept_float(node)) return;
        std::string reason;
        const auto product = weighted_product(graph(), node, reason);
        if (!product) return decide(node, false, reason);
        if (product->is_convolution || !product->plain)
            return decide(node, false, "weights in blocks are those of MatMul and plain Gemm");
        const Tensor weight = *graph().value(product->weight).constant;
        const std::int64_t rows = weight.dim(static_cast<std::size_t>(product->input_axis));
        if (rows < options().block)
            return decide(
                node, false,
                "its " + std::to_string(rows) + " rows do not fill a block of " + std::to_string(options().block));
        if (options().block_form == BlockForm::matmul_nbits) write_nbits(node, *product, weight);
        else write_dequantize(node, *product, weight);
        decide(node, true,
               "weight of " + std::to_string(options().weight_bits) + " bits in blocks of " +
                   std::to_string(options().block));
        edit().record(node.describe() + " with a weight in blocks", false);
        erase_if_unused(product->weight);
    }

    void write_nbits(const Node& node, const WeightedProduct& product, const Tensor& weight) {
        import("com.microsoft");
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis});
        if (is_new) {
            const BlockWeight blocks =
                quantize_blocks(product.input_axis == 0 ? weight : swapped_axes(weight), options().weight_bits,
                                options().block, options().symmetric_blocks);
            at->second = {edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values),
                          edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scales)};
            if (blocks.zero_points)
                at->second.push_back(
                    edit().add_initializer(name_of_value(product.weight, "_zero_points"), blocks.zero_points));
        }
        std::vector<ValueId> inputs{product.data};
        inputs.insert(inputs.end(), at->second.begin(), at->second.end());
        const auto number = [](std::string name, std::int64_t value) {
            return Attribute{std::move(name), value, {}, {}};
        };
        std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        if (product.bias) {
            const ValueId whole = edit().add_value(node.name + "_product");
            edit().add_node(
                {.op_type = "Add", .inputs = {whole, product.bias}, .outputs = outputs, .name = node.name + "_bias"});
            outputs = {whole};
        }
        edit().add_node({.op_type = "MatMulNBits",
                         .inputs = inputs,
                         .outputs = outputs,
                         .attributes = {number("K", weight.dim(static_cast<std::size_t>(product.input_axis))),
                                        number("N", weight.dim(static_cast<std::size_t>(product.output_axis))),
                                        number("bits", options().weight_bits), number("block_size", options().block)},
                         .name = node.name + "_blocks",
                         .domain = "com.microsoft",
                         .version = 1});
    }

    void write_dequantize(const Node& node, const WeightedProduct& product, const Tensor& weight) {
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis});
        if (is_new) {
            const bool four = options().weight_bits == 4, symmetric = options().symmetric_blocks;
            const DType dtype = symmetric ? (four ? DType::i4 : DType::i8) : (four ? DType::u4 : DType::u8);
            const QuantizedWeight blocks =
                quantize_weight(weight, {{dtype, symmetric, false}, product.input_axis, options().block});
            const ValueId values = edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values);
            const ValueId scales = edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scale);
            std::vector<ValueId> inputs{values, scales};
            if (!symmetric)
                inputs.push_back(
                    edit().add_initializer(name_of_value(product.weight, "_zero_points"), blocks.zero_point));
            at->second = {edit().node("DequantizeLinear", inputs,
                                      {{"axis", product.input_axis, {}, {}}, {"block_size", options().block, {}, {}}},
                                      graph().value(product.weight).name + "_DequantizeLinear")};
        }
        edit().set_input(node.id, 1, at->second[0]);
    }

    std::map<std::pair<ValueId, std::int64_t>, std::vector<ValueId>> stored_;
};

}  // namespace

void write_weights(Model& model, const QuantizeOptions& options, QuantizeResult& result, const Progress& progress) {
    WeightsWriter writer(model, options);
    writer.write(result, progress);
}

}  // namespace lapidary
