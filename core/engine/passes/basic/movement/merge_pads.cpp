// SPDX-License-Identifier: Apache-2.0
//   before:  y = Pad(Pad(x, p), q)      both with the same constant, nothing cropped
//   after:   y = Pad(x, p + q)
#include <algorithm>

#include "base/at.h"

#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Begins and ends of all axes; nothing when not constant.
std::optional<Ints> pads_of(const Scope& scope, const Node& node) {
    if (node.version < 11) return node.ints_attribute("pads");
    const int rank = scope.rank(node.inputs[0]);
    const auto pads =
        node.inputs.size() > 1 ? constant_ints_of(scope, node.inputs[1]) : std::nullopt;
    if (!pads || node.inputs.size() < 4 || !node.inputs[3]) return pads;
    const auto axes = constant_ints_of(scope, node.inputs[3]);
    if (!axes || rank < 0 || pads->size() != 2 * axes->size()) return std::nullopt;
    Ints all(2 * static_cast<std::size_t>(rank), 0);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = axis_from_front((*axes)[i], rank);
        if (!axis) return std::nullopt;
        at(all, *axis) = (*pads)[i];
        at(all, *axis + rank) = (*pads)[i + axes->size()];
    }
    return all;
}

/// The value padded with, as the bytes of the element: strings and unknown ones give nothing.
std::optional<double> fill_of(const Scope& scope, const Node& node) {
    if (node.version < 11) return node.float_attribute("value", 0.0f);
    if (node.inputs.size() < 3 || !node.inputs[2]) return 0.0;
    return scalar_of(scope.constant(node.inputs[2]));
}

}  // namespace

PassBody merge_pads() {
    const auto constant_mode = string_attribute_is("mode", "constant", "constant");
    const auto first =
        op("Pad", {any("x")})
            .more_inputs()
            .named("first")
            .require(constant_mode, "the first Pad does not fill with a constant")
            .require(read_once(), "the result of the first Pad is also read elsewhere");
    const auto second = op("Pad", {first})
                            .more_inputs()
                            .named("second")
                            .require(constant_mode, "the second Pad does not fill with a constant");
    return {
        .rules = {
            {.pattern = second, .rewrite = [](const Match& m, PassContext& context) {
                 const auto p = pads_of(m.scope(), m.node("first")),
                            q = pads_of(m.scope(), m.node("second"));
                 if (!p || !q || p->size() != q->size()) return declined("the pads are computed");
                 const auto a = fill_of(m.scope(), m.node("first")),
                            b = fill_of(m.scope(), m.node("second"));
                 if (!a || !b || *a != *b) return declined("the two fill with different values");
                 Ints sum = *p;
                 for (std::size_t i = 0; i < sum.size(); ++i) {
                     if (sum[i] < 0 || (*q)[i] < 0) return declined("one of them crops");
                     sum[i] += (*q)[i];
                 }
                 const Node root = m.node("second");
                 if (context.opset() < 11) {
                     context.replace(m.root(), "Pad", {m.value("x")},
                                     {attr("mode", "constant"), attr("pads", sum),
                                      attr("value", static_cast<float>(*a))},
                                     m.nodes());
                 } else {
                     std::vector<ValueId> inputs{m.value("x"), context.constant_ints("pads", sum)};
                     if (root.inputs.size() > 2 && root.inputs[2]) inputs.push_back(root.inputs[2]);
                     context.replace(m.root(), "Pad", inputs, {attr("mode", "constant")},
                                     m.nodes());
                 }
                 return applied("two Pads became one");
             }}}};
}

}  // namespace lapidary::passes
