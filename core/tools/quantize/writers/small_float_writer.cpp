// SPDX-License-Identifier: Apache-2.0
// Mode weights as small floats: E4M3FN behind DequantizeLinear, bfloat16 behind Cast. Operators
// compute in float32.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/float16.h>

#include "ops/operator_traits.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::int64_t least_elements = 256;  // of a constant: smaller ones are not worth a node
constexpr float largest_e4m3 = 448;

struct Float8Weight {
    Tensor values, scale;
};

/// Scaled so that the largest element of each channel is the largest number of the format.
Float8Weight float8_of(const Tensor& weight, std::optional<std::int64_t> axis) {
    const std::int64_t channels = axis ? weight.dim(static_cast<std::size_t>(*axis)) : 1;
    std::int64_t inner = 1;
    for (std::int64_t d = axis ? *axis + 1 : 0; d < weight.rank(); ++d)
        inner *= weight.dim(static_cast<std::size_t>(d));
    const auto from = weight.data<float>();
    const auto channel_of = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<std::int64_t>(i) / inner % channels);
    };
    std::vector<float> scale(static_cast<std::size_t>(channels), 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!std::isfinite(from[i])) fail_input("a weight that is not finite cannot be quantized");
        scale[channel_of(i)] = std::max(scale[channel_of(i)], std::abs(from[i]) / largest_e4m3);
    }
    for (float& s : scale)
        if (!(s >= std::numeric_limits<float>::min())) s = 1;
    Tensor values(DType::f8e4m3fn, weight.shape());
    auto* to = static_cast<std::uint8_t*>(values.mutable_raw());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = float_to_f8e4m3fn(from[i] / scale[channel_of(i)]);
    return {values, axis ? Tensor::of<float>({channels}, scale) : Tensor::scalar(scale[0])};
}

Tensor bfloat16_of(const Tensor& weight) {
    Tensor values(DType::bf16, weight.shape());
    std::ranges::transform(weight.data<float>(), values.mutable_data<BFloat16>().begin(),
                           [](float v) { return BFloat16(v); });
    return values;
}

class SmallFloatWriter final : public QuantizeWriter {
public:
    using QuantizeWriter::QuantizeWriter;

private:
    bool is_float8() const { return options().storage == WeightStorage::float8; }

    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (is_kept_float(node)) return;
        if (is_float8()) write_product(node);
        else if (reads_table(node)) write_table(node);
        else write_weights_of(node);
    }

    void write_product(const Node& node) {
        std::string reason;
        const auto product = weighted_product(graph(), node, reason);
        if (!product && reads_table(node)) reason = "Gather takes no 8-bit floats";
        if (!product) return decide(node, false, reason);
        const Tensor weight = *graph().value(product->weight).constant;
        if (weight.size() < least_elements) return decide(node, false, too_small());
        const bool grouped = product->output_axis == 1 && product->groups > 1;
        const auto axis =
            options().per_channel && !grouped ? std::optional(product->output_axis) : std::nullopt;
        ValueId& real = stored_[{product->weight, axis.value_or(-1)}];
        if (!real) {
            const Float8Weight made = float8_of(weight, axis);
            std::vector<Attribute> attributes;
            if (axis) attributes.push_back({"axis", *axis, {}, {}});
            real = edit().node(
                "DequantizeLinear",
                {edit().add_initializer(name_of_value(product->weight, "_float8"), made.values),
                 edit().add_initializer(name_of_value(product->weight, "_scale"), made.scale)},
                attributes, graph().value(product->weight).name + "_DequantizeLinear");
        }
        edit().set_input(node.id, 1, real);
        decide(
            node, true,
            std::string("weight as 8-bit floats, scaled ") + (axis ? "per channel" : "per tensor"));
        edit().record(node.describe() + " with a weight of 8-bit floats", false);
        erase_if_unused(product->weight);
    }

    ValueId stored_value(ValueId constant) {
        ValueId& stored = stored_[{constant, 0}];
        if (!stored)
            stored = edit().add_initializer(name_of_value(constant, "_bfloat16"),
                                            bfloat16_of(*graph().value(constant).constant));
        return stored;
    }
    ValueId as_float(ValueId stored, const std::string& name) {
        return edit().node("Cast", {stored}, {{"to", std::int64_t{1}, {}, {}}}, name);
    }

    /// Each input that the traits call a weight.
    void write_weights_of(const Node& node) {
        const std::uint32_t weights = traits_of(node).quantizing.weights;
        std::size_t done = 0;
        bool any_constant = false;
        for (std::size_t i = 0; i < node.inputs.size() && i < 32; ++i) {
            if ((weights >> i & 1u) == 0 || !is_f32(graph(), node.inputs[i])) continue;
            const Value& weight = graph().value(node.inputs[i]);
            if (!weight.is_constant() || !weight.constant) continue;
            any_constant = true;
            if (weight.constant->size() < least_elements) continue;
            ValueId& real = stored_[{weight.id, 1}];
            const std::string name = weight.name;
            const ValueId constant = weight.id;
            if (!real) real = as_float(stored_value(constant), name + "_Cast");
            edit().set_input(node.id, i, real);
            erase_if_unused(constant);
            ++done;
        }
        if (done == 0)
            return decide(node, false,
                          weights == 0   ? node.qualified_op() + " is no product with a weight"
                          : any_constant ? too_small()
                                         : "it has no constant weight of float32");
        decide(node, true, "weight as bfloat16");
        edit().record(node.describe() + " with a weight of bfloat16", false);
    }

    void write_table(const Node& node) {
        const Value& table = graph().value(node.inputs.at(0));
        if (!table.is_constant() || !table.constant || !is_f32(graph(), table.id))
            return decide(node, false, "it does not select from a constant of float32");
        if (table.constant->size() < least_elements) return decide(node, false, too_small());
        const ValueId constant = table.id;
        const ValueId stored = stored_value(constant);
        const ValueId picked = edit().node("Gather", {stored, node.inputs.at(1)}, node.attributes,
                                           node.name + "_rows");
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        edit().add_node({.op_type = "Cast",
                         .inputs = {picked},
                         .outputs = outputs,
                         .attributes = {{"to", std::int64_t{1}, {}, {}}},
                         .name = node.name + "_Cast"});
        decide(node, true, "table as bfloat16");
        edit().record(node.describe() + " from a table of bfloat16", false);
        erase_if_unused(constant);
    }

    static std::string too_small() { return "its weight is too small to gain by it"; }

    std::map<std::pair<ValueId, std::int64_t>, ValueId> stored_;
};

}  // namespace

void write_small_floats(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                        const Progress& progress) {
    SmallFloatWriter writer(model, options);
    writer.write(result, progress);
}

}  // namespace lapidary
