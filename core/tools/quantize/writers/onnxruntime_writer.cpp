// SPDX-License-Identifier: Apache-2.0
// Mode static with the placement of ONNX Runtime: scales, zero points, weights and biases are those
// that its quantize_static writes for the same ranges.
#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"
#include "quantize/writers/int32_bias.h"
#include "quantize/writers/onnxruntime_placement.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/writers/static_parameters.h"

namespace lapidary {
namespace {

Attribute axis_of_channels(std::int64_t axis) { return {"axis", axis, {}, {}}; }

class OnnxRuntimeWriter final : public QuantizeWriter {
public:
    OnnxRuntimeWriter(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                      const Calibration& calibration)
        : QuantizeWriter(model, options), parts_(parts), calibration_(calibration) {}
    std::vector<QuantizedRange> take_ranges() { return std::move(ranges_); }

private:
    struct Constant {
        Tensor weight;
        QuantizedWeight stored;
    };
    struct Corrected {
        Tensor bias;
        OnnxRuntimePlacement::Bias at;
    };

    void write_all(const Progress& progress) override {
        placement_ = place_as_onnxruntime(graph(), options());
        choose_parameters();
        store_constants();
        enlarge_scales();
        write_nodes(progress);
        if (parts_ == QuantizedParts::both)
            for (const Corrected& bias : biases_) write_bias(bias);
        if (parts_ != QuantizedParts::activations) write_constants();
        if (parts_ != QuantizedParts::weights) {
            absorb();
            write_pairs();
        }
        edit().record("pairs for " + std::to_string(placement_.marks.size()) + " values");
        for (ValueId value : replaced_) erase_if_unused(value);
    }

    /// The observations whose range the value takes; null: [0, 1].
    const ObservedTensor* observed(ValueId value) const {
        const auto at = placement_.ranges.find(value);
        const ValueId source = at != placement_.ranges.end() && at->second ? *at->second : value;
        return calibration_.find(graph().value(source).name);
    }

    void choose_parameters() {
        const AffineFormat format{options().activation, options().symmetric_activation, false};
        const RangeOptions ranges = range_options(options());
        for (auto at = placement_.marks.begin(); at != placement_.marks.end();) {
            const auto [value, mark] = *at++;
            cancel().throw_if_cancelled();
            if (mark.parameters || graph().value(value).is_constant()) continue;
            const auto moved = placement_.ranges.find(value);
            if (moved != placement_.ranges.end() && !moved->second) {
                parameters_[value] = affine_parameters(0, 1, format);
                continue;
            }
            const ObservedTensor* const seen = observed(value);
            if (!seen) {
                note("value " + quote(graph().value(value).name) +
                     " stays float: no sample gave it finite values");
                placement_.marks.erase(value);
                continue;
            }
            const RealRange range = choose_range(*seen, ranges);
            parameters_[value] = affine_parameters(range.low, range.high, format);
            ObservedTensor named = *seen;
            named.name = graph().value(value).name;
            ranges_.push_back(quantized_range(named, parameters_[value], options().activation));
        }
        // A value that shares the parameters of another one stays float if that one does.
        std::vector<ValueId> left;
        for (const auto& [value, mark] : placement_.marks)
            if (!source_of(value)) left.push_back(value);
        for (ValueId value : left) placement_.marks.erase(value);
    }

    /// The value whose parameters it finally shares; empty: that one stays float.
    ValueId source_of(ValueId value) const {
        for (;;) {
            const auto at = placement_.marks.find(value);
            if (at == placement_.marks.end()) return {};
            if (!at->second.parameters) return value;
            value = at->second.parameters;
        }
    }

    /// The scale of a marked value, constant or not.
    std::optional<float> scale_of(ValueId value) const {
        const ValueId source = source_of(value);
        if (const auto at = parameters_.find(source); at != parameters_.end())
            return at->second.scale;
        const auto at = constants_.find(source);
        return at != constants_.end() && at->second.stored.scale.size() == 1
                   ? std::optional(at->second.stored.scale.data<float>()[0])
                   : std::nullopt;
    }

    /// The scale by the range of the value itself, even if it shares that of another one: ONNX
    /// Runtime checks biases with it.
    std::optional<float> own_scale(ValueId value) const {
        if (const auto at = parameters_.find(value); at != parameters_.end())
            return at->second.scale;
        const ObservedTensor* const seen = observed(value);
        if (!seen || !placement_.marks.contains(value)) return std::nullopt;
        const RealRange range = choose_range(*seen, range_options(options()));
        return affine_parameters(range.low, range.high,
                                 {options().activation, options().symmetric_activation, false})
            .scale;
    }

