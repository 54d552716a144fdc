// SPDX-License-Identifier: Apache-2.0
// Experimental operators of the first opsets, which no later one has: ONNX Runtime knows them up to
// opset 9. Expanded into operators of later opsets.
#include <limits>

#include "passes/opset/convert_opset.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {
namespace {

/// The floats of attributes are 32-bit; the constants are of the node's type. Empty where the type
/// is not known.
std::string float_problem(const Node& node, const PassContext& context) {
    if (is_float(context.scope().dtype(node.inputs.at(0)))) return {};
    return "the element type of its input is not known, so that its constants cannot be written";
}

ValueId scalar(const Node& node, PassContext& context, std::string_view name, float value) {
    return context.constant_scalar(name, context.scope().dtype(node.inputs.at(0)),
                                   static_cast<double>(value));
}

/// x times a factor, or x itself where that is 1.
ValueId scaled(const Node& node, PassContext& context, ValueId x, float factor) {
    if (factor == 1) return x;
    return context.node("Mul", {x, scalar(node, context, node.op_type + "_scale", factor)}, {},
                        node.name);
}

/// alpha * curve(beta * x)
Outcome written_around(const Node& node, PassContext& context, const std::string& curve) {
    if (std::string problem = float_problem(node, context); !problem.empty())
        return declined(problem);
    const ValueId inner = scaled(node, context, node.inputs.at(0), node.float_attribute("beta", 1));
    const ValueId outer = context.node(curve, {inner}, {}, node.name);
    const ValueId alpha =
        scalar(node, context, node.op_type + "_alpha", node.float_attribute("alpha", 1));
    return replaced(node, context, "Mul", {outer, alpha}, {},
                    "written out as Mul, " + curve + " and Mul");
}

}  // namespace

Outcome affine_10(const Node& node, PassContext& context) {
    if (std::string problem = float_problem(node, context); !problem.empty())
        return declined(problem);
    const ValueId product =
        scaled(node, context, node.inputs.at(0), node.float_attribute("alpha", 1));
    const ValueId beta = scalar(node, context, "Affine_beta", node.float_attribute("beta", 0));
    return replaced(node, context, "Add", {product, beta}, {}, "written out as Mul and Add");
}

Outcome image_scaler_10(const Node& node, PassContext& context) {
    const std::vector<float> bias = node.floats_attribute("bias");
    if (context.scope().dtype(node.inputs.at(0)) != DType::f32)
        return declined("its input is not known to be f32");
    if (context.scope().rank(node.inputs.at(0)) != 4)
        return declined("its input is not known to have 4 dimensions");
    const ValueId product =
        scaled(node, context, node.inputs.at(0), node.float_attribute("scale", 1));
    const auto channels = static_cast<std::int64_t>(bias.size());
    const ValueId offsets =
        bias.empty()
            ? scalar(node, context, "ImageScaler_bias", 0)
            : context.constant("ImageScaler_bias", Tensor::of<float>({channels, 1, 1}, bias));
    return replaced(node, context, "Add", {product, offsets}, {}, "written out as Mul and Add");
}

Outcome scale_10(const Node& node, PassContext& context) {
    if (std::string problem = float_problem(node, context); !problem.empty())
        return declined(problem);
    const ValueId factor = scalar(node, context, "Scale_scale", node.float_attribute("scale", 1));
    return replaced(node, context, "Mul", {node.inputs.at(0), factor}, {}, "written out as Mul");
}

Outcome parametric_softplus_10(const Node& node, PassContext& context) {
    return written_around(node, context, "Softplus");
}

Outcome scaled_tanh_10(const Node& node, PassContext& context) {
    return written_around(node, context, "Tanh");
}

Outcome crop_10(const Node& node, PassContext& context) {
    const std::vector<std::int64_t> border = node.ints_attribute("border"),
                                    scale = node.ints_attribute("scale");
    if (border.size() != 4 || (!scale.empty() && scale.size() != 2))
        return declined("its border or scale is incomplete");
    const auto [left, top, right, bottom] = std::tuple(border[0], border[1], border[2], border[3]);
    const auto end_of = [&](std::int64_t first, std::int64_t last, std::size_t i) {
        if (!scale.empty()) return first + scale[i];
        return last == 0 ? std::numeric_limits<std::int64_t>::max() : -last;
    };
    const ValueId starts = context.constant_ints("Crop_starts", {top, left});
    const ValueId ends =
        context.constant_ints("Crop_ends", {end_of(top, bottom, 0), end_of(left, right, 1)});
    const ValueId axes = context.constant_ints("Crop_axes", {2, 3});
    return replaced(node, context, "Slice", {node.inputs.at(0), starts, ends, axes}, {},
                    "written out as Slice");
}

Outcome dynamic_slice_10(const Node& node, PassContext& context) {
    return replaced(node, context, "Slice", node.inputs, {}, "is called Slice now");
}

Outcome without_successor_10(const Node& node, PassContext&) {
    return declined(node.op_type +
                    " was experimental, and no later opset has it or what it does in one operator");
}

}  // namespace lapidary::opset
