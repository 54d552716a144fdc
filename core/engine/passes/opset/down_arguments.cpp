// SPDX-License-Identifier: Apache-2.0
// Inputs that were attributes in earlier opsets: they have to be constants there.
#include <algorithm>

#include <fmt/format.h>

#include "passes/axis_arguments.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {
namespace {

using lowering::input_of;

Outcome is_computed(const char* what, const PassContext& context) {
    return declined(
        fmt::format("its {} computed, opset {} takes constants only", what, context.opset()));
}

Attribute ints_attr(const char* name, Ints values) {
    return attr(name, AttributeValue(std::move(values)));
}

/// The constant of one element as a float attribute; nothing where it is none, or where a float
/// does not hold it exactly.
std::optional<float> float_of(const PassContext& context, ValueId value) {
    const auto number = scalar_of(context.scope().constant(value));
    if (!number) return std::nullopt;
    const auto narrow = static_cast<float>(*number);
    if (static_cast<double>(narrow) != *number) return std::nullopt;
    return narrow;
}

/// Without axes to reduce over, these give their input.
bool gives_its_input(const std::string& op) {
    return op == "ReduceSum" || op == "ReduceMean" || op == "ReduceMax" || op == "ReduceMin" ||
           op == "ReduceProd";
}

}  // namespace

Outcome axes_to_attribute(const Node& node, PassContext& context) {
    const ValueId x = node.inputs.at(0), axes = input_of(node, 1);
    const bool reduces = node.op_type.starts_with("Reduce");
    std::vector<Attribute> attributes = without(node, {"noop_with_empty_axes"});
    Ints list;
    if (axes) {
        const auto known = constant_ints_of(context.scope(), axes);
        if (!known) return is_computed("axes are", context);
        list = *known;
    }
    const bool is_empty = list.empty();
    if (reduces && is_empty && node.int_attribute("noop_with_empty_axes", 0) != 0) {
        if (!gives_its_input(node.op_type))
            return declined(
                "it works on single elements (noop_with_empty_axes), which earlier "
                "opsets cannot say");
        return replaced(node, context, "Identity", {x}, {}, "gives its input");
    }
    if (!reduces && axes && is_empty)
        return replaced(node, context, "Identity", {x}, {}, "gives its input");
    if (!is_empty) attributes.push_back(ints_attr("axes", std::move(list)));
    return replaced(node, context, node.op_type, {x}, std::move(attributes),
                    "made the axes an attribute");
}

Outcome split_before_13(const Node& node, PassContext& context) {
    const ValueId sizes = input_of(node, 1);
    if (!sizes) return applied("");
    const auto known = constant_ints_of(context.scope(), sizes);
    if (!known) return is_computed("sizes are", context);
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(ints_attr("split", *known));
    return replaced(node, context, "Split", {node.inputs[0]}, std::move(attributes),
                    "made the sizes an attribute");
}

Outcome split_before_18(const Node& node, PassContext& context) {
    if (!node.has_attribute("num_outputs")) return applied("");
    const auto parts = static_cast<std::int64_t>(node.outputs.size());
    const std::int64_t length =
        context.scope().dim(node.inputs.at(0), static_cast<int>(node.int_attribute("axis", 0)));
    if (length < 0)
        return declined(
            "the size of its axis is not known, and earlier opsets split only into "
            "equal parts by their number");
    std::vector<Attribute> attributes = without(node, {"num_outputs"});
    if (length % parts == 0)
        return replaced(node, context, "Split", {node.inputs[0]}, std::move(attributes),
                        "left out the number of parts");
    const std::int64_t part = (length + parts - 1) / parts;
    Ints sizes(node.outputs.size(), part);
    sizes.back() = length - part * (parts - 1);
    if (sizes.back() < 0) return declined("its parts do not fill its axis");
    return replaced(node, context, "Split",
                    {node.inputs[0], context.constant_ints("Split_sizes", sizes)},
                    std::move(attributes), "named the sizes of the parts");
}

Outcome slice_before_10(const Node& node, PassContext& context) {
    const auto starts = constant_ints_of(context.scope(), node.inputs.at(1)),
               ends = constant_ints_of(context.scope(), node.inputs.at(2));
    if (!starts || !ends) return is_computed("starts or ends are", context);
    std::vector<Attribute> attributes{ints_attr("starts", *starts), ints_attr("ends", *ends)};
    if (const ValueId axes = input_of(node, 3)) {
        const auto known = constant_ints_of(context.scope(), axes);
        if (!known) return is_computed("axes are", context);
        attributes.push_back(ints_attr("axes", *known));
    }
    if (const ValueId steps = input_of(node, 4)) {
        const auto known = constant_ints_of(context.scope(), steps);
        if (!known) return is_computed("steps are", context);
        if (std::ranges::any_of(*known, [](std::int64_t step) { return step != 1; }))
            return declined("it steps over elements, earlier opsets take each of them");
    }
    return replaced(node, context, "Slice", {node.inputs[0]}, std::move(attributes),
                    "made starts, ends and axes attributes");
}

Outcome top_k_before_10(const Node& node, PassContext& context) {
    const auto k = constant_ints_of(context.scope(), node.inputs.at(1));
    if (!k || k->size() != 1) return is_computed("k is", context);
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(attr("k", k->front()));
    return replaced(node, context, "TopK", {node.inputs[0]}, std::move(attributes),
                    "made k an attribute");
}

