// SPDX-License-Identifier: Apache-2.0
//   before:  y = Softmax(data + bias)   bias repeated along leading axes, either the outer or the
//            inner ones of them
//   after:   y = com.microsoft::BiasSoftmax(data, bias) {axis, is_inner_broadcast}
// BiasSoftmax normalizes over all axes from `axis` on, as Softmax did before opset 13.
#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

struct Repetition {
    bool fits = false, inner = true;
};

/// How the bias is repeated along the axes before `axis`: [A, B, 1, 1, E] inner, [1, 1, C, D, E]
/// outer.
Repetition repetition_of(const SymbolicShape& data, const SymbolicShape& bias, std::size_t axis) {
    if (bias.size() > data.size()) return {};
    SymbolicShape full(data.size() - bias.size(), Dim(1));
    full.insert(full.end(), bias.begin(), bias.end());
    const auto equal = [&](std::size_t i) { return !data[i].is_unknown() && data[i] == full[i]; };
    for (std::size_t i = axis; i < data.size(); ++i)
        if (!equal(i)) return {};
    std::size_t i = 0;
    while (i < axis && equal(i)) ++i;
    while (i < axis && full[i] == Dim(1)) ++i;
    if (i == axis) return {true, true};
    i = 0;
    while (i < axis && full[i] == Dim(1)) ++i;
    while (i < axis && equal(i)) ++i;
    return {i == axis, false};
}

std::int64_t softmax_axis(const Node& node, int rank) {
    const std::int64_t axis = node.int_attribute("axis", node.version < 13 ? 1 : -1);
    return axis < 0 ? axis + rank : axis;
}

std::string softmax_problem(const Subject& s) {
    const Type &data = s.scope.type(s.match.value("data")),
               &bias = s.scope.type(s.match.value("bias"));
    if (!data.shape || !bias.shape)
        return "the shapes of the input and the bias are not both known";
    const auto rank = static_cast<int>(data.shape->size());
    const std::int64_t axis = softmax_axis(*s.node, rank);
    if (axis < 0 || axis >= rank) return "the axis is outside of the input";
    if (s.node->version >= 13 && axis != rank - 1)
        return "the axis is not the last one, which BiasSoftmax needs from opset 13 on";
    if (!repetition_of(*data.shape, *bias.shape, static_cast<std::size_t>(axis)).fits)
        return "the bias of shape " + to_string(*bias.shape) +
               " is not repeated along leading or middle axes of " + to_string(*data.shape) +
               " only";
    return missing_kernel(s.scope, "BiasSoftmax", data.dtype);
}

}  // namespace

PassBody fuse_bias_softmax() {
    const auto sum = op("Add", {any("data"), any("bias")})
                         .commutative()
                         .require(read_only_here(), "the sum is also read elsewhere");
    const auto root = op("Softmax", {sum}).named("y").require(softmax_problem);
    return {.rules = {{.pattern = root, .rewrite = [](const Match& m, PassContext& context) {
                           const SymbolicShape &data = *m.type("data").shape,
                                               &bias = *m.type("bias").shape;
                           const std::int64_t axis =
                               softmax_axis(m.node("y"), static_cast<int>(data.size()));
                           const bool inner =
                               repetition_of(data, bias, static_cast<std::size_t>(axis)).inner;
                           context.replace(
                               m.node_id("y"), "com.microsoft::BiasSoftmax",
                               {m.value("data"), m.value("bias")},
                               {attr("axis", axis), attr("is_inner_broadcast", inner ? 1 : 0)},
                               m.nodes());
                           return applied("Softmax(data + bias) became BiasSoftmax");
                       }}}};
}

}  // namespace lapidary::passes
