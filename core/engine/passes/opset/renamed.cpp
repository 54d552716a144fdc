// SPDX-License-Identifier: Apache-2.0
// Removed attributes, changed defaults and names, outputs for training.
#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {

Outcome batch_normalization_9(const Node& node, PassContext& context) {
    if (!node.has_attribute("spatial")) return applied("");
    if (node.int_attribute("spatial", 1) == 0)
        return declined(
            "it normalizes every element of an image by itself (spatial = 0), which later opsets "
            "cannot say");
    return replaced(node, context, "BatchNormalization", node.inputs, without(node, {"spatial"}),
                    "dropped the attribute spatial, which was 1");
}

Outcome batch_normalization_14(const Node& node, PassContext& context) {
    if (wants_outputs_from(node, context, 1))
        return declined("the outputs of training are read, whose meaning changed");
    if (node.outputs.size() == 1) return applied("");
    std::vector<ValueId> outputs = context.edit().take_outputs(node.id);
    context.edit().erase(node.id);
    NodeSpec spec;
    spec.op_type = "BatchNormalization";
    spec.version = context.opset();
    spec.name = node.name;
    spec.inputs = node.inputs;
    spec.outputs = {outputs[0]};
    spec.attributes = node.attributes;
    context.edit().add_node(std::move(spec));
    for (std::size_t i = 1; i < outputs.size(); ++i)
        if (outputs[i]) context.edit().erase_value(outputs[i]);
    return applied("dropped the outputs of training");
}

Outcome scan_9(const Node&, PassContext&) {
    return declined("Scan of opset 8 goes over a batch, which later ones do not");
}

Outcome scatter_11(const Node& node, PassContext& context) {
    return replaced(node, context, "ScatterElements", node.inputs, node.attributes,
                    "is called ScatterElements now");
}

Outcome dropout_10(const Node& node, PassContext& context) {
    if (wants_outputs_from(node, context, 1))
        return declined("its mask is read as numbers, later opsets make it bool");
    return applied("");
}

Outcome dropout_12(const Node& node, PassContext& context) {
    if (!node.has_attribute("ratio")) return applied("");
    const ValueId x = node.inputs.at(0);
    const DType dtype = context.scope().dtype(x);
    std::vector<ValueId> inputs{x};
    // Without a training flag the ratio has no effect. It is kept for later training.
    if (dtype == DType::f16 || dtype == DType::f32 || dtype == DType::f64)
        inputs.push_back(context.constant_scalar(
            "Dropout_ratio", dtype, static_cast<double>(node.float_attribute("ratio", 0.5f))));
    return replaced(node, context, "Dropout", std::move(inputs), without(node, {"ratio"}),
                    "made the ratio an input");
}

Outcome roi_align_16(const Node& node, PassContext& context) {
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(attr("coordinate_transformation_mode", "output_half_pixel"));
    return replaced(node, context, "RoiAlign", node.inputs, std::move(attributes),
                    "named the coordinate transformation");
}

Outcome grid_sample_20(const Node& node, PassContext& context) {
    const std::string mode = node.string_attribute("mode", "bilinear");
    if (mode == "nearest") return applied("");
    std::vector<Attribute> attributes = without(node, {"mode"});
    attributes.push_back(attr("mode", mode == "bicubic" ? "cubic" : "linear"));
    return replaced(node, context, "GridSample", node.inputs, std::move(attributes),
                    "renamed the mode");
}

Outcome group_normalization_21(const Node& node, PassContext& context) {
    const std::int64_t channels = context.scope().dim(node.inputs.at(0), 1),
                       groups = node.int_attribute("num_groups", 1);
    if (channels < 0)
        return declined("the number of channels is not known, later opsets scale each of them");
    if (groups < 1 || channels % groups != 0)
        return declined("its channels do not divide into its groups");
    // [groups] to [groups, channels / groups] to [channels]
    const auto per_channel = [&](ValueId per_group) {
        const ValueId column = context.node(
            "Reshape",
            {per_group, context.constant_ints("GroupNormalization_column", {groups, 1})});
        const ValueId rows =
            context.node("Expand", {column, context.constant_ints("GroupNormalization_rows",
                                                                  {groups, channels / groups})});
        return context.node(
            "Reshape", {rows, context.constant_ints("GroupNormalization_channels", {channels})});
    };
    const ValueId scale = per_channel(node.inputs.at(1)), bias = per_channel(node.inputs.at(2));
    return replaced(node, context, "GroupNormalization", {node.inputs[0], scale, bias},
                    node.attributes, "repeated scale and bias for the channels of a group");
}

}  // namespace lapidary::opset
