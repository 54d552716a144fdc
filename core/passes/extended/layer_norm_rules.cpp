// SPDX-License-Identifier: Apache-2.0
// The rules shared by fuse_layer_norm and fuse_layer_norm_old_opset.
#include "passes/extended/normalization_pattern.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

constexpr const char* fused = "LayerNormalization";

/// x * f + (bias - mean * f) with f = scale / deviation.
Pattern folded_form(const NormalizedForms& forms) {
    const auto inner = [](const Pattern& p, const char* what) { return p.require(read_only_here(), std::string("the ") + what + " is also read elsewhere"); };
    const Pattern factor = inner(op("Mul", {forms.inverse, any("scale")}).commutative().named("factor"), "scaled inverse deviation");
    const Pattern product = inner(op("Mul", {forms.x, factor}).commutative(), "scaled input");
    const Pattern shift = inner(op("Sub", {any("bias"), inner(op("Mul", {forms.mean, factor}).commutative(), "scaled mean")}), "shift");
    return op("Add", {product, shift}).commutative();
}

}  // namespace

std::vector<Rule> layer_norm_rules() {
    const NormalizedForms forms = layer_normalized();
    const auto complete = [](const Pattern& p) {
        return p.require(normalization_problem(fused)).require(parameter_fits("scale", "scale")).require(parameter_fits("bias", "bias"));
    };
    const auto rewrite = [](const Match& m, PassContext& context) { return write_normalization(m, context, fused, m.value("scale"), m.value("bias")); };
    std::vector<Pattern> scaled;
    for (const Pattern& p : forms.scaled) scaled.push_back(p.require(read_only_here(), "the scaled value is also read elsewhere"));
    std::vector<Rule> rules = {{.pattern = complete(folded_form(forms)), .rewrite = rewrite, .near_miss_from = 6},
                               {.pattern = complete(op("Add", {either(scaled), any("bias")}).commutative()), .rewrite = rewrite, .near_miss_from = 4}};
    for (Rule& rule : plain_normalization_rules(forms, fused)) rules.push_back(std::move(rule));
    return rules;
}

}  // namespace lapidary::passes
