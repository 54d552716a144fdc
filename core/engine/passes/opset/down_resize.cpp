// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample in the forms of earlier opsets.
#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/axis_arguments.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {
namespace {

using lowering::input_of;

constexpr const char* computed_scales = "its scales are computed";

std::optional<std::vector<float>> constant_floats(const PassContext& context, ValueId value) {
    const Tensor* known = value ? context.scope().constant(value) : nullptr;
    if (!known) return std::nullopt;
    std::vector<float> floats;
    for (const double number : to_doubles(*known)) floats.push_back(static_cast<float>(number));
    return floats;
}

ValueId floats_constant(PassContext& context, const std::vector<float>& values) {
    return context.constant("Resize_scales", Tensor::of<float>({std::ssize(values)}, values));
}

bool is_given(const PassContext& context, ValueId value) {
    if (!value) return false;
    const Tensor* known = context.scope().constant(value);
    return !known || known->size() > 0;
}

/// The scales of every axis, given or by sizes. Nothing where they are computed, or where a size
/// does not follow from a scale.
std::optional<std::vector<float>> known_scales(const Node& node, const PassContext& context) {
    if (is_given(context, input_of(node, 2))) return constant_floats(context, node.inputs[2]);
    const auto sizes = constant_ints_of(context.scope(), input_of(node, 3));
    if (!sizes) return std::nullopt;
    std::vector<float> scales;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        const std::int64_t length = context.scope().dim(node.inputs.at(0), static_cast<int>(i));
        if (length < 1) return std::nullopt;
        const float scale = static_cast<float>((*sizes)[i]) / static_cast<float>(length);
        if (static_cast<std::int64_t>(std::floor(scale * static_cast<float>(length))) !=
            (*sizes)[i])
            return std::nullopt;
        scales.push_back(scale);
    }
    return scales;
}

bool is_whole(float scale) { return scale >= 1 && scale == std::floor(scale); }

/// Why Resize of 10, which maps coordinates by the scale alone, takes other pixels; empty: it takes
/// the same.
std::string other_pixels(const Node& node, const std::vector<float>& scales) {
    const std::string mode = node.string_attribute("mode", "nearest"),
                      map = node.string_attribute("coordinate_transformation_mode", "half_pixel"),
                      rounding = node.string_attribute("nearest_mode", "round_prefer_floor");
    if (std::ranges::all_of(scales, [](float s) { return s == 1; })) return {};
    if (mode != "nearest" && mode != "linear") return "its mode " + mode + " came with opset 11";
    if (mode == "linear")
        return map == "asymmetric" ? std::string()
                                   : "its coordinate transformation " + map + " came with opset 11";
    // Whole multiples repeat each pixel, with rounding of shifted coordinates too.
    const bool is_centred = map == "half_pixel" || map == "pytorch_half_pixel";
    const bool repeats = std::ranges::all_of(scales, is_whole);
    if (repeats && is_centred && rounding.starts_with("round_prefer")) return {};
    if (map != "asymmetric") return "its coordinate transformation " + map + " came with opset 11";
    const bool grows = std::ranges::any_of(scales, [](float s) { return s > 1; }),
               shrinks = std::ranges::any_of(scales, [](float s) { return s < 1; });
    if ((grows && rounding != "floor") || (shrinks && rounding != "ceil"))
        return "its rounding " + rounding + " came with opset 11";
    return {};
}

}  // namespace

Outcome resize_before_19(const Node& node, PassContext&) {
    if (node.string_attribute("coordinate_transformation_mode", "half_pixel") ==
        "half_pixel_symmetric")
        return declined("its coordinate transformation half_pixel_symmetric came with opset 19");
    return applied("");
}

