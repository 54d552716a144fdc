// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Clip(x, min, max))   what the integers can express lies within
//            [min, max]
//   after:   y = QuantizeLinear(x)
#include <limits>

#include "passes/qdq/clamp_before_quantize.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

/// A bound that is constant, or a constant behind DequantizeLinear; nothing otherwise. Omitted
/// bounds do not clamp.
std::optional<double> bound(const Scope& scope, const Node& clip, std::size_t index,
                            const char* attribute, double none) {
    if (clip.version < 11) return clip.float_attribute(attribute, static_cast<float>(none));
    if (clip.inputs.size() <= index || !clip.inputs[index]) return none;
    if (const auto q = dequantize_of(scope, clip.inputs[index])) {
        const auto stored = scalar_of(scope.constant(q->stored));
        if (!stored || !q->is_constant() || !q->per_tensor()) return std::nullopt;
        return (*stored - static_cast<double>(q->zero_value())) * q->scale_value();
    }
    return scalar_of(scope.constant(clip.inputs[index]));
}

}  // namespace

PassBody eliminate_clip_before_quantize() {
    const auto clip = op("Clip", {any("x")})
                          .more_inputs()
                          .named("clip")
                          .require(read_once(), "the Clip result is also read elsewhere");
    const auto quantize =
        op("QuantizeLinear|com.microsoft::QuantizeLinear", {clip, any("scale"), maybe(any("zero"))})
            .named("q");
    return {.rules = {{.pattern = quantize, .rewrite = [](const Match& m, PassContext& context) {
                           constexpr double infinity = std::numeric_limits<double>::infinity();
                           const auto low = bound(m.scope(), m.node("clip"), 1, "min", -infinity),
                                      high = bound(m.scope(), m.node("clip"), 2, "max", infinity);
                           if (!low || !high)
                               return declined("the bounds of Clip are no constants");
                           const Quantization q = quantization_of(m.scope(), m.node("q"));
                           if (std::string p = clamp_problem(q, *low, *high); !p.empty())
                               return declined("Clip has to stay: " + p);
                           std::vector<NodeId> bounds;
                           for (ValueId v : m.node("clip").inputs)
                               if (const auto dequantized = dequantize_of(m.scope(), v);
                                   dequantized && v != m.value("x"))
                                   bounds.push_back(dequantized->node);
                           context.bypass(m.node_id("clip"), m.value("x"), bounds);
                           return applied(
                               "QuantizeLinear clamps to the same range, Clip went away");
                       }}}};
}

}  // namespace lapidary::passes
