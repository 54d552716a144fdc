// SPDX-License-Identifier: Apache-2.0
//   before:  y = DQ2(Q2(DQ1(Q1(x))))
//   after:   y = DQ(Q(x))          of the range both can express, in the finest steps that cover it
// Exact where the pairs are equal: merge_double_qdq does that. Else both pairs clamp to the common
// range, and so does the new one, but values are rounded once instead of twice and may differ by a
// step of the coarser pair: ONNX Runtime does so by default, here it takes merge_unequal_qdq, which
// is off.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

struct Range {
    double low, high;
};

Range range_of(const Quantization& q) {
    const auto [least, most] = integer_range(q.dtype);
    return {static_cast<double>(least - q.zero_value()) * q.scale_value(),
            static_cast<double>(most - q.zero_value()) * q.scale_value()};
}

/// Why the pair cannot be merged with another; empty when it can. `exact`: nothing is lost between
/// the pairs, in f16 either.
std::string pair_problem(const Scope& scope, const Quantization& q, const char* name, bool exact) {
    if (!q.is_constant() || !q.per_tensor())
        return fmt::format("{} has no constant scale and zero point of one element", name);
    if (!is_integer(q.dtype) || bit_width(q.dtype) > 16)
        return fmt::format("{} writes {}, needs integers of at most 16 bits", name,
                           name_of(q.dtype));
    const bool works =
        exact || (q.scales->dtype() == DType::f32 && scope.dtype(q.real) == DType::f32);
    if (!works || !q.plain_rounding) return fmt::format("{} does not work in f32", name);
    return {};
}

struct Parameters {
    ValueId scale, zero_point;
};

/// Why the integers of `q` cannot get other parameters; empty: only its DequantizeLinears read
/// them.
std::string readers_problem(const Scope& scope, const Quantization& q, const Value& integers) {
    if (integers.output_uses > 0 || !integers.captured_by.empty())
        return "the integers of the second pair are a graph output or read by a subgraph";
    for (const Use& use : integers.uses) {
        const Node& reader = scope.node(use.node);
        if (!is_dequantize(reader) || !same_parameters(q, quantization_of(scope, reader)))
            return "the integers of the second pair are read by " + reader.describe() +
                   ", not only by its DequantizeLinear";
    }
    return {};
}

/// New parameters with which the integers cover `range`.
Parameters parameters_for(PassContext& context, DType dtype, const Range& range) {
    const auto [least, most] = integer_range(dtype);
    const double scale = (range.high - range.low) / static_cast<double>(most - least);
    const double zero = std::clamp(std::nearbyint(static_cast<double>(least) - range.low / scale),
                                   static_cast<double>(least), static_cast<double>(most));
    return {context.constant_scalar("common_scale", DType::f32, scale),
            context.constant_scalar("common_zero_point", dtype, zero)};
}

Outcome merge(const Match& m, PassContext& context, bool equal_only) {
    const Scope& scope = m.scope();
    const Quantization q1 = quantization_of(scope, m.node("q1")),
                       dq1 = quantization_of(scope, m.node("dq1")),
                       q2 = quantization_of(scope, m.node("q2"));
    const bool exact =
        same_parameters(q1, dq1) && same_parameters(q1, q2) && distinguishes_in_f16(scope, dq1);
    if (std::string p = pair_problem(scope, q1, "the first QuantizeLinear", exact); !p.empty())
        return declined(p);
    if (std::string p = pair_problem(scope, q2, "the second QuantizeLinear", exact); !p.empty())
        return declined(p);
    if (!same_parameters(q1, dq1))
        return declined(
            "the first QuantizeLinear and its DequantizeLinear differ in scale or zero point");
    if (q1.dtype != q2.dtype)
        return declined(fmt::format("the pairs quantize to {} and {}, they must agree",
                                    name_of(q1.dtype), name_of(q2.dtype)));
    if (same_parameters(q1, q2)) {
        if (std::string p = context.bypass(m.node_id("q2"), q1.stored, m.nodes()); !p.empty())
            return declined(p);
        return applied("values quantized twice the same way are quantized once");
    }
    if (equal_only)
        return declined(
            "the pairs differ in scale or zero point, so that quantizing once would move values by "
            "up to a step; the "
            "pass merge_unequal_qdq does it");
    const Range r1 = range_of(q1), r2 = range_of(q2);
    const bool second_fits = r1.low <= r2.low && r1.high >= r2.high;
    std::vector<NodeId> readers;
    const Value& integers = scope.value(q2.stored);
    for (const Use& use : integers.uses) readers.push_back(use.node);
    if (!second_fits)
        if (std::string p = readers_problem(scope, q2, integers); !p.empty()) return declined(p);
    const double low = std::max(r1.low, r2.low), high = std::min(r1.high, r2.high);
    if (!(low < high)) return declined("the two pairs have no range in common");
    Parameters merged;
    if (second_fits) merged = {q2.scale, zero_point_of(context, q2)};
    else if (r2.low <= r1.low && r2.high >= r1.high)
        merged = {q1.scale, zero_point_of(context, q1)};
    else merged = parameters_for(context, q2.dtype, {low, high});
    const Node& second = m.node("q2");
    const NodeId root = second.id;
    context.replace(root, second.qualified_op(), {m.value("x"), merged.scale, merged.zero_point},
                    std::vector<Attribute>(second.attributes), m.nodes());
    if (!second_fits)
        for (NodeId id : readers) {
            const Node& reader = context.graph().node(id);
            context.replace(id, reader.qualified_op(),
                            {reader.inputs[0], merged.scale, merged.zero_point},
                            std::vector<Attribute>(reader.attributes));
        }
    return applied(
        fmt::format("values quantized twice are quantized once, to [{:g}, {:g}]", low, high));
}

PassBody double_qdq(bool equal_only) {
    const std::string quantize = "QuantizeLinear|com.microsoft::QuantizeLinear",
                      dequantize = "DequantizeLinear|com.microsoft::DequantizeLinear";
    const auto q1 =
        op(quantize, {any("x"), any(), maybe(any())})
            .named("q1")
            .require(read_once(), "the integers of the first pair are also read elsewhere");
    const auto dq1 =
        op(dequantize, {q1, any(), maybe(any())})
            .named("dq1")
            .require(read_once(), "the values of the first pair are also read elsewhere");
    return {.rules = {{.pattern = op(quantize, {dq1, any(), maybe(any())}).named("q2"),
                       .rewrite =
                           [equal_only](const Match& match, PassContext& context) {
                               return merge(match, context, equal_only);
                           },
                       .near_miss_from = 3}}};
}

}  // namespace

PassBody merge_double_qdq() { return double_qdq(true); }
PassBody merge_unequal_qdq() { return double_qdq(false); }

}  // namespace lapidary::passes
