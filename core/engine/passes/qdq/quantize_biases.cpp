// SPDX-License-Identifier: Apache-2.0
//   before:  Conv(DequantizeLinear(x), DequantizeLinear(w), b)  -> QuantizeLinear, perhaps behind
//            Relu or Clip; b constant
//   after:   Conv(DequantizeLinear(x), DequantizeLinear(w), DequantizeLinear(b as i32))   also Gemm
// The steps of b are x scale * w scale, which integer kernels add up in. Only where that is at most
// the step of the result, so that rounding b moves the result by half a step at most.
#include <cmath>

#include <fmt/format.h>

#include "rewrite/constant_math.h"
#include "passes/qdq/quantized_bias.h"

namespace lapidary::passes {
namespace {

/// The QuantizeLinear behind the value, over at most one Relu or Clip.
std::optional<Quantization> quantized_later(const Scope& scope, ValueId value) {
    for (int step = 0; step < 2; ++step) {
        const Value& v = scope.value(value);
        if (!v.read_once() || v.uses[0].input != 0) return std::nullopt;
        const Node& reader = scope.node(v.uses[0].node);
        if (is_quantize(reader)) return quantization_of(scope, reader);
        if (reader.op_type != "Relu" && reader.op_type != "Clip") return std::nullopt;
        value = reader.outputs[0];
    }
    return std::nullopt;
}

/// Why the bias cannot have steps of input scale * weight scale; empty: it can.
std::string steps_problem(const NodeUnit& unit, const Tensor& bias, const Quantization& y,
                          bool gemm) {
    const Node& node = unit.node();
    if (bias.dtype() != DType::f32)
        return "the bias is " + std::string(name_of(bias.dtype())) + ", needs f32";
    const int channels = gemm && node.int_attribute("transB", 0) == 0 ? 1 : 0;
    if (std::string p = unit.input_problem(0, "the input"); !p.empty()) return p;
    if (std::string p = unit.input_problem(1, "the weight", {.channel_axis = channels}); !p.empty())
        return p;
    if (!y.is_constant() || !y.per_tensor())
        return "the result has no constant scale of one element";
    if (gemm && node.float_attribute("beta", 1.0f) != 1.0f) return "beta is not 1";
    return {};
}

/// Why the number of `steps` does not fit the elements of the bias; empty: it does. One step fits
/// all.
std::string scales_problem(const Tensor& bias, std::size_t steps, std::int64_t opset) {
    if (steps == 1) return {};
    if (bias.rank() != 1 || bias.dim(0) != static_cast<std::int64_t>(steps))
        return fmt::format("the bias has shape {}, the weight {} scales", to_string(bias.shape()),
                           steps);
    return opset < 13 ? "a scale per channel needs opset 13" : "";
}

/// `values` in steps of `steps`, one for all or one each; else why they are too coarse or overflow.
std::string round_to_steps(std::vector<double>& values, const std::vector<double>& steps,
                           double result_step) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double step = steps[steps.size() == 1 ? 0 : i];
        if (!(step > 0) || step > result_step)
            return fmt::format(
                "steps of {:g} are too coarse for the bias, the result has steps of {:g}", step,
                result_step);
        values[i] = std::nearbyint(values[i] / static_cast<double>(static_cast<float>(step)));
        if (!(std::abs(values[i]) < 2147483647.0))
            return fmt::format("bias {} does not fit i32 in steps of {:g}", i, step);
    }
    return {};
}

/// The node with its bias `stored`, an i32 tensor, behind DequantizeLinear.
void write_bias(const NodeUnit& unit, PassContext& context, Tensor stored,
                const std::vector<double>& steps) {
    const Node& node = unit.node();
    const std::string name = context.graph().value(node.inputs[2]).name, op = node.op_type;
    std::vector<ValueId> inputs = node.inputs;
    const std::vector<Attribute> attributes = node.attributes;
    const Shape scale_shape =
        steps.size() == 1 ? Shape() : Shape{static_cast<std::int64_t>(steps.size())};
    std::vector<Attribute> axis;
    if (steps.size() > 1) axis.push_back(attr("axis", 0));
    inputs[2] = context.node(
        "DequantizeLinear",
        {context.constant(name + "_quantized", std::move(stored)),
         context.constant(name + "_scale", tensor_of_doubles(DType::f32, scale_shape, steps))},
        axis);
    context.replace(unit.target(), op, std::move(inputs), attributes);
}

Outcome quantize_bias(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    const Node& node = unit.node();
    if (node.inputs.size() < 3 || !node.inputs[2] || unit.input(2)) return not_concerned();
    if (!unit.input(0) || !unit.input(1)) return not_concerned();  // a later pass says so
    const auto y = quantized_later(scope, node.outputs[0]);
    if (!y) return not_concerned();
    const Tensor* found = scope.constant(node.inputs[2]);
    if (!found) return declined("the bias is computed, needs a constant");
    const Tensor bias = *found;
    const bool gemm = node.op_type == "Gemm";
    if (std::string p = steps_problem(unit, bias, *y, gemm); !p.empty())
        return declined(std::move(p));
    const std::vector<double> steps = expected_bias_scales(
        *unit.input(0), *unit.input(1), gemm ? node.float_attribute("alpha", 1.0f) : 1.0);
    if (std::string p = scales_problem(bias, steps.size(), context.opset()); !p.empty())
        return declined(std::move(p));
    std::vector<double> values = to_doubles(bias);
    if (std::string p = round_to_steps(values, steps, y->scale_value()); !p.empty())
        return declined(std::move(p));
    const std::string op = node.op_type;
    write_bias(unit, context,
               values.empty() ? Tensor(DType::i32, bias.shape())
                              : tensor_of_doubles(DType::i32, bias.shape(), values),
               steps);
    return applied("the bias of " + op +
                   " is quantized to i32 in steps of input scale * weight scale");
}

}  // namespace

PassBody quantize_biases() { return at_units("Conv|Gemm", quantize_bias); }

}  // namespace lapidary::passes
