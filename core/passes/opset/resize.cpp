// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {

Outcome upsample_9(const Node& node, PassContext& context) {
    const std::vector<float> scales = node.floats_attribute("scales");
    const ValueId input =
        context.constant("Upsample_scales", Tensor::of<float>({static_cast<std::int64_t>(scales.size())}, scales));
    return replaced(node, context, "Upsample", {node.inputs.at(0), input}, without(node, {"scales"}),
                    "made the scales an input");
}

Outcome upsample_10(const Node& node, PassContext& context) {
    return replaced(node, context, "Resize", node.inputs, node.attributes, "is called Resize now");
}

/// Resize of 10 maps coordinates by the scale alone. Its nearest mode takes the pixel below; where it shrinks, the
/// implementations disagree, so that has no equivalent.
Outcome resize_11(const Node& node, PassContext& context) {
    const std::string mode = node.string_attribute("mode", "nearest");
    std::vector<Attribute> attributes = without(node, {"mode"});
    attributes.push_back(attr("mode", AttributeValue(mode)));
    attributes.push_back(attr("coordinate_transformation_mode", "asymmetric"));
    if (mode == "nearest") {
        const Tensor* scales = context.scope().constant(node.inputs.at(1));
        if (!scales) return declined("its scales are computed, and nearest sampling that shrinks has no equivalent");
        const auto values = to_doubles(*scales);
        if (std::ranges::any_of(values, [](double s) { return s < 1; }))
            return declined("it shrinks by nearest sampling, which has no equivalent in later opsets");
        attributes.push_back(attr("nearest_mode", "floor"));
    }
    const ValueId roi = context.constant("Resize_roi", Tensor(DType::f32, {0}));
    return replaced(node, context, "Resize", {node.inputs.at(0), roi, node.inputs.at(1)}, std::move(attributes),
                    "named the coordinate transformation");
}

}  // namespace lapidary::opset
