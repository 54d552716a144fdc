// SPDX-License-Identifier: Apache-2.0
// Mode static: writes pairs of QuantizeLinear and DequantizeLinear as the placement says, and
// integer weights and biases with DequantizeLinear behind them.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"
#include "passes/basic/rules/value_range.h"
#include "quantize/writers/int32_bias.h"
#include "quantize/writers/placement.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/writers/static_parameters.h"

namespace lapidary {
namespace {

Attribute axis_attribute(std::int64_t axis) { return {"axis", axis, {}, {}}; }

class StaticWriter final : public QuantizeWriter {
public:
    StaticWriter(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                 const Calibration& calibration)
        : QuantizeWriter(model, options), scope_{model, model.graph}, parts_(parts),
          calibration_(calibration) {}
    std::vector<QuantizedRange> take_ranges() { return std::move(ranges_); }

private:
    void write_all(const Progress& progress) override {
        placement_ = place_by_benefit(graph(), options());
        for (ValueId id : graph().initializers())
            if (!graph().value(id).read_once()) shared_.insert(id);
        choose_parameters();
        write_nodes(progress);
        if (parts_ != QuantizedParts::weights) write_pairs();
        const bool wide = options().activation == DType::u16 || options().activation == DType::i16;
        const auto is_rounded = [&](const auto& entry) {
            return !entry.second.is_convolution &&
                   (wide || is_packed(type_of(graph().node(entry.first))));
        };
        if (std::ranges::any_of(placement_.products, is_rounded)) note(rounding_of_onnxruntime);
        edit().record("pairs for " + std::to_string(placement_.pairs.size()) + " values");
        for (ValueId value : replaced_) erase_if_unused(value);
    }

    DType type_of(const Node& node) const {
        return own_weight_type(graph(), node, options()).value_or(options().weight);
    }

    void choose_parameters() {
        const AffineFormat format{options().activation, options().symmetric_activation, false};
        const RangeOptions ranges = range_options(options());
        std::set<ValueId> unseen;
        std::vector<std::pair<ValueId, const ObservedTensor*>> chosen;
        for (const auto& [value, source] : placement_.pairs) {
            cancel().throw_if_cancelled();
            if (parameters_.contains(source)) continue;
            if (is_softmax_output(source)) {
                parameters_[source] = affine_parameters(0, 1, format);
                continue;
            }
            const ObservedTensor* seen = calibration_.find(graph().value(source).name);
            if (!seen) {
                unseen.insert(source);
                continue;
            }
            const RealRange range = choose_range(*seen, ranges);
            parameters_[source] = affine_parameters(range.low, range.high, format);
            chosen.emplace_back(source, seen);
        }
        for (ValueId source : unseen)
            note("value " + quote(graph().value(source).name) +
                 " stays float: no sample gave it finite values");
        std::erase_if(placement_.pairs,
                      [&](const auto& pair) { return !parameters_.contains(pair.second); });
        for (auto& [value, source] : placement_.pairs) source = joined_source(source);
        for (const auto& [source, seen] : chosen)
            ranges_.push_back(quantized_range(*seen, parameters_.at(joined_source(source)),
                                              options().activation));
    }

    /// The value whose range `source` takes: that of a Concat that reads it, if it may.
    ValueId joined_source(const ValueId value) const {
        ValueId source = value;
        for (auto at = placement_.joined.find(source); at != placement_.joined.end();
             at = placement_.joined.find(source)) {
            if (!parameters_.contains(at->second) ||
                !keeps_bounds(value, parameters_.at(at->second)))
                break;
            source = at->second;
        }
        return source;
    }

    /// A rounding only absorbs an activation if it clamps at the same bounds.
    bool keeps_bounds(ValueId value, const AffineParameters& parameters) const {
        const Node* producer = scope_.producer(value);
        if (!producer || !is_absorbed(*producer)) return true;
        const auto bounds = clip_bounds(scope_, *producer);
        if (!bounds) return false;
        const StoredRange stored = whole_range(options().activation);
        const auto at = [&](double bound) {
            return std::rint(bound / parameters.scale) + parameters.zero_point;
        };
        return at(bounds->low) <= stored.lowest && at(bounds->high) >= stored.highest;
    }

