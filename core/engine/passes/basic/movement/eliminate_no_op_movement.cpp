// SPDX-License-Identifier: Apache-2.0
//   before:  y = Reshape(x, ...), Squeeze, Unsqueeze, Flatten, Expand, Tile, Pad, Slice, Concat(x),
//            Split(x) with y of x's shape
//   after:   x
// Reshape and its kin keep the order of elements, so equal shapes (in numbers or symbols) are
// enough; a Slice needs step 1 besides, a Tile repeats of 1, a Pad pads of 0.
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "passes/view_shape.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

bool same_dims(const Type& a, const Type& b) {
    if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return false;
    return std::ranges::equal(*a.shape, *b.shape,
                              [](const Dim& p, const Dim& q) { return surely_equal(p, q); });
}

bool all_are(const PassContext& context, const Node& node, std::size_t input,
             std::int64_t expected) {
    const auto elements = context.elements(node.inputs[input]);
    return elements &&
           std::ranges::all_of(*elements, [&](const Dim& d) { return constant_of(d) == expected; });
}

bool steps_forward(const Scope& scope, const Node& slice) {
    if (slice.version < 10 || slice.inputs.size() < 5 || !slice.inputs[4]) return true;
    const auto steps = constant_ints_of(scope, slice.inputs[4]);
    return steps && std::ranges::all_of(*steps, [](std::int64_t s) { return s > 0; });
}

bool does_nothing(const PassContext& context, const Node& node) {
    const Scope& scope = context.scope();
    const Type &x = scope.type(node.inputs[0]), &y = scope.type(node.outputs[0]);
    if (is_view(scope, node)) return same_view(x, y);
    if (node.op_type == "Expand")
        return same_dims(x, y) || (all_are(context, node, 1, 1) && x.shape && y.shape &&
                                   x.shape->size() == y.shape->size());
    if (node.op_type == "Tile") return all_are(context, node, 1, 1);
    if (node.op_type == "Slice") return same_dims(x, y) && steps_forward(scope, node);
    if (node.op_type == "Concat") return node.inputs.size() == 1;
    if (node.op_type == "Split") return node.outputs.size() == 1 && same_dims(x, y);
    if (node.op_type == "Pad" && node.version >= 11) return all_are(context, node, 1, 0);
    if (node.op_type == "Pad")
        return std::ranges::all_of(node.ints_attribute("pads"),
                                   [](std::int64_t p) { return p == 0; });
    return false;
}

}  // namespace

PassBody eliminate_no_op_movement() {
    return {.rules = {{.pattern = op("Reshape|Flatten|Squeeze|Unsqueeze|Transpose|Expand|Tile|"
                                     "Slice|Concat|Split|Pad",
                                     {any("x")})
                                      .more_inputs()
                                      .named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           if (!does_nothing(context, m.node("y"))) return not_concerned();
                           const std::string what = m.node("y").op_type;
                           std::vector<NodeId> unneeded;
                           for (ValueId v : m.node("y").inputs)
                               if (v != m.value("x"))
                                   std::ranges::copy(nodes_above(m.scope(), v),
                                                     std::back_inserter(unneeded));
                           if (std::string problem =
                                   context.bypass(m.node_id("y"), m.value("x"), unneeded);
                               !problem.empty())
                               return declined(problem);
                           return applied("a " + what + " that changes nothing went away");
                       }}}};
}

}  // namespace lapidary::passes