    void store_constants() {
        const bool signed_weight = options().weight == DType::i8 || options().weight == DType::i4;
        for (const auto& [value, mark] : placement_.marks) {
            if (!graph().value(value).is_constant()) continue;
            cancel().throw_if_cancelled();
            WeightFormat format;
            if (mark.is_weight)
                format.values = {options().weight, signed_weight || mark.axis.has_value(),
                                 options().reduced_range};
            else
                format.values = {options().activation, options().symmetric_activation,
                                 options().reduced_range};
            format.axis = mark.axis;
            const Tensor weight = *graph().value(value).constant;
            constants_[value] = {weight, quantize_weight(weight, format, cancel())};
        }
    }

    /// Enlarges scales of weights if biases would not fit into int32, in the order of the nodes.
    void enlarge_scales() {
        for (const OnnxRuntimePlacement::Bias& bias : placement_.biases) {
            const auto weight = constants_.find(bias.weight);
            Tensor values = *graph().value(graph().node(bias.node).inputs[bias.input]).constant;
            if (weight == constants_.end()) {  // a product of two computed values
                biases_.push_back({values, bias});
                continue;
            }
            QuantizedWeight& stored = weight->second.stored;
            const Tensor& weights = weight->second.weight;
            std::string ignored;
            const auto product = weighted_product(graph(), graph().node(bias.node), ignored);
            if (product && options().bias_correction)
                values =
                    corrected_bias(graph(), *product, values, weights, stored,
                                   calibration_.find(graph().value(product->data).name), cancel());
            biases_.push_back({values, bias});
            const auto scale = own_scale(bias.data);
            const bool counts = stored.scale.rank() == 0 || stored.scale.size() == values.size();
            if (stored.format.values.dtype != DType::i8 || !scale || !counts) continue;
            const Tensor enlarged = scale_for_bias(values, *scale, stored.scale);
            if (!same_contents(enlarged, stored.scale))
                stored = quantize_weight_with(weights, enlarged, stored.zero_point, stored.format,
                                              cancel());
        }
    }

    void write_node(NodeId id) override {
        const Node& node = graph().node(id);
        if (const auto at = placement_.reasons.find(id); at != placement_.reasons.end())
            return decide(node, false, at->second);
        std::string ignored;
        const bool is_absorbed =
            std::ranges::find(placement_.absorbed, id) != placement_.absorbed.end();
        if (is_absorbed) return decide(node, true, "goes into the rounding after it");
        if (weighted_product(graph(), node, ignored))
            return decide(node, true,
                          std::string("weight ") +
                              (options().per_channel ? "per channel" : "per tensor") +
                              ", input and result quantized");
        decide(node, true,
               moves_values(node) ? "moves quantized values as they are"
                                  : "its inputs and outputs are quantized");
    }

    void write_bias(const Corrected& bias) {
        const auto scale = scale_of(bias.at.data);
        const auto weight = constants_.find(bias.at.weight);
        const bool is_constant = weight != constants_.end();
        const auto computed_scale = is_constant ? std::nullopt : scale_of(bias.at.weight);
        if (!scale || (!is_constant && !computed_scale)) return;
        const Tensor weight_scale =
            is_constant ? weight->second.stored.scale : Tensor::of<float>({}, {*computed_scale});
        if (weight_scale.size() != 1 && weight_scale.size() != bias.bias.size()) return;
        const Int32Bias stored = quantize_bias(bias.bias, *scale, weight_scale);
        const ValueId before = graph().node(bias.at.node).inputs[bias.at.input];
        const std::string base = graph().value(before).name;
        if (!stored.fits)
            note("the bias of " + graph().node(bias.at.node).describe() +
                 " was cut to fit into int32");
        const bool per_channel = is_constant && weight->second.stored.format.axis.has_value();
        const ValueId values =
            edit().add_initializer(edit().fresh_name(base + "_quantized"), stored.values);
        const ValueId scales =
            edit().add_initializer(edit().fresh_name(base + "_quantized_scale"),
                                   per_channel ? stored.scale : stored.scale.reshaped({}));
        const ValueId real =
            edit().node("DequantizeLinear", {values, scales},
                        per_channel ? std::vector{axis_of_channels(0)} : std::vector<Attribute>{},
                        base + "_DequantizeLinear");
        edit().set_input(bias.at.node, bias.at.input, real);
        replaced_.push_back(before);
    }

