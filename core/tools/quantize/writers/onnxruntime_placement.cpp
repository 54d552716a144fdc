// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/onnxruntime_placement.h"

#include <algorithm>
#include <bit>

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

class OnnxRuntimePlacer {
public:
    OnnxRuntimePlacer(const Graph& graph, const QuantizeOptions& options)
        : graph_(graph), options_(options) {}

    OnnxRuntimePlacement run() {
        for (NodeId id : graph_.nodes())
            if (is_listed(graph_.node(id))) adjust_ranges(graph_.node(id));
        for (NodeId id : graph_.nodes()) {
            const Node& node = graph_.node(id);
            if (is_listed(node) && !place(node))
                out_.reasons[id] = "its input is not quantized when ONNX Runtime comes to it";
        }
        return std::move(out_);
    }

private:
    bool is_listed(const Node& node) {
        if (const std::string* const pattern = keeping_pattern(graph_, node, options_)) {
            out_.reasons[node.id] = "kept float as asked for (" + *pattern + ")";
            return false;
        }
        const bool listed = node.domain.empty() && !node.outputs.empty() &&
                            traits_of(node).quantizing.role != QuantizeRole::stays_float;
        if (!listed)
            out_.reasons[node.id] =
                "ONNX Runtime's quantize_static leaves " + node.qualified_op() + " float";
        return listed;
    }

    /// If a value is bounded afterwards, the bounded range counts.
    void adjust_ranges(const Node& node) {
        const OperatorTraits& traits = traits_of(node);
        const ValueId out = node.outputs[0];
        if (gives_shares(node)) out_.ranges[out] = std::nullopt;
        if (traits.quantizing.role != QuantizeRole::absorbed ||
            graph_.value(node.inputs[0]).uses.size() != 1)
            return;
        const auto known = out_.ranges.find(out);
        out_.ranges[node.inputs[0]] =
            known != out_.ranges.end() ? known->second : std::optional(out);
    }

    bool is_marked(ValueId value) const { return out_.marks.contains(value); }
    bool is_constant(ValueId value) const { return value && graph_.value(value).is_constant(); }

    void mark(ValueId value) {
        if (is_f32(graph_, value)) out_.marks.try_emplace(value);
    }
    void mark_weight(ValueId value, std::optional<std::int64_t> axis) {
        if (!is_f32(graph_, value)) return;
        if (!is_constant(value)) return mark(value);
        const std::int64_t rank = graph_.value(value).constant->rank();
        if (axis && *axis < 0) *axis += rank;
        const bool per_channel = options_.per_channel && axis && *axis >= 0 && *axis < rank;
        if (per_channel) out_.marks[value] = {true, axis, {}};
        else out_.marks.try_emplace(value, OnnxRuntimePlacement::Mark{true, std::nullopt, {}});
    }
    void share(ValueId value, ValueId parameters) {
        if (is_f32(graph_, value)) out_.marks[value] = {false, std::nullopt, parameters};
    }

    /// False: no input or output of the node is quantized.
    bool place(const Node& node) {
        switch (traits_of(node).quantizing.role) {
        case QuantizeRole::shared_parameters: return place_sharing(node);
        case QuantizeRole::absorbed: return place_absorbed(node);
        default: return place_own(node);
        }
    }

    bool place_sharing(const Node& node) {
        const OperatorTraits& traits = traits_of(node);
        const ValueId data = node.inputs[0];
        if (traits.layout == OperatorLayout::pad) return place_pad(node);
        const bool takes_table =
            traits.layout == OperatorLayout::gather || node.op_type == "GatherElements";
        if (traits.layout == OperatorLayout::split || (takes_table && is_constant(data)))
            mark(data);
        if (!is_marked(data)) return false;
        const std::size_t count =
            traits.quantizing.outputs == Quantizing::every ? node.outputs.size() : 1;
        for (std::size_t i = 0; i < count; ++i)
            if (node.outputs[i]) share(node.outputs[i], data);
        return true;
    }

