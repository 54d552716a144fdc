// SPDX-License-Identifier: Apache-2.0
// Lists that were attributes and became inputs.
#include <algorithm>

#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {

Outcome axes_to_input(const Node& node, PassContext& context) {
    if (!node.has_attribute("axes")) return applied("");
    const ValueId axes = context.constant_ints(node.op_type + "_axes", node.ints_attribute("axes"));
    return replaced(node, context, node.op_type, {node.inputs.at(0), axes}, without(node, {"axes"}),
                    "made the axes an input");
}

Outcome split_13(const Node& node, PassContext& context) {
    if (!node.has_attribute("split")) return applied("");
    const ValueId sizes = context.constant_ints("Split_sizes", node.ints_attribute("split"));
    return replaced(node, context, "Split", {node.inputs.at(0), sizes}, without(node, {"split"}),
                    "made the sizes an input");
}

Outcome split_18(const Node& node, PassContext& context) {
    if (node.inputs.size() > 1 && node.inputs[1]) return applied("");
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(attr("num_outputs", static_cast<std::int64_t>(node.outputs.size())));
    return replaced(node, context, "Split", {node.inputs.at(0)}, std::move(attributes),
                    "named the number of parts");
}

Outcome slice_10(const Node& node, PassContext& context) {
    const auto starts = node.ints_attribute("starts"), ends = node.ints_attribute("ends");
    std::vector<ValueId> inputs{node.inputs.at(0), context.constant_ints("Slice_starts", starts),
                                context.constant_ints("Slice_ends", ends)};
    if (node.has_attribute("axes"))
        inputs.push_back(context.constant_ints("Slice_axes", node.ints_attribute("axes")));
    return replaced(node, context, "Slice", std::move(inputs), {},
                    "made starts, ends and axes inputs");
}

Outcome top_k_10(const Node& node, PassContext& context) {
    const ValueId k = context.constant_ints("TopK_k", {node.int_attribute("k", 1)});
    return replaced(node, context, "TopK", {node.inputs.at(0), k}, without(node, {"k"}),
                    "made k an input");
}

Outcome clip_11(const Node& node, PassContext& context) {
    const bool has_min = node.has_attribute("min"), has_max = node.has_attribute("max");
    if (!has_min && !has_max) return applied("");
    const DType dtype = context.scope().dtype(node.inputs.at(0));
    if (dtype == DType::undefined)
        return declined("the element type of its input is not known, which the bounds must have");
    const auto bound = [&](const char* name) {
        return context.constant_scalar(std::string("Clip_") + name, dtype,
                                       static_cast<double>(node.float_attribute(name, 0)));
    };
    std::vector<ValueId> inputs{node.inputs.at(0), has_min ? bound("min") : ValueId{}};
    if (has_max) inputs.push_back(bound("max"));
    return replaced(node, context, "Clip", std::move(inputs), {}, "made the bounds inputs");
}

Outcome pad_11(const Node& node, PassContext& context) {
    const DType dtype = context.scope().dtype(node.inputs.at(0));
    const float value = node.float_attribute("value", 0);
    if (dtype == DType::undefined && value != 0)
        return declined("the element type of its input is not known, which the value must have");
    std::vector<ValueId> inputs{node.inputs.at(0),
                                context.constant_ints("Pad_pads", node.ints_attribute("pads"))};
    if (value != 0)
        inputs.push_back(context.constant_scalar("Pad_value", dtype, static_cast<double>(value)));
    return replaced(node, context, "Pad", std::move(inputs), without(node, {"pads", "value"}),
                    "made pads and value inputs");
}

Outcome dft_20(const Node& node, PassContext& context) {
    const ValueId length = node.inputs.size() > 1 ? node.inputs[1] : ValueId{};
    const ValueId axis =
        context.constant("DFT_axis", Tensor::scalar<std::int64_t>(node.int_attribute("axis", 1)));
    return replaced(node, context, "DFT", {node.inputs.at(0), length, axis},
                    without(node, {"axis"}), "made the axis an input");
}

}  // namespace lapidary::opset