Outcome resize_before_18(const Node& node, PassContext& context) {
    if (node.int_attribute("antialias", 0) != 0)
        return declined("it smooths when it shrinks (antialias), which came with opset 18");
    if (node.string_attribute("keep_aspect_ratio_policy", "stretch") != "stretch")
        return declined("it keeps the aspect ratio, which came with opset 18");
    const Ints axes = node.ints_attribute("axes");
    std::vector<Attribute> attributes =
        without(node, {"antialias", "keep_aspect_ratio_policy", "axes"});
    if (axes.empty())
        return replaced(node, context, "Resize", node.inputs, std::move(attributes),
                        "left out attributes of opset 18");
    const ValueId x = node.inputs.at(0);
    const int rank = context.scope().rank(x);
    if (rank < 0) return declined("the rank of its input is not known");
    if (node.string_attribute("coordinate_transformation_mode", "half_pixel") ==
        "tf_crop_and_resize")
        return declined("it crops along some axes only, which came with opset 18");
    const auto scales = constant_floats(context, input_of(node, 2));
    const auto sizes = constant_ints_of(context.scope(), input_of(node, 3));
    const bool by_scales = scales && scales->size() == axes.size();
    if (!by_scales && (!sizes || sizes->size() != axes.size()))
        return declined("the scales or sizes of its axes are computed");
    std::vector<float> all_scales(static_cast<std::size_t>(rank), 1);
    Ints all_sizes;
    for (int i = 0; i < rank; ++i) all_sizes.push_back(context.scope().dim(x, i));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = axis_from_front(axes[i], rank);
        if (!axis) return declined("one of its axes is outside of its input");
        const auto at = static_cast<std::size_t>(*axis);
        if (by_scales) all_scales[at] = (*scales)[i];
        else all_sizes[at] = (*sizes)[i];
    }
    if (!by_scales && std::ranges::any_of(all_sizes, [](std::int64_t n) { return n < 0; }))
        return declined("the sizes of the axes that it keeps are not known");
    std::vector<ValueId> inputs{x, {}};
    if (by_scales) {
        inputs.push_back(floats_constant(context, all_scales));
    } else {
        inputs.push_back({});
        inputs.push_back(context.constant_ints("Resize_sizes", all_sizes));
    }
    return replaced(node, context, "Resize", std::move(inputs), std::move(attributes),
                    "named the scales or sizes of every axis");
}

Outcome resize_before_13(const Node& node, PassContext& context) {
    const ValueId roi = input_of(node, 1), scales = input_of(node, 2), sizes = input_of(node, 3);
    if (roi && scales) return applied("");
    std::vector<ValueId> inputs{node.inputs.at(0), roi, scales};
    if (!roi) inputs[1] = context.constant("Resize_roi", Tensor(DType::f32, {0}));
    if (!scales) inputs[2] = context.constant("Resize_scales", Tensor(DType::f32, {0}));
    if (sizes) inputs.push_back(sizes);
    return replaced(node, context, "Resize", std::move(inputs), node.attributes,
                    "gave empty tensors for omitted inputs");
}

Outcome resize_before_11(const Node& node, PassContext& context) {
    const auto scales = known_scales(node, context);
    if (!scales || scales->empty())
        return declined("its scales are computed, or its sizes do not follow from scales");
    if (std::string problem = other_pixels(node, *scales); !problem.empty())
        return declined(std::move(problem));
    const bool is_linear = node.string_attribute("mode", "nearest") == "linear";
    return replaced(node, context, "Resize", {node.inputs.at(0), floats_constant(context, *scales)},
                    {attr("mode", is_linear ? "linear" : "nearest")},
                    "left out the coordinate transformation");
}

Outcome resize_before_10(const Node& node, PassContext& context) {
    const auto scales = constant_floats(context, node.inputs.at(1));
    if (!scales) return declined(computed_scales);
    if (std::ranges::any_of(*scales, [](float s) { return s < 1; }))
        return declined("it shrinks, which came with opset 10");
    return replaced(node, context, "Upsample", node.inputs, node.attributes, "is called Upsample");
}

Outcome upsample_before_9(const Node& node, PassContext& context) {
    const auto scales = constant_floats(context, node.inputs.at(1));
    if (!scales) return declined(computed_scales);
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(attr("scales", AttributeValue(*scales)));
    return replaced(node, context, "Upsample", {node.inputs.at(0)}, std::move(attributes),
                    "made the scales an attribute");
}

}  // namespace lapidary::opset
