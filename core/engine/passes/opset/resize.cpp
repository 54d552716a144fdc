// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {

Outcome upsample_9(const Node& node, PassContext& context) {
    const std::vector<float> scales = node.floats_attribute("scales");
    const ValueId input = context.constant(
        "Upsample_scales", Tensor::of<float>({static_cast<std::int64_t>(scales.size())}, scales));
    return replaced(node, context, "Upsample", {node.inputs.at(0), input},
                    without(node, {"scales"}), "made the scales an input");
}

Outcome upsample_10(const Node& node, PassContext& context) {
    return replaced(node, context, "Resize", node.inputs, node.attributes, "is called Resize now");
}

namespace {

std::vector<Attribute> nearest(const std::vector<Attribute>& attributes, const char* rounding) {
    std::vector<Attribute> all = attributes;
    all.push_back(attr("nearest_mode", rounding));
    return all;
}

ValueId scales_input(PassContext& context, const std::vector<float>& scales) {
    return context.constant("Resize_scales", Tensor::of<float>({std::ssize(scales)}, scales));
}

}  // namespace

/// Resize of 10 maps coordinates by the scale alone. Its nearest mode takes the pixel below, or
/// along axes that shrink the one above, as this program and ONNX Runtime run it: where some axes
/// shrink and others grow, that is two nodes.
Outcome resize_11(const Node& node, PassContext& context) {
    const std::string mode = node.string_attribute("mode", "nearest");
    std::vector<Attribute> attributes = without(node, {"mode"});
    attributes.push_back(attr("mode", AttributeValue(mode)));
    attributes.push_back(attr("coordinate_transformation_mode", "asymmetric"));
    ValueId x = node.inputs.at(0), scales = node.inputs.at(1);
    const std::string remark = "named the coordinate transformation";
    const Tensor* known = context.scope().constant(scales);
    if (mode == "nearest" && !known)
        return declined(
            "its scales are computed, and whether it shrinks decides which pixel is the nearest");
    const ValueId roi = context.constant("Resize_roi", Tensor(DType::f32, {0}));
    if (mode != "nearest")
        return replaced(node, context, "Resize", {x, roi, scales}, std::move(attributes), remark);
    std::vector<float> shrinking, growing;
    for (const double scale : to_doubles(*known)) {
        shrinking.push_back(static_cast<float>(std::min(scale, 1.0)));
        growing.push_back(static_cast<float>(std::max(scale, 1.0)));
    }
    const bool shrinks = std::ranges::any_of(shrinking, [](float s) { return s < 1; });
    const bool grows = std::ranges::any_of(growing, [](float s) { return s > 1; });
    if (shrinks && grows) {
        x = context.node("Resize", {x, roi, scales_input(context, shrinking)},
                         nearest(attributes, "ceil"));
        scales = scales_input(context, growing);
    }
    const char* const rounding = shrinks && !grows ? "ceil" : "floor";
    return replaced(node, context, "Resize", {x, roi, scales}, nearest(attributes, rounding),
                    remark);
}

}  // namespace lapidary::opset
