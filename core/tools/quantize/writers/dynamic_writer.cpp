// SPDX-License-Identifier: Apache-2.0
// Mode dynamic: DynamicQuantizeLinear, MatMulInteger and ConvInteger, as ONNX Runtime's
// quantize_dynamic writes them, but with a scale per channel for convolutions too;
// DynamicQuantizeLSTM; QAttention; weights of GRU and RNN, which no integer operator reads, behind
// DequantizeLinear; tables of Gather row by row.
#include <algorithm>
#include <utility>

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

class DynamicWriter final : public QuantizeWriter {
public:
    using QuantizeWriter::QuantizeWriter;

private:
    struct Stored {
        ValueId values, scale, zero_point;
    };

    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (is_kept_float(node)) return;
        const std::string_view dynamic = traits_of(node).quantizing.dynamic_8;
        if (dynamic == "com.microsoft::DynamicQuantizeLSTM") return write_lstm(node);
        if (dynamic == "com.microsoft::QAttention") return write_attention(node);
        if (reads_table(node)) return write_table_of_rows(node);
        if (is_recurrent(node)) return write_recurrent(node);
        std::string reason;
        const auto product = weighted_product(graph(), node, reason);
        if (!product) return decide(node, false, reason);
        if (!product->plain)
            return decide(
                node, false,
                "alpha, beta or a transposed first operand have no place in the integer product");
        if (wants_weight_alone(graph(), node, options())) return write_weight_alone(node, *product);
        if (dynamic.empty()) return decide(node, false, "there is no integer operator for it");
        if (product->bias && !is_f32(graph(), product->bias))
            return decide(node, false, "its bias is not float32");
        if (product->is_convolution) write_convolution(node, *product);
        else write_product(node, *product);
        decide(node, true,
               "weight " + std::string(options().per_channel ? "per channel" : "per tensor") +
                   ", input range taken in each run");
        edit().record(node.describe() + " in integers", false);
        erase_if_unused(product->weight);
    }

    const Stored& quantized_data(ValueId data) {
        const auto [at, is_new] = data_.try_emplace(data);
        if (is_new) {
            Stored& made = at->second;
            made.values = edit().add_value(name_of_value(data, "_quantized"));
            made.scale = edit().add_value(name_of_value(data, "_scale"));
            made.zero_point = edit().add_value(name_of_value(data, "_zero_point"));
            edit().add_node({.op_type = "DynamicQuantizeLinear",
                             .inputs = {data},
                             .outputs = {made.values, made.scale, made.zero_point},
                             .name = graph().value(data).name + "_QuantizeLinear"});
        }
        return at->second;
    }

    /// Writes integers * scales, plus bias, to the outputs of `node`, which is erased.
    void finish(const Node& node, ValueId integers, ValueId data_scale, ValueId weight_scale,
                ValueId bias) {
        const std::string base =
            node.name.empty() ? graph().value(node.outputs[0]).name : node.name;
        const ValueId real =
            edit().node("Cast", {integers}, {{"to", std::int64_t{1}, {}, {}}}, base + "_cast");
        const ValueId scale = edit().node("Mul", {data_scale, weight_scale}, {}, base + "_scales");
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        if (!bias) {
            edit().add_node({.op_type = "Mul",
                             .inputs = {real, scale},
                             .outputs = outputs,
                             .name = base + "_scaled"});
            return;
        }
        const ValueId scaled = edit().node("Mul", {real, scale}, {}, base + "_scaled");
        edit().add_node({.op_type = "Add",
                         .inputs = {scaled, bias},
                         .outputs = outputs,
                         .name = base + "_bias"});
    }

    void write_product(const Node& node, const WeightedProduct& product) {
        Tensor weight = *graph().value(product.weight).constant;
        if (product.output_axis == 0) weight = swapped_axes(weight);
        auto [at, is_new] = weights_.try_emplace({product.weight, product.output_axis == 0});
        if (is_new) {
            WeightFormat format = product_format(product, options());
            if (format.axis) format.axis = 1;
            const QuantizedWeight stored = quantized(weight, format, {weight.dim(1), true, 1});
            at->second.values =
                edit().add_initializer(name_of_value(product.weight, "_quantized"), stored.values);
            at->second.scale =
                edit().add_initializer(name_of_value(product.weight, "_scale"), stored.scale);
            at->second.zero_point = edit().add_initializer(
                name_of_value(product.weight, "_zero_point"), stored.zero_point);
        }
        const Stored stored = at->second;
        if (options().fused_operators) return write_fused(node, product, stored);
        const Stored data = quantized_data(product.data);
        const ValueId integers = edit().node(
            "MatMulInteger", {data.values, stored.values, data.zero_point, stored.zero_point}, {},
            node.name + "_quant");
        finish(node, integers, data.scale, stored.scale, product.bias);
    }

    void write_fused(const Node& node, const WeightedProduct& product, const Stored& weight) {
        import("com.microsoft");
        std::vector<ValueId> inputs{product.data, weight.values, weight.scale, weight.zero_point};
        const bool takes_bias = product.bias && graph().value(product.bias).is_constant() &&
                                graph().value(product.bias).constant->rank() == 1 &&
                                graph().value(product.bias).constant->size() ==
                                    graph().value(weight.values).constant->dim(1);
        if (takes_bias) inputs.push_back(product.bias);
        std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        if (product.bias && !takes_bias) {
            const ValueId whole = edit().add_value(node.name + "_product");
            edit().add_node({.op_type = "Add",
                             .inputs = {whole, product.bias},
                             .outputs = outputs,
                             .name = node.name + "_bias"});
            outputs = {whole};
        }
        edit().add_node({.op_type = "DynamicQuantizeMatMul",
                         .inputs = inputs,
                         .outputs = outputs,
                         .name = node.name + "_quant",
                         .domain = "com.microsoft",
                         .version = 1});
    }

    void write_weight_alone(const Node& node, const WeightedProduct& product) {
        const QuantizedWeight stored =
            quantized_alone(node, product, weight_format(options()).values.dtype);
        edit().set_input(node.id, 1, dequantized(product.weight, stored));
        edit().record("weight of " + node.describe() + " in integers", false);
        decide(node, true, "weight stored in 8 bits, computed in float as asked for");
        erase_if_unused(product.weight);
    }

    void write_convolution(const Node& node, const WeightedProduct& product) {
        const Tensor& weight = *graph().value(product.weight).constant;
        const auto spatial = static_cast<std::size_t>(weight.rank() - 2);
        auto [at, is_new] = weights_.try_emplace({product.weight, false});
        if (is_new) {
            // As u8 about 128: ConvInteger of i8 weights is missing in older releases of ONNX
            // Runtime.
            const QuantizedWeight stored =
                quantized(weight, format_along(0), summed_elements(product, weight));
            std::vector<std::int32_t> shifted = stored_values(stored.values);
            for (std::int32_t& v : shifted) v += 128;
            Shape scale_shape = stored.scale.shape();
            if (stored.format.axis) scale_shape.resize(1 + spatial, 1);
            at->second.values =
                edit().add_initializer(name_of_value(product.weight, "_quantized"),
                                       stored_tensor(DType::u8, weight.shape(), shifted));
            at->second.scale = edit().add_initializer(name_of_value(product.weight, "_scale"),
                                                      stored.scale.reshaped(scale_shape));
            at->second.zero_point = edit().add_initializer(
                name_of_value(product.weight, "_zero_point"), Tensor::scalar<std::uint8_t>(128));
        }
        const Stored stored = at->second;
        const Stored data = quantized_data(product.data);
        const ValueId integers = edit().node(
            "ConvInteger", {data.values, stored.values, data.zero_point, stored.zero_point},
            node.attributes, node.name + "_quant");
        ValueId bias = product.bias;
        if (bias) {
            std::vector<std::int64_t> shape(1 + spatial, 1);
            shape[0] = -1;
            const Value& value = graph().value(bias);
            if (value.is_constant() && value.constant->rank() == 1) {
                shape[0] = value.constant->size();
                bias = edit().add_initializer(name_of_value(product.bias, "_channels"),
                                              value.constant->reshaped(Shape(shape)));
            } else {
                const auto rank = static_cast<std::int64_t>(shape.size());
                const ValueId to = edit().add_initializer(name_of_value(bias, "_shape"),
                                                          Tensor::of<std::int64_t>({rank}, shape));
                bias = edit().node("Reshape", {bias, to}, {}, node.name + "_bias_channels");
            }
        }
        finish(node, integers, data.scale, stored.scale, bias);
        erase_if_unused(product.bias);
    }

    void write_lstm(const Node& node) {
        const auto weight_of = [&](std::size_t i) {
            return graph().value(node.inputs.at(i)).is_constant() && is_f32(graph(), node.inputs[i])
                       ? &*graph().value(node.inputs[i]).constant
                       : nullptr;
        };
        const Tensor *w = weight_of(1), *r = weight_of(2);
        if (!w || !r || w->rank() != 3 || r->rank() != 3)
            return decide(node, false, "its weights are no constants of float32");
        if (node.int_attribute("layout", 0) != 0)
            return decide(node, false, "DynamicQuantizeLSTM has no layout with the batch first");
        import("com.microsoft");
        std::vector<ValueId> inputs(12);
        for (std::size_t i : {0, 3, 4, 5, 6, 7})
            if (i < node.inputs.size()) inputs[i] = node.inputs[i];
        for (std::size_t i : {1, 2}) {
            const Tensor& weight = *graph().value(node.inputs[i]).constant;
            const std::int64_t directions = weight.dim(0), gates = weight.dim(1),
                               width = weight.dim(2);
            const Shape scales =
                options().per_channel ? Shape{directions, gates} : Shape{directions};
            const QuantizedWeight stored = quantized(
                weight.reshaped(options().per_channel ? Shape{directions * gates, width}
                                                      : Shape{directions, gates * width}),
                {{DType::i8, true, options().reduced_range}, 0, 0}, {directions * gates, false, 1});
            std::vector<std::int32_t> values = stored_values(stored.values), turned(values.size());
            for (std::int64_t d = 0; d < directions; ++d)
                for (std::int64_t g = 0; g < gates; ++g)
                    for (std::int64_t k = 0; k < width; ++k)
                        turned[static_cast<std::size_t>((d * width + k) * gates + g)] =
                            values[static_cast<std::size_t>((d * gates + g) * width + k)];
            inputs[i] = edit().add_initializer(
                name_of_value(node.inputs[i], "_quantized"),
                stored_tensor(DType::i8, {directions, width, gates}, turned));
            inputs[6 + 2 * i] = edit().add_initializer(name_of_value(node.inputs[i], "_scale"),
                                                       stored.scale.reshaped(scales));
            inputs[7 + 2 * i] = edit().add_initializer(name_of_value(node.inputs[i], "_zero_point"),
                                                       stored.zero_point.reshaped(scales));
        }
        std::vector<Attribute> attributes = node.attributes;
        std::erase_if(attributes, [](const Attribute& a) { return a.name == "layout"; });
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        edit().add_node({.op_type = "DynamicQuantizeLSTM",
                         .inputs = inputs,
                         .outputs = outputs,
                         .attributes = attributes,
                         .name = node.name + "_quant",
                         .domain = "com.microsoft",
                         .version = 1});
        decide(node, true,
               std::string("weights ") +
                   (options().per_channel ? "per gate and unit" : "per direction") +
                   ", input ranges taken in each run");
        edit().record(node.describe() + " in integers", false);
        for (std::size_t i : {1, 2}) erase_if_unused(node.inputs[i]);
    }

    static bool is_recurrent(const Node& node) {
        const OperatorTraits& traits = traits_of(node);
        return traits.cost.formula == CostFormula::recurrent && traits.quantizing.weights != 0;
    }

    /// Stores the weight as integers, which are dequantized in each run.
    void write_recurrent(const Node& node) {
        std::size_t stored_weights = 0;
        for (std::size_t i : {1, 2}) {
            const Value& weight = graph().value(node.inputs.at(i));
            if (!weight.is_constant() || !is_f32(graph(), weight.id) ||
                weight.constant->rank() != 3)
                continue;
            const std::int64_t rows = weight.constant->dim(0) * weight.constant->dim(1);
            const QuantizedWeight stored =
                quantized(*weight.constant, format_along(1), {rows, false, 1});
            const ValueId id = weight.id;
            edit().set_input(node.id, i, dequantized(id, stored));
            erase_if_unused(id);
            ++stored_weights;
        }
        if (stored_weights == 0)
            return decide(node, false, "its weights are no constants of float32");
        edit().record("weights of " + node.describe() + " in integers", false);
        decide(node, true,
               "weights stored in 8 bits, computed in float: there is no integer operator for it");
    }

    /// Why QAttention, which lacks some inputs and attributes of Attention, cannot replace the
    /// node.
    std::string attention_problem(const Node& node) const {
        const auto is_given = [&](std::size_t i) {
            return i < node.inputs.size() && node.inputs[i];
        };
        if (!is_f32(graph(), node.inputs.at(0))) return "it does not compute in float32";
        const Value& weight = graph().value(node.inputs.at(1));
        if (!is_f32(graph(), weight.id) || !weight.is_constant() || weight.constant->rank() != 2)
            return "its weight is no constant matrix of float32";
        if (!is_given(2)) return "QAttention wants a bias, and it has none";
        if (is_given(5) || is_given(6))
            return "QAttention takes no bias of the scores and no length of the past";
        if (!node.ints_attribute("qkv_hidden_sizes").empty())
            return "QAttention has no sizes of their own for queries, keys and values";
        if (node.int_attribute("rotary_embedding_dim", 0) != 0)
            return "QAttention rotates whole heads alone";
        return {};
    }

    void write_attention(const Node& node) {
        if (const std::string problem = attention_problem(node); !problem.empty())
            return decide(node, false, problem);
        const ValueId weight = node.inputs[1];
        const Tensor& projections = *graph().value(weight).constant;
        const QuantizedWeight stored =
            quantized(projections, format_along(1), {projections.dim(1), true, 1});
        const Stored data = quantized_data(node.inputs[0]);
        const auto optional = [&](std::size_t i) {
            return i < node.inputs.size() ? node.inputs[i] : ValueId();
        };
        const std::vector<ValueId> inputs{
            data.values,
            edit().add_initializer(name_of_value(weight, "_quantized"), stored.values),
            node.inputs[2],
            data.scale,
            edit().add_initializer(name_of_value(weight, "_scale"), stored.scale),
            optional(3),
            data.zero_point,
            edit().add_initializer(name_of_value(weight, "_zero_point"), stored.zero_point),
            optional(4)};
        std::vector<Attribute> attributes = node.attributes;
        std::erase_if(attributes, [](const Attribute& a) {
            return a.name == "rotary_embedding_dim" || a.name == "qkv_hidden_sizes";
        });
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        edit().add_node({.op_type = "QAttention",
                         .inputs = inputs,
                         .outputs = outputs,
                         .attributes = attributes,
                         .name = node.name + "_quant",
                         .domain = "com.microsoft",
                         .version = 1});
        decide(node, true,
               "weights of the projections " +
                   std::string(options().per_channel ? "per channel" : "per tensor") +
                   ", input range taken in each run, attention itself in float");
        edit().record(node.describe() + " with integer projections", false);
        erase_if_unused(weight);
    }

    std::map<ValueId, Stored> data_;
    std::map<std::pair<ValueId, bool>, Stored> weights_;
};

}  // namespace

void write_dynamic(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                   const Progress& progress) {
    DynamicWriter writer(model, options);
    writer.write(result, progress);
}

}  // namespace lapidary
