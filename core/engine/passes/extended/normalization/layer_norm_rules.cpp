// SPDX-License-Identifier: Apache-2.0
// The rules shared by fuse_layer_norm and fuse_layer_norm_old_opset.
#include "passes/extended/normalization/normalization_pattern.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

constexpr const char* fused = "LayerNormalization";

/// x * f + (bias - mean * f) with f = scale / deviation.
Pattern folded_form(const NormalizedForms& forms) {
    const auto inner = [](const Pattern& p, const char* what) {
        return p.require(read_only_here(), std::string("the ") + what + " is also read elsewhere");
    };
    const Pattern factor =
        inner(op("Mul", {forms.inverse, any("scale")}).commutative().named("factor"),
              "scaled inverse deviation");
    const Pattern product = inner(op("Mul", {forms.x, factor}).commutative(), "scaled input");
    const Pattern shift = inner(
        op("Sub",
           {any("bias"), inner(op("Mul", {forms.mean, factor}).commutative(), "scaled mean")}),
        "shift");
    return op("Add", {product, shift}).commutative();
}

/// LayerNormalization without bias, and an Add of one.
Rule late_bias() {
    const Pattern norm =
        op(fused, {any("x"), any("scale")})
            .named("norm")
            .require(read_only_here(), "the normalized value is also read elsewhere");
    return {.pattern = op("Add", {norm, any("bias")}).commutative(),
            .rewrite = [](const Match& m, PassContext& context) {
                const Node& node = m.node("norm");
                const int rank = m.scope().rank(m.value("x"));
                const std::int64_t axis = node.int_attribute("axis", -1);
                const auto first = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
                const ValueId x = m.value("x"), bias = m.value("bias");
                // Any other sum is a residual, no bias.
                if (rank < 1 || m.scope().dtype(bias) != m.scope().dtype(x) ||
                    !parameter_problem(m.scope(), bias, x, first, "bias").empty())
                    return not_concerned();
                const std::vector<Attribute> attributes = node.attributes;
                context.replace(m.root(), fused,
                                {x, m.value("scale"), spread_parameter(context, bias, x, first)},
                                attributes, m.nodes());
                return applied("the bias after LayerNormalization went into it");
            }};
}

}  // namespace

std::vector<Rule> layer_norm_rules() {
    const NormalizedForms forms = layer_normalized();
    const auto complete = [](const Pattern& p) {
        return p.require(normalization_problem(fused))
            .require(parameter_fits("scale", "scale"))
            .require(parameter_fits("bias", "bias"));
    };
    const auto rewrite = [](const Match& m, PassContext& context) {
        return write_normalization(m, context, fused, m.value("scale"), m.value("bias"));
    };
    std::vector<Pattern> scaled;
    for (const Pattern& p : forms.scaled)
        scaled.push_back(p.require(read_only_here(), "the scaled value is also read elsewhere"));
    std::vector<Rule> rules = {
        {.pattern = complete(folded_form(forms)), .rewrite = rewrite, .near_miss_from = 6},
        {.pattern = complete(op("Add", {either(scaled), any("bias")}).commutative()),
         .rewrite = rewrite,
         .near_miss_from = 4}};
    for (Rule& rule : plain_normalization_rules(forms, fused)) rules.push_back(std::move(rule));
    rules.push_back(late_bias());
    return rules;
}

}  // namespace lapidary::passes
