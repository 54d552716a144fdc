// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(Gemm(A, B, C))   and the other activations that the table of operator traits
//            marks so
//   after:   y = com.microsoft::FusedGemm(A, B, C) {activation, activation_alpha ...}
#include "ops/operator_traits.h"
#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// The activation's attributes, all written out: the fused operator has no defaults for them.
std::vector<Attribute> activation_attributes(const Node& node) {
    std::vector<Attribute> out{attr("activation", AttributeValue(node.op_type))};
    const auto add = [&](const char* name, float fallback) {
        out.push_back(
            attr(std::string("activation_") + name, node.float_attribute(name, fallback)));
    };
    if (node.op_type == "Elu" || node.op_type == "ThresholdedRelu") add("alpha", 1.0f);
    if (node.op_type == "LeakyRelu") add("alpha", 0.01f);
    if (node.op_type == "HardSigmoid") add("alpha", 0.2f), add("beta", 0.5f);
    if (node.op_type == "Selu")
        add("alpha", 1.67326319217681884765625f), add("gamma", 1.05070102214813232421875f);
    if (node.op_type == "ScaledTanh" || node.op_type == "ParametricSoftplus")
        add("alpha", 1.0f), add("beta", 1.0f);
    return out;
}

}  // namespace

PassBody fuse_gemm_activation() {
    const auto gemm = op("Gemm", {any("a"), any("b"), maybe(any("c"))})
                          .named("gemm")
                          .versions(7)
                          .require(read_once(), "the Gemm's result is also read elsewhere");
    const auto fused = [](const OperatorTraits& traits) {
        return traits.has(OperatorFact::gemm_activation);
    };
    const auto activation = op(operators_with(fused), {gemm}).named("y");
    return {.rules = {{.pattern = activation, .rewrite = [](const Match& m, PassContext& context) {
                           const Node& y = m.node("y");
                           if (const DType t = m.scope().dtype(m.value("gemm"));
                               !has_fused_kernel(m.scope(), t))
                               return declined(no_fused_kernel("FusedGemm", t));
                           if ((y.op_type == "ScaledTanh" || y.op_type == "ParametricSoftplus") &&
                               (!y.has_attribute("alpha") || !y.has_attribute("beta")))
                               return declined(y.op_type + " has no alpha or beta");
                           std::vector<Attribute> attributes = m.node("gemm").attributes;
                           for (Attribute& a : activation_attributes(y))
                               attributes.push_back(std::move(a));
                           const std::string text = y.op_type + " went into the Gemm";
                           context.replace(m.root(), "com.microsoft::FusedGemm",
                                           m.node("gemm").inputs, attributes, m.nodes());
                           return applied(text);
                       }}}};
}

}  // namespace lapidary::passes
