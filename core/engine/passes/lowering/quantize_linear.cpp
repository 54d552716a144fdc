// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear and DequantizeLinear of com.microsoft, which allow 16 and 4 bits and half scales
// at any opset.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {
namespace {

/// The first opset whose own operator takes these types.
std::int64_t least_opset(DType quantized, DType scale, bool per_axis) {
    if (quantized != DType::u8 && quantized != DType::i8 && quantized != DType::i32) return 21;
    if (scale != DType::f32) return 19;
    return per_axis ? 13 : 10;
}

Outcome renamed(const Node& node, PassContext& context, DType quantized, std::string_view op) {
    PlainNodes plain(node, context);
    const ValueId scale = node.inputs.at(1);
    const int rank = plain.rank(scale);
    const std::int64_t size = rank == 1 ? context.scope().dim(scale, 0) : rank == 0 ? 1 : -1;
    if (quantized == DType::undefined) return declined("the quantized element type is not known");
    const std::int64_t least = least_opset(quantized, plain.dtype(scale), size != 1);
    if (plain.opset() < least)
        return declined(node.op_type + " to " + std::string(name_of(quantized)) + " needs opset " +
                        std::to_string(least) + ", the model has " + std::to_string(plain.opset()));
    std::vector<Attribute> attributes;
    if (const Attribute* axis = node.attribute("axis"); axis && plain.opset() >= 13)
        attributes.push_back(*axis);
    return plain.finish({plain.op(op, node.inputs, std::move(attributes))},
                        "wrote out " + node.op_type + " of com.microsoft");
}

}  // namespace

Outcome quantize_linear(const Node& node, PassContext& context) {
    const ValueId zero = input_of(node, 2);
    return renamed(node, context, zero ? context.scope().dtype(zero) : DType::u8, "QuantizeLinear");
}

Outcome dequantize_linear(const Node& node, PassContext& context) {
    return renamed(node, context, context.scope().dtype(node.inputs.at(0)), "DequantizeLinear");
}

}  // namespace lapidary::lowering
