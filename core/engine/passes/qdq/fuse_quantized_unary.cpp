// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Sigmoid(DequantizeLinear(x)))
//   after:   y = com.microsoft::QLinearSigmoid(x, ...)   also LeakyRelu, Softmax, AveragePool,
//            GlobalAveragePool
// As ONNX Runtime does. QLinearAveragePool rounds behind the zero point: means that lie in the
// middle of two steps come out one step apart where the zero point is odd.
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

std::string pool_problem(const Node& node) {
    for (const std::int64_t d : node.ints_attribute("dilations"))
        if (d != 1)
            return "the pooling window is dilated, which QLinearAveragePool has no attribute for";
    if (node.version >= 19 && node.int_attribute("ceil_mode", 0) != 0)
        return "ceil_mode counts windows differently from opset 19 on than QLinearAveragePool does";
    return {};
}

std::vector<Attribute> attributes_for(const Node& node) {
    std::vector<Attribute> attributes;
    for (const Attribute& a : node.attributes)
        if (a.name != "dilations") attributes.push_back(a);
    if (node.op_type == "Softmax") {
        attributes = {attr("axis", node.int_attribute("axis", node.version < 13 ? 1 : -1)),
                      attr("opset", node.version)};
    }
    return attributes;
}

Outcome fuse_unary(const NodeUnit& unit, PassContext& context) {
    const Node& node = unit.node();
    if (std::string p = unit.input_problem(0, "the input"); !p.empty()) return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Quantization &x = *unit.input(0), &y = *unit.output();
    if (std::string p = NodeUnit::type_problem(x, "the input", y, "the result"); !p.empty())
        return declined(p);
    if (node.op_type == "AveragePool")
        if (std::string p = pool_problem(node); !p.empty()) return declined(p);
    std::vector<Attribute> attributes = attributes_for(node);
    const std::string op = node.op_type;
    const ValueId x_zero = zero_point_of(context, x), y_zero = zero_point_of(context, y);
    context.replace(y.node, "com.microsoft::QLinear" + op,
                    {x.stored, x.scale, x_zero, y.scale, y_zero}, std::move(attributes),
                    unit.nodes());
    return applied("DequantizeLinear, " + op + ", QuantizeLinear became QLinear" + op);
}

}  // namespace

PassBody fuse_quantized_unary() {
    return at_units("AveragePool|GlobalAveragePool|LeakyRelu|Sigmoid|Softmax", fuse_unary);
}

}  // namespace lapidary::passes
