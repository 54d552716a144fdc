// SPDX-License-Identifier: Apache-2.0
// FusedConv, NhwcFusedConv, FusedGemm, FusedMatMul, GemmFastGelu.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {
namespace {

std::vector<Attribute> named(const Node& node, std::initializer_list<std::string_view> names) {
    std::vector<Attribute> found;
    for (std::string_view name : names)
        if (const Attribute* a = node.attribute(name)) found.push_back(*a);
    return found;
}

ValueId conv(const Node& node, ValueId x, ValueId w, ValueId z, const Activation& activation,
             PlainNodes& plain) {
    std::vector<ValueId> inputs{x, w};
    if (const ValueId bias = input_of(node, 2)) inputs.push_back(bias);
    ValueId y = plain.op(
        "Conv", std::move(inputs),
        named(node, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}));
    if (z) y = plain.add(y, z);
    return apply(activation, y, plain);
}

/// Transposes an operand as FusedMatMul does: `batch` moves dimension 0 next to the last one; then
/// the last two are swapped.
ValueId operand(ValueId x, int rank, bool last, bool batch, PlainNodes& plain) {
    if (rank < 2 || (!last && !batch)) return x;
    std::vector<std::int64_t> permutation;
    for (int i = 0; i < rank; ++i) permutation.push_back(i);
    if (batch) {
        permutation.erase(permutation.begin());
        permutation.insert(permutation.end() - 1, 0);
    }
    if (last) std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    return plain.transpose(x, std::move(permutation));
}

}  // namespace

Outcome fused_conv(const Node& node, PassContext& context) {
    const Activation activation{node.string_attribute("activation", ""),
                                node.floats_attribute("activation_params")};
    if (std::string problem = activation_problem(activation); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    return plain.finish(
        {conv(node, node.inputs.at(0), node.inputs.at(1), input_of(node, 3), activation, plain)},
        "wrote out FusedConv");
}

Outcome nhwc_fused_conv(const Node& node, PassContext& context) {
    const Activation activation{node.string_attribute("activation", ""),
                                node.floats_attribute("activation_params")};
    if (std::string problem = activation_problem(activation); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const int rank = plain.rank(node.inputs.at(0));
    if (rank < 0) return declined("the rank of its input is not known");
    const ValueId x = plain.channels_moved(node.inputs[0], rank, true), w = node.inputs.at(1);
    ValueId z = input_of(node, 3);
    if (z) z = plain.channels_moved(z, rank, true);
    return plain.finish({plain.channels_moved(conv(node, x, w, z, activation, plain), rank, false)},
                        "wrote out " + node.op_type);
}

Outcome fused_gemm(const Node& node, PassContext& context) {
    Activation activation{node.string_attribute("activation", ""), {}};
    if (std::string problem = activation_problem(activation); !problem.empty())
        return declined(std::move(problem));
    const bool has_low_default = activation.name != "HardSigmoid";
    activation.parameters = {
        node.float_attribute("activation_alpha", has_low_default ? 0.01f : 0.2f),
        node.float_attribute("activation_beta", 0.5f)};
    PlainNodes plain(node, context);
    std::vector<ValueId> inputs{node.inputs.at(0), node.inputs.at(1)};
    if (const ValueId c = input_of(node, 2)) inputs.push_back(c);
    else if (plain.opset() < 11) inputs.push_back(plain.scalar(plain.dtype(inputs[0]), 0));
    const ValueId y =
        plain.op("Gemm", std::move(inputs), named(node, {"alpha", "beta", "transA", "transB"}));
    return plain.finish({apply(activation, y, plain)}, "wrote out FusedGemm");
}

Outcome fused_matmul(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const auto flag = [&](const char* name) { return node.int_attribute(name, 0) != 0; };
    const ValueId a = node.inputs.at(0), b = node.inputs.at(1);
    const int rank_a = plain.rank(a), rank_b = plain.rank(b);
    if ((rank_a < 0 && (flag("transA") || flag("transBatchA"))) ||
        (rank_b < 0 && (flag("transB") || flag("transBatchB"))))
        return declined("the rank of an operand that it transposes is not known");
    ValueId y = plain.matmul(operand(a, rank_a, flag("transA"), flag("transBatchA"), plain),
                             operand(b, rank_b, flag("transB"), flag("transBatchB"), plain));
    const float alpha = node.float_attribute("alpha", 1.0f);
    if (alpha != 1.0f) y = plain.mul(y, static_cast<double>(alpha));
    return plain.finish({y}, "wrote out " + node.op_type);
}

Outcome gemm_fast_gelu(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    ValueId y = plain.matmul(node.inputs.at(0), node.inputs.at(1));
    if (const ValueId bias = input_of(node, 2)) y = plain.add(y, bias);
    return plain.finish({plain.gelu_tanh(y)}, "wrote out GemmFastGelu");
}

}  // namespace lapidary::lowering
