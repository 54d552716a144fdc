// SPDX-License-Identifier: Apache-2.0
//   before:  y = Clip(Relu(x), min, max)   also Relu(Clip(x)) and Clip(Clip(x)); bounds constants
//            or absent
//   after:   y = Clip(x, max(min, 0), max)
// Two clips are one with the inner bounds clipped by the outer ones; that needs bounds in order.
#include <algorithm>
#include <cmath>

#include "passes/basic/rules/value_range.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

/// Clip(Relu(x), min, max) whose upper bound `max` is computed: the lower bound alone is raised to
/// 0.
Outcome raise_lower_bound(const Match& m, PassContext& context, ValueId upper, DType dtype) {
    const ValueId lower = m.node("outer").inputs[1];
    const auto low = lower ? scalar_of(m.scope().constant(lower)) : 0.0;
    if (!low) return declined("the lower bound of the Clip is no constant");
    const ValueId raised = lower && *low >= 0 ? lower : context.constant_scalar("min", dtype, 0);
    context.replace(m.root(), "Clip", {m.value("x"), raised, upper}, {}, m.nodes());
    return applied("Clip of Relu became one Clip");
}

/// Integers beyond 2^53 are not exact as double, and 2^53 itself may have been one more.
bool is_beyond_double(const ValueRange& bounds) {
    constexpr double exact = 9007199254740992.0;
    const auto beyond = [](double bound) {
        return std::isfinite(bound) && std::fabs(bound) >= exact;
    };
    return beyond(bounds.low) || beyond(bounds.high);
}

/// One Clip of x; bounds that are not finite are left out.
void write_clip(const Match& m, PassContext& context, const ValueRange& bounds, DType dtype) {
    const bool has_low = std::isfinite(bounds.low), has_high = std::isfinite(bounds.high);
    std::vector<ValueId> inputs{m.value("x")};
    std::vector<Attribute> attributes;
    if (context.opset() < 11) {
        if (has_low) attributes.push_back(attr("min", static_cast<float>(bounds.low)));
        if (has_high) attributes.push_back(attr("max", static_cast<float>(bounds.high)));
    } else {
        if (has_low || has_high)
            inputs.push_back(has_low ? context.constant_scalar("min", dtype, bounds.low)
                                     : ValueId{});
        if (has_high) inputs.push_back(context.constant_scalar("max", dtype, bounds.high));
    }
    context.replace(m.root(), "Clip", inputs, attributes, m.nodes());
}

Outcome fuse_clips(const Match& m, PassContext& context) {
    const Node& inner = m.node("inner");
    const Node& outer = m.node("outer");
    if (inner.op_type == "Relu" && outer.op_type == "Relu") return not_concerned();
    const DType dtype = m.scope().dtype(m.value("outer"));
    const ValueId upper = outer.op_type == "Clip" && outer.version >= 11 && outer.inputs.size() > 2
                              ? outer.inputs[2]
                              : ValueId{};
    if (inner.op_type == "Relu" && upper && !m.scope().constant(upper))
        return raise_lower_bound(m, context, upper, dtype);
    const auto first = clip_bounds(m.scope(), inner), second = clip_bounds(m.scope(), outer);
    if (!first || !second) return declined("a bound of the Clip is no constant");
    if (first->low > first->high || second->low > second->high)
        return declined("the bounds of the Clip are out of order");
    const ValueRange bounds{std::clamp(first->low, second->low, second->high),
                            std::clamp(first->high, second->low, second->high)};
    if (dtype == DType::i64 && is_beyond_double(bounds))
        return declined("a bound of the Clip is 2^53 or beyond");
    const std::string text = outer.op_type + " of " + inner.op_type + " became one Clip";
    write_clip(m, context, bounds, dtype);
    return applied(text);
}

}  // namespace

PassBody fuse_relu_clip() {
    const auto inner = op("Relu|Clip", {any("x")})
                           .more_inputs()
                           .versions(6)
                           .named("inner")
                           .require(read_once(), "the inner result is also read elsewhere");
    const auto outer = op("Relu|Clip", {inner})
                           .more_inputs()
                           .versions(6)
                           .named("outer")
                           .require(has_dtype({DType::f32, DType::f16, DType::bf16, DType::f64,
                                               DType::i8, DType::i32, DType::i64}),
                                    "Clip does not take the element type");
    return {.rules = {{.pattern = outer, .rewrite = fuse_clips}}};
}

}  // namespace lapidary::passes
