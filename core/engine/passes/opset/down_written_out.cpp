// SPDX-License-Identifier: Apache-2.0
// Operators that earlier opsets do not have, written out in those that they have.
#include <algorithm>

#include "passes/axis_arguments.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/step_nodes.h"
#include "rewrite/constant_math.h"

namespace lapidary::lowering {
Outcome layer_normalization(const Node& node, PassContext& context);
}

namespace lapidary::opset {
namespace {

using lowering::input_of;
using lowering::PlainNodes;

constexpr const char* unknown_element_type = "the element type of its input is not known";
constexpr const char* unknown_input_rank = "the rank of its input is not known";

bool has_float_input(const Node& node, const PassContext& context) {
    return is_float(context.scope().dtype(node.inputs.at(0)));
}

/// Less or Greater, or Equal.
Outcome written_as_or(const Node& node, PassContext& context, const char* strict) {
    PlainNodes plain(node, context);
    const ValueId a = node.inputs.at(0), b = node.inputs.at(1);
    return plain.finish({plain.op("Or", {plain.op(strict, {a, b}), plain.op("Equal", {a, b})})},
                        std::string("wrote out ") + node.op_type);
}

/// [N, C, ...] normalized over each of `groups` groups of channels; scale and bias are per group,
/// in f32 for halves.
ValueId normalized_groups(PlainNodes& plain, const Node& node, ValueId x, ValueId scale,
                          ValueId bias, std::int64_t groups) {
    const ValueId rows = plain.reshape(x, {0, groups, -1});
    const ValueId y = plain.op("InstanceNormalization", {rows, scale, bias},
                               {attr("epsilon", node.float_attribute("epsilon", 1e-5f))});
    return plain.op("Reshape", {y, plain.shape_of(x)});
}

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

}  // namespace

Outcome hard_swish_before_14(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const ValueId gate =
        plain.op("HardSigmoid", {x}, {attr("alpha", 1.0f / 6), attr("beta", 0.5f)});
    return plain.finish({plain.mul(x, gate)}, "wrote out HardSwish");
}

Outcome mish_before_18(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    return plain.finish({plain.mul(x, plain.op("Tanh", {plain.op("Softplus", {x})}))},
                        "wrote out Mish");
}

Outcome swish_before_24(const Node& node, PassContext& context) {
    const float alpha = node.float_attribute("alpha", 1);
    if (alpha != 1 && !has_float_input(node, context)) return declined(unknown_element_type);
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const ValueId scaled = alpha == 1 ? x : plain.mul(x, static_cast<double>(alpha));
    return plain.finish({plain.mul(x, plain.op("Sigmoid", {scaled}))}, "wrote out Swish");
}

Outcome gelu_before_20(const Node& node, PassContext& context) {
    if (!has_float_input(node, context)) return declined(unknown_element_type);
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const bool by_tanh = node.string_attribute("approximate", "none") == "tanh";
    return plain.finish({by_tanh ? plain.gelu_tanh(x) : plain.gelu_erf(x)}, "wrote out Gelu");
}

Outcome celu_before_12(const Node& node, PassContext& context) {
    const auto alpha = static_cast<double>(node.float_attribute("alpha", 1));
    if (!has_float_input(node, context)) return declined(unknown_element_type);
    if (!(alpha > 0)) return declined("its alpha is not above zero");
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    if (alpha == 1) return plain.finish({plain.op("Elu", {x})}, "wrote out Celu");
    const ValueId inner = plain.op("Elu", {plain.div(x, plain.scalar(plain.dtype(x), alpha))});
    return plain.finish({plain.mul(inner, alpha)}, "wrote out Celu");
}

Outcome thresholded_relu_before_10(const Node& node, PassContext& context) {
    if (!has_float_input(node, context)) return declined(unknown_element_type);
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const DType dtype = plain.dtype(x);
    const auto alpha = static_cast<double>(node.float_attribute("alpha", 1));
    const ValueId above = plain.op("Greater", {x, plain.scalar(dtype, alpha)});
    return plain.finish({plain.op("Where", {above, x, plain.scalar(dtype, 0)})},
                        "wrote out ThresholdedRelu");
}

Outcome greater_or_equal_before_12(const Node& node, PassContext& context) {
    return written_as_or(node, context, "Greater");
}

Outcome less_or_equal_before_12(const Node& node, PassContext& context) {
    return written_as_or(node, context, "Less");
}

Outcome cast_like_before_15(const Node& node, PassContext& context) {
    const DType to = context.scope().dtype(node.inputs.at(1));
    if (to == DType::undefined)
        return declined("the element type of its second input is not known");
    return replaced(node, context, "Cast", {node.inputs[0]},
                    {attr("to", static_cast<std::int64_t>(to))}, "named the type of the Cast");
}

Outcome trilu_before_14(const Node& node, PassContext& context) {
    const Scope& scope = context.scope();
    const ValueId x = node.inputs.at(0), offset = input_of(node, 1);
    const std::int64_t rows = scope.dim(x, -2), columns = scope.dim(x, -1);
    constexpr std::int64_t most_elements = 1 << 24;
    if (rows < 0 || columns < 0) return declined("the size of its matrices is not known");
    if (rows > 0 && columns > most_elements / rows) return declined("its matrices are too large");
    const DType dtype = scope.dtype(x);
    if (!is_float(dtype) && dtype != DType::i32 && dtype != DType::i64)
        return declined("a zero of its element type cannot be written");
    std::int64_t k = 0;
    if (offset) {
        const auto known = constant_ints_of(scope, offset);
        if (!known || known->size() != 1) return declined("the diagonal where it cuts is computed");
        k = known->front();
    }
    const bool upper = node.int_attribute("upper", 1) != 0;
    Tensor mask(DType::boolean, {rows, columns});
    const std::span<bool> keep = mask.mutable_data<bool>();
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            keep[static_cast<std::size_t>(i * columns + j)] = upper ? j - i >= k : j - i <= k;
    PlainNodes plain(node, context);
    const ValueId kept = context.constant("Trilu_mask", std::move(mask));
    return plain.finish({plain.op("Where", {kept, x, plain.scalar(dtype, 0)})},
                        "wrote out Trilu with a constant mask");
}

Outcome layer_normalization_before_17(const Node& node, PassContext& context) {
    if (node.int_attribute("stash_type", 1) != 1)
        return declined("it is computed in another type than f32");
    if (context.scope().dtype(node.inputs.at(0)) == DType::f64 &&
        wants_outputs_from(node, context, 1))
        return declined("its statistics are read, which are f32 for an input of f64");
    if (!has_float_input(node, context)) return declined(unknown_element_type);
    Node older = node;
    older.version = context.opset();
    return lowering::layer_normalization(older, context);
}

Outcome rms_normalization_before_23(const Node& node, PassContext& context) {
    const ValueId x = node.inputs.at(0), scale = node.inputs.at(1);
    const int rank = context.scope().rank(x);
    if (rank < 0) return declined(unknown_input_rank);
    if (node.int_attribute("stash_type", 1) != 1)
        return declined("it is computed in another type than f32");
    if (!has_float_input(node, context) || !is_float(context.scope().dtype(scale)))
        return declined(unknown_element_type);
    PlainNodes plain(node, context);
    const auto epsilon = static_cast<double>(node.float_attribute("epsilon", 1e-5f));
    return plain.finish(
        {plain.normalize(x, scale, {}, node.int_attribute("axis", -1), rank, epsilon, true)},
        "wrote out RMSNormalization");
}

Outcome group_normalization_before_18(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const std::int64_t groups = node.int_attribute("num_groups", 1);
    if (groups < 1) return declined("it has no groups");
    return plain.finish({normalized_groups(plain, node, node.inputs.at(0), node.inputs.at(1),
                                           node.inputs.at(2), groups)},
                        "wrote out GroupNormalization");
}

Outcome group_normalization_before_21(const Node& node, PassContext& context) {
    const Scope& scope = context.scope();
    const ValueId x = node.inputs.at(0);
    const std::int64_t groups = node.int_attribute("num_groups", 1);
    const int rank = scope.rank(x);
    const DType dtype = scope.dtype(x);
    if (rank < 3) return declined("the rank of its input is not known or below 3");
    if (!is_float(dtype)) return declined(unknown_element_type);
    constexpr std::int64_t most_groups = 1 << 20;
    if (groups < 1 || groups > most_groups) return declined("it has no groups, or too many");
    PlainNodes plain(node, context);
    const DType inner =
        is_half(dtype) && node.int_attribute("stash_type", 1) == 1 ? DType::f32 : dtype;
    const auto filled = [&](double value) {
        const std::vector<double> values(static_cast<std::size_t>(groups), value);
        return context.constant("GroupNormalization_unit",
                                tensor_of_doubles(inner, std::vector{groups}, values));
    };
    const ValueId y =
        normalized_groups(plain, node, plain.cast(x, inner), filled(1), filled(0), groups);
    Ints behind;
    for (int i = 1; i < rank - 1; ++i) behind.push_back(i);
    const ValueId scale = plain.unsqueeze(node.inputs.at(1), behind),
                  bias = plain.unsqueeze(node.inputs.at(2), behind);
    const ValueId scaled = plain.mul(plain.cast(y, dtype), scale);
    return plain.finish({plain.add(scaled, bias)}, "wrote out GroupNormalization");
}

}  // namespace lapidary::opset
