// SPDX-License-Identifier: Apache-2.0
//   before:  a, b = Split(DequantizeLinear(x)), each result quantized again with the same scale and
//            zero point
//   after:   a, b = Split(x) on integers
#include <fmt/format.h>

#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome drop_around_split(const NodeUnit& unit, PassContext& context) {
    const Scope& scope = context.scope();
    const Node& node = unit.node();
    if (std::string p =
            unit.input_problem(0, "the input", {.eight_bit = false, .keeps_order = true});
        !p.empty())
        return declined(p);
    const Quantization in = *unit.input(0);
    std::vector<NodeId> nodes{unit.target(), in.node}, quantizes;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        quantizes.push_back({});
        if (!node.outputs[i] || scope.value(node.outputs[i]).is_unused()) continue;
        const Value& part = scope.value(node.outputs[i]);
        const Node* reader = part.read_once() ? &scope.node(part.uses[0].node) : nullptr;
        if (!reader || !is_quantize(*reader) || part.uses[0].input != 0)
            return declined(fmt::format("result {} is not read by one QuantizeLinear alone", i));
        if (const Quantization q = quantization_of(scope, *reader);
            !same_parameters(in, q) || !q.plain_rounding)
            return declined(
                q.is_constant() && q.per_tensor()
                    ? fmt::format("the input is {}, result {} is {}; they must agree", describe(in),
                                  i, describe(q))
                    : fmt::format("result {} has no constant scale and zero point of one element",
                                  i));
        quantizes.back() = reader->id;
        nodes.insert(nodes.begin(), reader->id);
    }
    NodeSpec spec;
    spec.op_type = "Split";
    spec.name = node.name;
    spec.inputs = node.inputs;
    spec.inputs[0] = in.stored;
    spec.attributes = node.attributes;
    for (NodeId q : quantizes) {
        if (!q) {
            spec.outputs.push_back(context.edit().add_value({}));
            continue;
        }
        spec.outputs.push_back(context.edit().take_outputs(q).at(0));
        context.edit().erase(q);
    }
    context.edit().add_node(std::move(spec));
    context.erase_unused(std::vector<NodeId>{unit.target(), in.node});
    return applied("Split runs on integers, without DequantizeLinear and QuantizeLinear around it");
}

}  // namespace

PassBody eliminate_qdq_around_split() { return at_units("Split", drop_around_split); }

}  // namespace lapidary::passes