Outcome top_k_before_11(const Node& node, PassContext& context) {
    const DType dtype = context.scope().dtype(node.inputs.at(0));
    if (!is_float(dtype)) return declined("earlier opsets take the largest of floats only");
    std::vector<Attribute> attributes = without(node, {"largest", "sorted"});
    if (node.int_attribute("largest", 1) != 0)
        return replaced(node, context, "TopK", node.inputs, std::move(attributes),
                        "left out that the largest come in order");
    lowering::PlainNodes plain(node, context);
    std::vector<Type> types;
    for (const ValueId output : node.outputs)
        types.push_back(output ? context.scope().type(output) : Type());
    if (types.size() != 2) return declined("it lacks one of its outputs");
    const ValueId turned = plain.op("Neg", {node.inputs[0]});
    const std::vector<ValueId> largest =
        plain.op_many("TopK", {turned, node.inputs.at(1)}, std::move(attributes), types);
    return plain.finish({plain.op("Neg", {largest[0]}), largest[1]},
                        "took the largest of the negated input");
}

Outcome clip_before_11(const Node& node, PassContext& context) {
    const ValueId x = node.inputs.at(0), low = input_of(node, 1), high = input_of(node, 2);
    if (!is_float(context.scope().dtype(x)))
        return declined("earlier opsets bound floats only, or its element type is not known");
    const auto min = low ? float_of(context, low) : std::nullopt,
               max = high ? float_of(context, high) : std::nullopt;
    if ((low && !min) || (high && !max)) {
        if (context.opset() < 8) return is_computed("bounds are", context);
        lowering::PlainNodes plain(node, context);
        ValueId y = x;
        if (low) y = plain.op("Max", {y, low});
        if (high) y = plain.op("Min", {y, high});
        return plain.finish({y}, "wrote out the computed bounds");
    }
    std::vector<Attribute> attributes;
    if (min) attributes.push_back(attr("min", *min));
    if (max) attributes.push_back(attr("max", *max));
    return replaced(node, context, "Clip", {x}, std::move(attributes),
                    "made the bounds attributes");
}

Outcome pad_before_11(const Node& node, PassContext& context) {
    if (!is_float(context.scope().dtype(node.inputs.at(0))))
        return declined("earlier opsets pad floats only, or its element type is not known");
    const auto pads = constant_ints_of(context.scope(), node.inputs.at(1));
    if (!pads) return is_computed("pads are", context);
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(ints_attr("pads", *pads));
    if (const ValueId value = input_of(node, 2)) {
        const auto number = float_of(context, value);
        if (!number) return is_computed("value is", context);
        attributes.push_back(attr("value", *number));
    }
    return replaced(node, context, "Pad", {node.inputs[0]}, std::move(attributes),
                    "made pads and value attributes");
}

Outcome pad_before_18(const Node& node, PassContext& context) {
    const ValueId axes = input_of(node, 3);
    if (!axes) return applied("");
    const auto list = constant_ints_of(context.scope(), axes),
               pads = constant_ints_of(context.scope(), node.inputs.at(1));
    const int rank = context.scope().rank(node.inputs[0]);
    if (!list || !pads) return is_computed("pads or axes are", context);
    if (rank < 0) return declined("the rank of its input is not known");
    const std::size_t count = list->size();
    if (pads->size() != 2 * count) return declined("its pads do not fit its axes");
    Ints all(2 * static_cast<std::size_t>(rank), 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto axis = axis_from_front((*list)[i], rank);
        if (!axis) return declined("one of its axes is outside of its input");
        all[static_cast<std::size_t>(*axis)] = (*pads)[i];
        all[static_cast<std::size_t>(*axis + rank)] = (*pads)[count + i];
    }
    std::vector<ValueId> inputs{node.inputs[0], context.constant_ints("Pad_pads", all)};
    if (const ValueId value = input_of(node, 2)) inputs.push_back(value);
    return replaced(node, context, "Pad", std::move(inputs), node.attributes,
                    "named the pads of every axis");
}

Outcome pad_before_19(const Node& node, PassContext&) {
    if (node.string_attribute("mode", "constant") == "wrap")
        return declined("its mode wrap came with opset 19");
    return applied("");
}

Outcome dropout_before_12(const Node& node, PassContext& context) {
    const ValueId ratio = input_of(node, 1), training = input_of(node, 2);
    if (training && scalar_of(context.scope().constant(training)).value_or(1) != 0)
        return declined("it may be in training, which earlier opsets cannot say");
    std::vector<Attribute> attributes;
    if (const auto number = ratio ? float_of(context, ratio) : std::nullopt)
        attributes.push_back(attr("ratio", *number));
    return replaced(node, context, "Dropout", {node.inputs.at(0)}, std::move(attributes),
                    "made the ratio an attribute");
}

Outcome dropout_before_10(const Node& node, PassContext& context) {
    if (wants_outputs_from(node, context, 1))
        return declined("its mask is read as bool, earlier opsets make it numbers");
    return applied("");
}

Outcome dft_before_20(const Node& node, PassContext& context) {
    std::int64_t axis = -2;
    if (const ValueId given = input_of(node, 2)) {
        const auto known = constant_ints_of(context.scope(), given);
        if (!known || known->size() != 1) return is_computed("axis is", context);
        axis = known->front();
    }
    const int rank = context.scope().rank(node.inputs.at(0));
    const auto from_front = axis_from_front(axis, rank);
    if (!from_front) return declined("the rank of its input is not known");
    std::vector<ValueId> inputs{node.inputs[0]};
    if (const ValueId length = input_of(node, 1)) inputs.push_back(length);
    std::vector<Attribute> attributes = node.attributes;
    attributes.push_back(attr("axis", *from_front));
    return replaced(node, context, "DFT", std::move(inputs), std::move(attributes),
                    "made the axis an attribute");
}

}  // namespace lapidary::opset