    bool is_softmax_output(ValueId value) const {
        const Value& found = graph().value(value);
        return found.kind == ValueKind::node_output && gives_shares(graph().node(found.producer));
    }

    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        const auto at = placement_.products.find(id);
        if (const auto alone = placement_.weights_alone.find(id);
            alone != placement_.weights_alone.end()) {
            if (parts_ != QuantizedParts::activations) write_weight_alone(node, alone->second);
            return decide(
                node, true,
                std::string("weight ") + (options().per_channel ? "per channel" : "per tensor") +
                    " alone, computed in float" +
                    (has_integer_product(node) ? " as asked for"
                                               : ": there is no integer operator for it"));
        }
        if (at == placement_.products.end()) {
            const bool has_table = reads_table(node) && graph().value(node.inputs[0]).is_constant();
            if (has_table && parts_ != QuantizedParts::activations &&
                !keeping_pattern(graph(), node, options()))
                return write_table_of_rows(node);
            if (!placement_.readers.contains(id))
                return decide(node, false, placement_.reasons[id]);
            const bool reads = std::ranges::any_of(
                node.inputs, [&](ValueId input) { return placement_.pairs.contains(input); });
            return decide(node, reads,
                          reads ? placement_.reasons[id] : "the range of its input is not known");
        }
        const WeightedProduct& product = at->second;
        if (!placement_.pairs.contains(product.data))
            return decide(node, false, "the range of its input is not known");
        if (parts_ != QuantizedParts::activations) write_weight(node, product);
        const bool output_too =
            placement_.pairs.contains(node.outputs[0]) || goes_into_rounding(node);
        decide(node, true,
               std::string("weight ") + (options().per_channel ? "per channel" : "per tensor") +
                   ", input quantized" + (output_too ? ", result quantized" : ", result float"));
    }

    /// True if a bias may be added to a node without one: not to MatMul, which has no such input,
    /// nor to a transposed convolution.
    static bool takes_bias(const Node& node) {
        return traits_of(node).quantizing.bias >= 0 && !is_transposed_convolution(node);
    }

    bool goes_into_rounding(const Node& node) const {
        const Value& out = graph().value(node.outputs[0]);
        if (out.uses.size() != 1) return false;
        const Node& next = graph().node(out.uses[0].node);
        return is_absorbed(next) && placement_.pairs.contains(next.outputs[0]);
    }

    /// The format of the weight, along its channels if they have separate scales.
    WeightFormat format_of(const Node& node, const WeightedProduct& product) const {
        WeightFormat format = format_along(product.output_axis);
        format.values.dtype = type_of(node);
        return format;
    }

    /// The node's constant bias, or zeros if the correction needs one, corrected for the shift by
    /// rounding the weight.
    std::optional<Tensor> bias_of(const Node& node, const WeightedProduct& product,
                                  const QuantizedWeight& stored) {
        const Tensor& weight = *graph().value(product.weight).constant;
        std::optional<Tensor> bias;
        if (product.bias && graph().value(product.bias).is_constant() &&
            graph().value(product.bias).constant->rank() == 1)
            bias = *graph().value(product.bias).constant;
        if (!bias && !product.bias && options().bias_correction && takes_bias(node)) {
            bias = Tensor(DType::f32, {weight.dim(static_cast<std::size_t>(product.output_axis))});
            std::ranges::fill(bias->mutable_data<float>(), 0.0f);
        }
        if (bias && options().bias_correction)
            bias = corrected_bias(graph(), product, *bias, weight, stored,
                                  calibration_.find(graph().value(product.data).name), cancel());
        return bias;
    }

    void write_weight_alone(const Node& node, const WeightedProduct& product) {
        const QuantizedWeight stored = quantized_alone(node, product, type_of(node));
        const std::optional<Tensor> bias = bias_of(node, product, stored);
        edit().set_input(
            node.id, 1,
            dequantized_weight(
                product.weight, stored, !shared_.contains(product.weight),
                {product.weight, stored.format.axis.value_or(-1), stored.format.values.dtype}));
        if (bias)
            edit().set_input(node.id, 2,
                             edit().add_initializer(edit().fresh_name(node.name + "_bias"), *bias));
        replaced_.push_back(product.weight);
        replaced_.push_back(product.bias);
    }

    void write_weight(const Node& node, const WeightedProduct& product) {
        const Tensor weight = *graph().value(product.weight).constant;
        const WeightFormat format = format_of(node, product);
        QuantizedWeight stored = quantized(weight, format, summed_elements(product, weight));
        const float input_scale = parameters_.at(placement_.pairs.at(product.data)).scale;
        std::optional<Tensor> bias = bias_of(node, product, stored);
        const bool own_weight = !shared_.contains(product.weight);
        if (bias && own_weight &&
            (stored.scale.rank() == 0 || stored.scale.size() == bias->size())) {
            const Tensor scale = scale_for_bias(*bias, input_scale, stored.scale);
            if (!same_contents(scale, stored.scale))
                stored = quantize_weight_with(weight, scale, stored.zero_point, format, cancel());
        }
        edit().set_input(
            node.id, 1,
            dequantized_weight(product.weight, stored, own_weight,
                               {product.weight, format.axis.value_or(-1), format.values.dtype}));
        if (bias && parts_ == QuantizedParts::weights)
            edit().set_input(node.id, 2,
                             edit().add_initializer(edit().fresh_name(node.name + "_bias"), *bias));
        else if (bias)
            edit().set_input(node.id, 2,
                             stored_bias(node, product, *bias, input_scale, stored.scale));
        replaced_.push_back(product.weight);
        replaced_.push_back(product.bias);
    }

