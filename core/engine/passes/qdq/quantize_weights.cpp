// SPDX-License-Identifier: Apache-2.0
//   before:  QuantizeLinear(Conv(DequantizeLinear(x), w))   w a float constant
//   after:   QuantizeLinear(Conv(DequantizeLinear(x), DequantizeLinear(w as i8, a scale per output
//            channel)))
// Also Gemm and MatMul. Rounds the weights, so values change by what 8 bits can hold: off by
// default.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "rewrite/constant_math.h"
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome quantize_weight(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    const Node& node = unit.node();
    if (node.inputs.size() < 2 || unit.input(1)) return not_concerned();
    if (std::string p = unit.input_problem(0, "the input"); !p.empty()) return declined(p);
    const Tensor* found = scope.constant(node.inputs[1]);
    if (!found) return declined("the weight is computed, needs a constant");
    const Tensor weight = *found;
    if (weight.dtype() != DType::f32 || weight.size() == 0)
        return declined("the weight is " + std::string(name_of(weight.dtype())) +
                        to_string(weight.shape()) + ", needs f32 elements");
    if (node.op_type != "Conv" && weight.rank() != 2)
        return declined(fmt::format("the weight has rank {}, needs 2", weight.rank()));
    if (context.opset() < 13) return declined("a scale per channel needs opset 13");
    const int axis =
        node.op_type == "Conv" || (node.op_type == "Gemm" && node.int_attribute("transB", 0) != 0)
            ? 0
            : 1;
    std::int64_t inner = 1;
    for (int i = axis + 1; i < weight.rank(); ++i) inner *= weight.dim(i);
    const std::int64_t channels = weight.dim(axis);
    std::vector<double> values = to_doubles(weight),
                        scales(static_cast<std::size_t>(channels), 0.0);
    const auto channel = [&](std::size_t i) {
        return (i / static_cast<std::size_t>(inner)) % static_cast<std::size_t>(channels);
    };
    for (std::size_t i = 0; i < values.size(); ++i)
        scales[channel(i)] = std::max(scales[channel(i)], std::abs(values[i]));
    for (double& s : scales) {
        if (!std::isfinite(s)) return declined("the weight has infinite elements");
        s = s == 0 ? 1 : static_cast<double>(static_cast<float>(s / 127));
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::clamp(std::nearbyint(values[i] / scales[channel(i)]), -127.0, 127.0);
    const std::string name = context.graph().value(node.inputs[1]).name, op = node.op_type;
    std::vector<ValueId> inputs = node.inputs;
    const std::vector<Attribute> attributes = node.attributes;
    inputs[1] = context.node(
        "DequantizeLinear",
        {context.constant(name + "_quantized",
                          tensor_of_doubles(DType::i8, weight.shape(), values)),
         context.constant(name + "_scale", tensor_of_doubles(DType::f32, {channels}, scales)),
         context.constant(name + "_zero_point", tensor_of_doubles(DType::i8, {channels}, {0}))},
        {attr("axis", axis)});
    context.replace(unit.target(), op, std::move(inputs), attributes);
    return applied("the weight of " + op + " is quantized to i8, with a scale per output channel");
}

}  // namespace

PassBody quantize_weights() { return at_units("Conv|Gemm|MatMul", quantize_weight); }

}  // namespace lapidary::passes
