// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gather(Tanh(x), 0)  |  Slice(Mul(x, 2), 0:1)
//   after:   y = Tanh(Gather(x, 0))  |  Mul(Slice(x, 0:1), 2)
// As many nodes, less work: only where the selection is known to be smaller and nothing else reads
// the elementwise result. Selections move up only, so this ends.
#include <algorithm>

#include "ops/operator_traits.h"
#include "ops/schemas/schema.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Of one operand, computing on it; casts stay where the rounding is.
bool computes_on_one(const OperatorTraits& traits) {
    if (traits.layout != OperatorLayout::unary || traits.has(OperatorFact::converts) ||
        traits.is_moved())
        return false;
    const OpSchema* schema =
        find_schema(traits.domain, traits.name, traits.domain.empty() ? max_onnx_opset : 1);
    return schema && schema->max_inputs == 1;
}

bool computes_on_two(const OperatorTraits& traits) {
    return traits.layout == OperatorLayout::binary || traits.layout == OperatorLayout::variadic;
}

/// The selection has fewer elements for every size of the dynamic dimensions.
bool surely_smaller(const Scope& scope, ValueId before, ValueId after, std::int64_t axis,
                    bool drops_axis) {
    const std::int64_t size = scope.dim(before, static_cast<int>(axis));
    if (drops_axis) return size < 0 || size > 1;  // one of an axis: never more
    const std::int64_t left = scope.dim(after, static_cast<int>(axis));
    return size >= 0 && left >= 0 && left < size;
}

bool is_smaller(const Scope& scope, const Node& selection) {
    const ValueId before = selection.inputs[0], after = selection.outputs[0];
    if (selection.op_type == "Gather") {
        const auto axis = axis_from_front(selection.int_attribute("axis", 0), scope.rank(before));
        const int indices = scope.rank(selection.inputs.at(1));
        return axis && (indices == 0 || indices == 1) &&
               surely_smaller(scope, before, after, *axis, indices == 0);
    }
    const auto cuts = slice_axes(scope, selection);
    return cuts && std::ranges::any_of(*cuts, [&](const SliceAxis& cut) {
               return surely_smaller(scope, before, after, cut.axis, false);
           });
}

Outcome move(const Match& m, PassContext& context, std::size_t data) {
    const Node selection = m.node("y"), elementwise = m.node("elementwise");
    if (!is_smaller(m.scope(), selection)) return not_concerned();
    std::vector<ValueId> chosen = selection.inputs, inputs = elementwise.inputs;
    chosen[0] = inputs[data];
    inputs[data] = context.node("Slice" == selection.op_type ? "Slice" : "Gather", chosen,
                                selection.attributes);
    context.replace(m.root(), elementwise.qualified_op(), inputs, elementwise.attributes,
                    m.nodes());
    return applied(selection.op_type + " moved before " + elementwise.op_type);
}

}  // namespace

PassBody move_selection_before_elementwise() {
    const auto once = [](const Pattern& p) {
        return p.named("elementwise")
            .where(read_once(), "the elementwise result is also read elsewhere");
    };
    const auto alone = once(op(operators_with(computes_on_one), {any("x")}));
    // One element broadcasts to any selection; of lower or equal rank it does not lift the rank of
    // the other operand.
    const auto scaled =
        once(op(operators_with(computes_on_two), {any("x"), scalar("c")}).commutative());
    return {
        .rules = {
            {.pattern = op("Gather|Slice", {alone}).more_inputs().named("y"),
             .rewrite = [](const Match& m, PassContext& context) { return move(m, context, 0); }},
            {.pattern = op("Gather|Slice", {scaled}).more_inputs().named("y"),
             .rewrite = [](const Match& m, PassContext& context) {
                 if (m.constant("c").rank() > 0) return not_concerned();
                 return move(m, context, m.node("elementwise").inputs[0] == m.value("x") ? 0 : 1);
             }}}};
}

}  // namespace lapidary::passes
