// SPDX-License-Identifier: Apache-2.0
// Operators that earlier opsets have under other names, with other defaults or less general.
#include <algorithm>
#include <limits>

#include "passes/axis_arguments.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/step_nodes.h"
#include "rewrite/constant_math.h"

namespace lapidary::opset {
namespace {

using lowering::input_of;

bool have_one_shape(const Node& node, const PassContext& context) {
    const Type& first = context.scope().type(node.inputs.at(0));
    return node.inputs.size() == 1 || std::ranges::all_of(node.inputs, [&](ValueId input) {
               return same_shape(first, context.scope().type(input));
           });
}

ValueId sum_of(lowering::PlainNodes& plain, const std::vector<ValueId>& terms) {
    ValueId sum = terms.at(0);
    for (std::size_t i = 1; i < terms.size(); ++i) sum = plain.add(sum, terms[i]);
    return sum;
}

bool is_of_one_element(const PassContext& context, ValueId value) {
    const Type& type = context.scope().type(value);
    return type.shape && std::ranges::all_of(*type.shape, [](const Dim& dim) {
               return dim.is_known() && dim.value() == 1;
           });
}

}  // namespace

Outcome same_shapes_before_8(const Node& node, PassContext& context) {
    if (have_one_shape(node, context)) return applied("");
    return declined("its inputs are not known to be of one shape, which opset 7 needs");
}

Outcome sum_before_8(const Node& node, PassContext& context) {
    if (have_one_shape(node, context)) return applied("");
    lowering::PlainNodes plain(node, context);
    return plain.finish({sum_of(plain, node.inputs)}, "wrote out Sum as Add");
}

Outcome mean_before_8(const Node& node, PassContext& context) {
    if (have_one_shape(node, context)) return applied("");
    if (!is_float(context.scope().dtype(node.inputs.at(0))))
        return declined("the element type of its input is not known");
    lowering::PlainNodes plain(node, context);
    const ValueId sum = sum_of(plain, node.inputs);
    const auto count = static_cast<double>(node.inputs.size());
    return plain.finish({plain.div(sum, plain.scalar(plain.dtype(sum), count))},
                        "wrote out Mean as Add and Div");
}

Outcome gemm_before_11(const Node& node, PassContext& context) {
    if (input_of(node, 2)) return applied("");
    const DType dtype = context.scope().dtype(node.inputs.at(0));
    if (dtype == DType::undefined) return declined("the element type of its input is not known");
    const ValueId zero = context.constant_scalar("Gemm_zero", dtype, 0, {1});
    return replaced(node, context, "Gemm", {node.inputs[0], node.inputs.at(1), zero},
                    node.attributes, "added a zero as its third input");
}

Outcome pow_before_12(const Node& node, PassContext& context) {
    const ValueId base = node.inputs.at(0), exponent = node.inputs.at(1);
    const DType type = context.scope().dtype(base), other = context.scope().dtype(exponent);
    if (type == other) return applied("");
    if (!is_float(type)) return declined("earlier opsets raise floats only");
    const Tensor* known = context.scope().constant(exponent);
    if (!known) return declined("its exponent is computed in another type than its base");
    constexpr double exact = 2048;  // the integers that f16 holds
    if (std::ranges::any_of(to_doubles(*known), [&](double e) {
            return !(e >= -exact && e <= exact) || (e != static_cast<double>(std::int64_t(e)));
        }))
        return declined("its exponent is of another type than its base, which may not hold it");
    lowering::PlainNodes plain(node, context);
    return replaced(node, context, "Pow", {base, plain.cast(exponent, type)}, {},
                    "gave the exponent the type of the base");
}

Outcome scatter_elements_before_11(const Node& node, PassContext& context) {
    return replaced(node, context, "Scatter", node.inputs, node.attributes, "is called Scatter");
}

Outcome scatter_before_18(const Node& node, PassContext&) {
    const std::string reduction = node.string_attribute("reduction", "none");
    if (reduction == "max" || reduction == "min")
        return declined("its reduction " + reduction + " came with opset 18");
    return applied("");
}

Outcome softmax_before_13(const Node& node, PassContext& context) {
    const ValueId x = node.inputs.at(0);
    const int rank = context.scope().rank(x);
    const auto axis = axis_from_front(node.int_attribute("axis", -1), rank);
    if (!axis) return declined("the rank of its input is not known");
    bool is_last = true;
    for (int i = static_cast<int>(*axis) + 1; i < rank; ++i)
        is_last = is_last && context.scope().dim(x, i) == 1;
    if (is_last)
        return replaced(node, context, node.op_type, {x}, {attr("axis", *axis)}, "named its axis");
    lowering::PlainNodes plain(node, context);
    Ints swapped;
    for (int i = 0; i < rank; ++i) swapped.push_back(i);
    std::swap(swapped[static_cast<std::size_t>(*axis)], swapped.back());
    const ValueId y =
        plain.op(node.op_type, {plain.transpose(x, swapped)}, {attr("axis", rank - 1)});
    return plain.finish({plain.transpose(y, swapped)}, "moved its axis to the end");
}

Outcome per_tensor_before_13(const Node& node, PassContext& context) {
    if (!is_of_one_element(context, node.inputs.at(1)))
        return declined(
            "it has a scale for each part of an axis, earlier opsets have one for the "
            "whole tensor");
    return replaced(node, context, node.op_type, node.inputs, without(node, {"axis"}),
                    "left out the axis of its one scale");
}

Outcome quantize_linear_before_21(const Node& node, PassContext& context) {
    if (node.int_attribute("block_size", 0) != 0)
        return declined("it quantizes in blocks, which came with opset 21");
    const auto type = static_cast<DType>(node.int_attribute("output_dtype", 0));
    if (type == DType::undefined) return applied("");
    std::vector<ValueId> inputs = node.inputs;
    if (!input_of(node, 2)) {
        const Type& scale = context.scope().type(node.inputs.at(1));
        if (!scale.shape ||
            !std::ranges::all_of(*scale.shape, [](const Dim& dim) { return dim.is_known(); }))
            return declined("the shape of its scale is not known, which its zero point must have");
        if (type != DType::u8 && type != DType::i8)
            return declined("it gives a type that earlier opsets do not quantize to");
        std::vector<std::int64_t> shape;
        for (const Dim& dim : *scale.shape) shape.push_back(dim.value());
        const std::vector<double> zeros(static_cast<std::size_t>(element_count(shape)), 0.0);
        inputs.resize(2);
        inputs.push_back(
            context.constant("QuantizeLinear_zero", tensor_of_doubles(type, shape, zeros)));
    }
    return replaced(node, context, "QuantizeLinear", std::move(inputs),
                    without(node, {"output_dtype", "block_size"}),
                    "named its type by a zero point");
}

Outcome reshape_before_14(const Node& node, PassContext& context) {
    if (node.int_attribute("allowzero", 0) == 0) return applied("");
    const auto shape = constant_ints_of(context.scope(), node.inputs.at(1));
    if (!shape) return declined("a zero in its computed shape is a size of zero (allowzero)");
    if (std::ranges::find(*shape, 0) != shape->end())
        return declined("it makes a dimension of zero (allowzero)");
    return replaced(node, context, "Reshape", node.inputs, without(node, {"allowzero"}),
                    "left out allowzero, its shape has no zeros");
}

Outcome shape_before_15(const Node& node, PassContext& context) {
    const std::int64_t start = node.int_attribute("start", 0);
    if (start == 0 && !node.has_attribute("end"))
        return replaced(node, context, "Shape", node.inputs, {}, "takes the whole shape");
    lowering::PlainNodes plain(node, context);
    const std::int64_t end = node.int_attribute("end", std::numeric_limits<std::int64_t>::max());
    return plain.finish({plain.slice(plain.shape_of(node.inputs.at(0)), 0, start, end)},
                        "wrote out its part of the shape");
}

Outcome roi_align_before_16(const Node& node, PassContext& context) {
    if (node.string_attribute("coordinate_transformation_mode", "half_pixel") == "half_pixel")
        return declined("it shifts coordinates by half a pixel, which came with opset 16");
    return replaced(node, context, "RoiAlign", node.inputs,
                    without(node, {"coordinate_transformation_mode"}),
                    "left out the coordinate transformation");
}

Outcome grid_sample_before_20(const Node& node, PassContext& context) {
    if (context.scope().rank(node.inputs.at(0)) != 4)
        return declined("its input is not known to have 4 dimensions");
    const std::string mode = node.string_attribute("mode", "linear");
    if (mode == "nearest") return applied("");
    std::vector<Attribute> attributes = without(node, {"mode"});
    attributes.push_back(attr("mode", mode == "cubic" ? "bicubic" : "bilinear"));
    return replaced(node, context, "GridSample", node.inputs, std::move(attributes),
                    "renamed the mode");
}

}  // namespace lapidary::opset