    bool place_pad(const Node& node) {
        for (ValueId input : node.inputs)
            if (input) mark(input);
        const bool repeats = node.string_attribute("mode", "constant") != "constant";
        const ValueId value = node.inputs.size() > 2 ? node.inputs[2] : ValueId();
        const bool is_zero =
            !value || (is_constant(value) && graph_.value(value).constant->size() == 1 &&
                       graph_.value(value).constant->dtype() == DType::f32 &&
                       graph_.value(value).constant->data<float>()[0] == 0);
        if (repeats || is_zero) share(node.outputs[0], node.inputs[0]);
        else mark(node.outputs[0]);
        return true;
    }

    bool place_absorbed(const Node& node) {
        const ValueId in = node.inputs[0], out = node.outputs[0];
        if (!is_marked(in)) return false;
        const Value& before = graph_.value(in);
        const bool goes = !options_.symmetric_activation && before.uses.size() == 1 &&
                          before.output_uses == 0 && before.kind == ValueKind::node_output;
        if (goes) {
            out_.marks.erase(in);
            out_.absorbed.push_back(node.id);
        }
        mark(out);
        return true;
    }

    bool place_own(const Node& node) {
        const Quantizing& facts = traits_of(node).quantizing;
        // Where: only between quantized values
        if (traits_of(node).layout == OperatorLayout::ternary) {
            const bool fits = is_marked(node.inputs.at(1)) && is_marked(node.inputs.at(2));
            if (fits) mark(node.outputs[0]);
            return fits;
        }
        if (facts.weights == 0) {
            for (ValueId input : node.inputs)
                if (input) mark(input);
        } else {
            place_weighted(node, facts);
        }
        for (ValueId output : node.outputs)
            if (output) mark(output);
        return true;
    }

    void place_weighted(const Node& node, const Quantizing& facts) {
        const bool is_product = traits_of(node).layout == OperatorLayout::product;
        const auto weight = static_cast<std::size_t>(std::countr_zero(facts.weights));
        // MatMul: either operand may be the weight, with channels along axis 1
        if (is_product && facts.bias < 0) {
            for (ValueId input : node.inputs) mark_weight(input, 1);
            return;
        }
        mark(node.inputs[0]);
        std::int64_t axis = facts.channel_axis;
        if (is_product && node.int_attribute("transB", 0) != 0) axis = 0;
        const bool is_normalization = traits_of(node).family == OperatorFamily::normalization;
        mark_weight(node.inputs.at(weight), is_normalization ? 1 : axis);
        const auto bias = static_cast<std::size_t>(facts.bias);
        const bool has_bias = node.inputs.size() > bias && is_constant(node.inputs[bias]) &&
                              is_f32(graph_, node.inputs[bias]) &&
                              node.float_attribute("beta", 1) == 1 &&
                              graph_.value(node.inputs[bias]).constant->rank() == 1;
        if (has_bias) out_.biases.push_back({node.id, bias, node.inputs[0], node.inputs[weight]});
    }

    const Graph& graph_;
    const QuantizeOptions& options_;
    OnnxRuntimePlacement out_;
};

}  // namespace

OnnxRuntimePlacement place_as_onnxruntime(const Graph& graph, const QuantizeOptions& options) {
    return OnnxRuntimePlacer(graph, options).run();
}

std::vector<WatchedValue> values_to_watch(const Graph& graph,
                                          const OnnxRuntimePlacement& placement) {
    std::set<ValueId> watched;
    const auto add = [&](ValueId value) {
        if (!graph.value(value).is_constant()) watched.insert(value);
    };
    for (const auto& [value, mark] : placement.marks) {
        if (mark.parameters) continue;
        add(value);
        if (const auto at = placement.ranges.find(value);
            at != placement.ranges.end() && at->second)
            add(*at->second);
    }
    std::map<ValueId, std::int64_t> axes;
    for (const OnnxRuntimePlacement::Bias& bias : placement.biases) add(bias.data);
    for (const OnnxRuntimePlacement::Bias& bias : placement.biases)
        axes[bias.data] =
            traits_of(graph.node(bias.node)).layout == OperatorLayout::product ? -1 : 1;
    std::vector<WatchedValue> values;
    for (ValueId value : watched) {
        const auto axis = axes.find(value);
        values.push_back({graph.value(value).name, axis == axes.end() ? -1 : axis->second});
    }
    return values;
}

}  // namespace lapidary