    void write_constants() {
        for (const auto& [value, constant] : constants_) {
            const QuantizedWeight& stored = constant.stored;
            const std::string name = graph().value(value).name;
            const ValueId values =
                edit().add_initializer(name_of_value(value, "_quantized"), stored.values);
            const ValueId scale =
                edit().add_initializer(name_of_value(value, "_scale"), stored.scale);
            const ValueId zero =
                edit().add_initializer(name_of_value(value, "_zero_point"), stored.zero_point);
            std::vector<Attribute> attributes;
            if (stored.format.axis) attributes.push_back(axis_of_channels(*stored.format.axis));
            const std::vector<Use> uses = graph().value(value).uses;
            const ValueId real = edit().node("DequantizeLinear", {values, scale, zero}, attributes,
                                             name + "_DequantizeLinear");
            for (const Use& use : uses) edit().set_input(use.node, use.input, real);
            replaced_.push_back(value);
        }
    }

    /// Removes an operator that only bounds values: the node before it writes its result.
    void absorb() {
        for (NodeId id : placement_.absorbed) {
            const ValueId before = graph().node(id).inputs[0];
            const NodeId producer = graph().value(before).producer;
            const std::vector<ValueId> outputs = edit().take_outputs(id);
            edit().erase(id);
            const Node& first = graph().node(producer);
            const auto at = static_cast<std::size_t>(std::ranges::find(first.outputs, before) -
                                                     first.outputs.begin());
            edit().set_output(producer, at, outputs[0]);
            edit().erase_value(before);
        }
    }

    void write_pairs() {
        std::map<ValueId, std::pair<ValueId, ValueId>> made;
        for (const auto& [value, mark] : placement_.marks) {
            if (graph().value(value).is_constant()) continue;
            const ValueId source = source_of(value);
            auto [at, is_new] = made.try_emplace(source);
            if (is_new) at->second = parameter_values(source);
            const auto [scale, zero] = at->second;
            const std::string name = graph().value(value).name;
            const std::vector<Use> uses = graph().value(value).uses;
            ValueId real_value = value;
            const bool is_output = graph().value(value).output_uses > 0;
            if (is_output && graph().value(value).kind == ValueKind::node_output) {
                const Value before = graph().value(value);
                real_value =
                    edit().add_value(name_of_value(value, "_QuantizeLinear_Input"), before.type);
                edit().set_output(before.producer, before.producer_output, real_value);
            }
            const ValueId integers = edit().node("QuantizeLinear", {real_value, scale, zero}, {},
                                                 name + "_QuantizeLinear");
            if (real_value != value) {
                edit().add_node({.op_type = "DequantizeLinear",
                                 .inputs = {integers, scale, zero},
                                 .outputs = {value},
                                 .name = name + "_DequantizeLinear"});
                continue;
            }
            const ValueId real = edit().node("DequantizeLinear", {integers, scale, zero}, {},
                                             name + "_DequantizeLinear");
            for (const Use& use : uses) edit().set_input(use.node, use.input, real);
        }
    }

    std::pair<ValueId, ValueId> parameter_values(ValueId source) {
        // of a table: its own scale again
        if (const auto at = constants_.find(source); at != constants_.end())
            return {edit().add_initializer(name_of_value(source, "_rows_scale"),
                                           at->second.stored.scale),
                    edit().add_initializer(name_of_value(source, "_rows_zero_point"),
                                           at->second.stored.zero_point)};
        const AffineParameters& found = parameters_.at(source);
        return {
            edit().add_initializer(name_of_value(source, "_scale"),
                                   Tensor::scalar<float>(found.scale)),
            edit().add_initializer(name_of_value(source, "_zero_point"),
                                   stored_tensor(options().activation, {}, {found.zero_point}))};
    }

    QuantizedParts parts_;
    const Calibration& calibration_;
    OnnxRuntimePlacement placement_;
    std::map<ValueId, AffineParameters> parameters_;
    std::map<ValueId, Constant> constants_;
    std::vector<Corrected> biases_;
    std::vector<QuantizedRange> ranges_;
    std::vector<ValueId> replaced_;
};

}  // namespace

void write_as_onnxruntime(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                          const Calibration& calibration, QuantizeResult& result,
                          const Progress& progress) {
    OnnxRuntimeWriter writer(model, options, parts, calibration);
    writer.write(result, progress);
    result.ranges = writer.take_ranges();
}

}  // namespace lapidary
