// SPDX-License-Identifier: Apache-2.0
// QLinear operators of com.microsoft as DequantizeLinear, the operator, QuantizeLinear.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {
namespace {

std::string version_problem(const PassContext& context) {
    return context.opset() >= 10
               ? std::string()
               : "QuantizeLinear needs opset 10, the model has " + std::to_string(context.opset());
}

/// Inputs index, index + 1 (scale) and index + 2 (zero point) as floats.
ValueId read(const Node& node, PlainNodes& plain, std::size_t index) {
    return plain.dequantize(node.inputs.at(index), node.inputs.at(index + 1),
                            input_of(node, index + 2));
}

Outcome written(const Node& node, PlainNodes& plain, ValueId y, std::size_t scale,
                std::size_t zero_point, DType dtype) {
    return plain.finish(
        {plain.quantize(y, node.inputs.at(scale), input_of(node, zero_point), dtype)},
        "wrote out " + node.op_type);
}

Outcome binary(const Node& node, PassContext& context, std::string_view op) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    return written(node, plain, plain.op(op, {read(node, plain, 0), read(node, plain, 3)}), 6, 7,
                   plain.dtype(node.inputs.at(0)));
}

Outcome unary(const Node& node, PassContext& context, std::string_view op,
              std::vector<Attribute> attributes) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    return written(node, plain, plain.op(op, {read(node, plain, 0)}, std::move(attributes)), 3, 4,
                   plain.dtype(node.inputs.at(0)));
}

std::vector<Attribute> window_attributes(const Node& node) {
    std::vector<Attribute> attributes;
    for (const char* name : {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "group",
                             "kernel_shape", "pads", "strides"})
        if (const Attribute* a = node.attribute(name)) attributes.push_back(*a);
    return attributes;
}

Outcome pool(const Node& node, PassContext& context, std::string_view op,
             std::vector<Attribute> attributes) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const bool channels_last = node.int_attribute("channels_last", 0) != 0;
    const int rank = plain.rank(node.inputs.at(0));
    if (channels_last && rank < 0) return declined("the rank of its input is not known");
    ValueId x = read(node, plain, 0);
    if (channels_last) x = plain.channels_moved(x, rank, true);
    ValueId y = plain.op(op, {x}, std::move(attributes));
    if (channels_last) y = plain.channels_moved(y, rank, false);
    return written(node, plain, y, 3, 4, plain.dtype(node.inputs[0]));
}

}  // namespace

Outcome qlinear_add(const Node& node, PassContext& context) { return binary(node, context, "Add"); }
Outcome qlinear_mul(const Node& node, PassContext& context) { return binary(node, context, "Mul"); }
Outcome qlinear_sigmoid(const Node& node, PassContext& context) {
    return unary(node, context, "Sigmoid", {});
}
Outcome qlinear_leaky_relu(const Node& node, PassContext& context) {
    return unary(node, context, "LeakyRelu", {attr("alpha", node.float_attribute("alpha", 0.01f))});
}
Outcome qlinear_average_pool(const Node& node, PassContext& context) {
    return pool(node, context, "AveragePool", window_attributes(node));
}
Outcome qlinear_global_average_pool(const Node& node, PassContext& context) {
    return pool(node, context, "GlobalAveragePool", {});
}

Outcome qlinear_softmax(const Node& node, PassContext& context) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const int rank = plain.rank(node.inputs.at(0));
    const bool flattens = node.int_attribute("opset", 13) < 13;
    std::int64_t axis = node.int_attribute("axis", flattens ? 1 : -1);
    if (rank < 0) return declined("the rank of its input is not known");
    if (axis < 0) axis += rank;
    if (!flattens && plain.opset() < 13 && axis != rank - 1)
        return declined("softmax along an inner axis needs opset 13, the model has " +
                        std::to_string(plain.opset()));
    const ValueId x = read(node, plain, 0);
    const ValueId y = flattens ? plain.softmax_flattened(x, axis)
                               : plain.op("Softmax", {x}, {attr("axis", axis)});
    return written(node, plain, y, 3, 4, plain.dtype(node.inputs[0]));
}

Outcome qlinear_where(const Node& node, PassContext& context) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const ValueId y =
        plain.op("Where", {node.inputs.at(0), read(node, plain, 1), read(node, plain, 4)});
    return written(node, plain, y, 7, 8, plain.dtype(node.inputs.at(1)));
}

Outcome qlinear_concat(const Node& node, PassContext& context) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    if (node.inputs.size() < 5 || (node.inputs.size() - 2) % 3 != 0)
        return declined("its inputs do not come in threes");
    PlainNodes plain(node, context);
    std::vector<ValueId> parts;
    for (std::size_t i = 2; i < node.inputs.size(); i += 3) {
        if (plain.dtype(node.inputs[i]) == DType::f32) parts.push_back(node.inputs[i]);
        else parts.push_back(read(node, plain, i));
    }
    return written(node, plain, plain.concat(std::move(parts), node.int_attribute("axis", 0)), 0, 1,
                   plain.dtype(node.inputs[1]));
}

Outcome qlinear_reduce_mean(const Node& node, PassContext& context) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const ValueId y = plain.reduce("ReduceMean", read(node, plain, 0), node.ints_attribute("axes"),
                                   node.int_attribute("keepdims", 1) != 0);
    return written(node, plain, y, 3, 4, plain.dtype(node.inputs.at(0)));
}

/// ONNX has QLinearConv too, channels first.
Outcome qlinear_conv(const Node& node, PassContext& context) {
    if (std::string problem = version_problem(context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const bool channels_last = node.int_attribute("channels_last", 0) != 0;
    const int rank = plain.rank(node.inputs.at(0));
    if (channels_last && rank < 0) return declined("the rank of its input is not known");
    std::vector<ValueId> inputs = node.inputs;
    if (channels_last) inputs[0] = plain.channels_moved(inputs[0], rank, true);
    ValueId y = plain.op("QLinearConv", std::move(inputs), window_attributes(node));
    if (channels_last) y = plain.channels_moved(y, rank, false);
    return plain.finish({y}, "wrote out QLinearConv of com.microsoft");
}

Outcome nhwc_max_pool(const Node& node, PassContext& context) {
    if (context.opset() < 12)
        return declined("MaxPool of 8-bit integers needs opset 12, the model has " +
                        std::to_string(context.opset()));
    PlainNodes plain(node, context);
    const int rank = plain.rank(node.inputs.at(0));
    if (rank < 0) return declined("the rank of its input is not known");
    const ValueId y = plain.op("MaxPool", {plain.channels_moved(node.inputs[0], rank, true)},
                               window_attributes(node));
    return plain.finish({plain.channels_moved(y, rank, false)}, "wrote out NhwcMaxPool");
}

}  // namespace lapidary::lowering
