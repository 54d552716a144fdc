// SPDX-License-Identifier: Apache-2.0
//   before:  n = Shape(f(x))   f keeps the shape, and only Shape and Size read its result
//   after:   n = Shape(x)
#include <algorithm>

#include "ops/operator_traits.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody eliminate_pre_shape_node() {
    const auto unary = operators_with([](const OperatorTraits& traits) {
        return traits.layout == OperatorLayout::unary || traits.has(OperatorFact::keeps_shape);
    });
    const auto only_shapes = [](const Subject& s) {
        for (std::size_t i = 1; i < s.node->outputs.size(); ++i)
            if (s.node->outputs[i] && !s.scope.value(s.node->outputs[i]).is_unused()) return false;
        const Value& v = s.scope.value(s.node->outputs[0]);
        return v.output_uses == 0 && v.captured_by.empty() &&
               std::ranges::all_of(v.uses, [&](const Use& u) {
                   const Node& reader = s.scope.node(u.node);
                   return reader.domain.empty() &&
                          (reader.op_type == "Shape" || reader.op_type == "Size");
               });
    };
    const auto before = op(unary, {any("x")})
                            .more_inputs()
                            .named("f")
                            .where(only_shapes, "its elements are read too");
    return {.rules = {{.pattern = op("Shape|Size", {before}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           const std::string text =
                               "only the shape of " + m.node("f").op_type + " was wanted";
                           context.bypass(m.node_id("f"), m.value("x"));
                           return applied(text);
                       }}}};
}

}  // namespace lapidary::passes
