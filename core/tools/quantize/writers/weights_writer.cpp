// SPDX-License-Identifier: Apache-2.0
// Mode weights in blocks: matrices and tables of 4 or 8 bits, products in float.
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/threads/task_threads.h"
#include "ops/operator_traits.h"
#include "quantize/weights/block_weight.h"
#include "quantize/calibration/collect_moments.h"
#include "quantize/weights/compensated_blocks.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::int64_t least_table = 1024;  // elements: a smaller table is not worth it

class WeightsWriter final : public QuantizeWriter {
public:
    WeightsWriter(Model& model, const QuantizeOptions& options, std::vector<ProductMoments> moments)
        : QuantizeWriter(model, options),
          threads_(moments.empty() ? 1 : options.calibration.threads) {
        for (ProductMoments& product : moments)
            if (product.is_known())
                moments_.emplace(product.product.weight, std::move(product.moments));
    }
    std::size_t compensated() const { return compensated_.size(); }

private:
    void write_all(const Progress& progress) override {
        threads_.execute([&] { write_nodes(progress); });
    }
    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (is_kept_float(node)) return;
        const auto type = own_weight_type(graph(), node, options());
        bits_ = type ? (is_packed(*type) ? 4 : 8) : options().weight_bits;
        if (reads_table(node)) return write_table(node);
        std::string reason;
        const auto product = weighted_product(graph(), node, reason);
        if (!product) return decide(node, false, reason);
        if (traits_of(node).quantizing.weights_4.empty() || !product->plain)
            return decide(node, false, "weights in blocks are those of MatMul and plain Gemm");
        const Tensor weight = *graph().value(product->weight).constant;
        const std::int64_t rows = weight.dim(static_cast<std::size_t>(product->input_axis));
        if (rows < options().block)
            return decide(node, false,
                          "its " + std::to_string(rows) + " rows do not fill a block of " +
                              std::to_string(options().block));
        if (options().block_form == BlockForm::matmul_nbits) write_nbits(node, *product, weight);
        else write_dequantize(node, *product, weight);
        decide(node, true,
               "weight of " + std::to_string(bits_) + " bits in blocks of " +
                   std::to_string(options().block) +
                   (compensated_.contains(product->weight) ? ", rounding compensated" : ""));
        edit().record(node.describe() + " with a weight in blocks", false);
        erase_if_unused(product->weight);
    }

    Tensor matrix_of(const WeightedProduct& product, const Tensor& weight) const {
        return product.input_axis == 0 ? weight : swapped_axes(weight);
    }
    std::optional<BlockWeight> compensated_blocks_of(const WeightedProduct& product,
                                                     const Tensor& weight) {
        const auto seen = moments_.find(product.weight);
        if (seen == moments_.end()) return std::nullopt;
        auto blocks = compensated_blocks(
            matrix_of(product, weight), bits_, options().block, options().symmetric_blocks,
            options().block_form == BlockForm::matmul_nbits, seen->second, threads_, cancel());
        if (blocks) compensated_.insert(product.weight);
        return blocks;
    }

    void write_nbits(const Node& node, const WeightedProduct& product, const Tensor& weight) {
        import("com.microsoft");
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis, bits_});
        if (is_new) {
            std::optional<BlockWeight> made = compensated_blocks_of(product, weight);
            const BlockWeight blocks =
                made ? *made
                     : quantize_blocks(matrix_of(product, weight), bits_, options().block,
                                       options().symmetric_blocks, cancel());
            at->second = {
                edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values),
                edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scales)};
            if (blocks.zero_points)
                at->second.push_back(edit().add_initializer(
                    name_of_value(product.weight, "_zero_points"), blocks.zero_points));
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
            edit().add_node({.op_type = "Add",
                             .inputs = {whole, product.bias},
                             .outputs = outputs,
                             .name = node.name + "_bias"});
            outputs = {whole};
        }
        edit().add_node(
            {.op_type = "MatMulNBits",
             .inputs = inputs,
             .outputs = outputs,
             .attributes = {number("K", weight.dim(static_cast<std::size_t>(product.input_axis))),
                            number("N", weight.dim(static_cast<std::size_t>(product.output_axis))),
                            number("bits", bits_), number("block_size", options().block)},
             .name = node.name + "_blocks",
             .domain = "com.microsoft",
             .version = 1});
    }

    void write_dequantize(const Node& node, const WeightedProduct& product, const Tensor& weight) {
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis, bits_});
        if (is_new) {
            const bool four = bits_ == 4, symmetric = options().symmetric_blocks;
            const DType dtype =
                symmetric ? (four ? DType::i4 : DType::i8) : (four ? DType::u4 : DType::u8);
            const auto made = compensated_blocks_of(product, weight);
            const QuantizedWeight blocks =
                made ? dequantize_form(*made,
                                       weight.dim(static_cast<std::size_t>(product.input_axis)),
                                       bits_, options().block, product.input_axis)
                     : quantize_weight(
                           weight, {{dtype, symmetric, false}, product.input_axis, options().block},
                           cancel());
            const ValueId values =
                edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values);
            const ValueId scales =
                edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scale);
            std::vector<ValueId> inputs{values, scales};
            if (!symmetric)
                inputs.push_back(edit().add_initializer(
                    name_of_value(product.weight, "_zero_points"), blocks.zero_point));
            at->second = {edit().node(
                "DequantizeLinear", inputs,
                {{"axis", product.input_axis, {}, {}}, {"block_size", options().block, {}, {}}},
                graph().value(product.weight).name + "_DequantizeLinear")};
        }
        edit().set_input(node.id, 1, at->second[0]);
    }

    /// Rows of a constant matrix, in blocks along the rows.
    void write_table(const Node& node) {
        const Value& table = graph().value(node.inputs.at(0));
        if (!table.is_constant() || !table.constant || !is_f32(graph(), table.id))
            return decide(node, false, "it does not select from a constant of float32");
        const Tensor values = *table.constant;
        const ValueId constant = table.id;
        if (values.rank() != 2 || values.size() < least_table || node.int_attribute("axis", 0) != 0)
            return decide(node, false,
                          "its table is too small, or no matrix of which rows are taken");
        if (options().block_form != BlockForm::matmul_nbits)
            return decide(node, false,
                          "a table behind DequantizeLinear would become float whole in each run");
        if (values.dim(1) % options().block != 0)
            return decide(node, false,
                          "its rows of " + std::to_string(values.dim(1)) +
                              " are no whole blocks of " + std::to_string(options().block));
        import("com.microsoft");
        auto [at, is_new] = stored_.try_emplace({constant, 1, bits_});
        if (is_new) {
            const bool symmetric = options().symmetric_blocks;
            const BlockWeight blocks =
                quantize_blocks(swapped_axes(values), bits_, options().block, symmetric, cancel());
            const std::int64_t rows = values.dim(0), row_bytes = values.dim(1) * bits_ / 8;
            at->second = {
                edit().add_initializer(name_of_value(constant, "_blocks"),
                                       blocks.values.reshaped({rows, row_bytes})),
                edit().add_initializer(name_of_value(constant, "_scales"), blocks.scales)};
            if (blocks.zero_points)
                at->second.push_back(edit().add_initializer(name_of_value(constant, "_zero_points"),
                                                            blocks.zero_points));
        }
        std::vector<ValueId> inputs{at->second[0], node.inputs.at(1), at->second[1]};
        if (at->second.size() > 2) inputs.push_back(at->second[2]);
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        edit().add_node({.op_type = "GatherBlockQuantized",
                         .inputs = inputs,
                         .outputs = outputs,
                         .attributes = {{"gather_axis", std::int64_t{0}, {}, {}},
                                        {"quantize_axis", std::int64_t{1}, {}, {}},
                                        {"block_size", options().block, {}, {}},
                                        {"bits", std::int64_t{bits_}, {}, {}}},
                         .name = node.name + "_blocks",
                         .domain = "com.microsoft",
                         .version = 1});
        decide(node, true,
               "table of " + std::to_string(bits_) + " bits in blocks of " +
                   std::to_string(options().block));
        edit().record(node.describe() + " from a table in blocks", false);
        erase_if_unused(node.inputs[0]);
    }

    TaskThreads threads_;
    int bits_ = 4;  // of the node that is written
    std::map<std::tuple<ValueId, std::int64_t, int>, std::vector<ValueId>> stored_;
    std::map<ValueId, InputMoments> moments_;
    std::set<ValueId> compensated_;
};

}  // namespace

void write_weights(Model& model, const QuantizeOptions& options, const SampleSource* samples,
                   QuantizeResult& result, const Progress& progress) {
    if (options.storage != WeightStorage::blocks)
        return write_small_floats(model, options, result, progress);
    std::vector<ProductMoments> moments;
    if (options.compensated_rounding && samples)
        moments = collect_moments(model, options, *samples, progress);
    const std::size_t products = moments.size();
    WeightsWriter writer(model, options, std::move(moments));
    writer.write(result, progress);
    if (options.block_form == BlockForm::dequantize)
        result.notes.emplace_back(rounding_of_onnxruntime);
    if (products > 0)
        result.notes.push_back("rounded the weights of " + std::to_string(writer.compensated()) +
                               " of " + std::to_string(products) + " products with compensation");
}

}  // namespace lapidary