    ValueId dequantized_weight(ValueId weight, const QuantizedWeight& stored, bool own,
                               std::tuple<ValueId, std::int64_t, DType> key) {
        if (const auto at = weights_.find(key); at != weights_.end() && !own) return at->second;
        return weights_[key] = dequantized(weight, stored);
    }

    /// Writes the bias as int32 with a DequantizeLinear behind it if it fits, else as floats.
    ValueId stored_bias(const Node& node, const WeightedProduct& product, const Tensor& bias,
                        float input_scale, const Tensor& weight_scale) {
        const std::string base =
            product.bias ? graph().value(product.bias).name : node.name + "_bias";
        const bool counts = weight_scale.size() == 1 || weight_scale.size() == bias.size();
        if (counts) {
            const Int32Bias stored = quantize_bias(bias, input_scale, weight_scale);
            if (stored.fits) {
                const ValueId values =
                    edit().add_initializer(edit().fresh_name(base + "_quantized"), stored.values);
                const Tensor scales = stored.scale.size() == 1 && bias.size() != 1
                                          ? stored.scale.reshaped({})
                                          : stored.scale;
                const ValueId scale =
                    edit().add_initializer(edit().fresh_name(base + "_scale"), scales);
                return edit().node(
                    "DequantizeLinear", {values, scale},
                    scales.rank() == 1 ? std::vector{axis_attribute(0)} : std::vector<Attribute>{},
                    base + "_DequantizeLinear");
            }
            note("the bias of " + node.describe() + " stays float: it does not fit into int32");
        }
        return edit().add_initializer(edit().fresh_name(base + "_corrected"), bias);
    }

    void write_pairs() {
        for (const auto& [value, source] : placement_.pairs) {
            const AffineParameters& found = parameters_.at(source);
            const auto [at, is_new] = constants_.try_emplace(source);
            if (is_new)
                at->second = {edit().add_initializer(name_of_value(source, "_scale"),
                                                     Tensor::scalar<float>(found.scale)),
                              edit().add_initializer(
                                  name_of_value(source, "_zero_point"),
                                  stored_tensor(options().activation, {}, {found.zero_point}))};
            const auto [scale, zero] = at->second;
            const std::vector<Use> uses = graph().value(value).uses;
            const std::string& name = graph().value(value).name;
            const ValueId integers =
                edit().node("QuantizeLinear", {value, scale, zero}, {}, name + "_QuantizeLinear");
            const ValueId real = edit().node("DequantizeLinear", {integers, scale, zero}, {},
                                             name + "_DequantizeLinear");
            for (const Use& use : uses)
                if (reads_pair(value, use)) edit().set_input(use.node, use.input, real);
        }
    }

    bool reads_pair(ValueId value, const Use& use) const {
        if (placement_.for_all.contains(value)) return !placement_.float_readers.contains(use.node);
        if (const auto at = placement_.products.find(use.node); at != placement_.products.end())
            return use.input == 0;
        return placement_.readers.contains(use.node);
    }

    const Scope scope_;
    QuantizedParts parts_;
    const Calibration& calibration_;
    std::vector<QuantizedRange> ranges_;
    Placement placement_;
    std::map<ValueId, AffineParameters> parameters_;
    std::map<ValueId, std::pair<ValueId, ValueId>> constants_;
    std::map<std::tuple<ValueId, std::int64_t, DType>, ValueId> weights_;
    std::vector<ValueId> replaced_;
    std::set<ValueId> shared_;  // constants with several readers: their scales fit no single bias
};

}  // namespace

void write_static(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                  const Calibration& calibration, QuantizeResult& result,
                  const Progress& progress) {
    if (options.placement == StaticPlacement::onnxruntime)
        return write_as_onnxruntime(model, options, parts, calibration, result, progress);
    StaticWriter writer(model, options, parts, calibration);
    writer.write(result, progress);
    result.ranges = writer.take_ranges();
}

}  // namespace lapidary
