// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(Concat(DequantizeLinear(a), DequantizeLinear(b), ...))
//   after:   y = com.microsoft::QLinearConcat(scale, zero point, a, ..., b, ...)
//            y = Concat(a, b, ...) on integers where all have the scale and zero point of the
//            result, which is exact
#include <algorithm>

#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

Outcome fuse_concat(const NodeUnit& unit, PassContext& context) {
    for (std::size_t i = 0; i < unit.input_count(); ++i)
        if (std::string p = unit.input_problem(i, "input " + std::to_string(i)); !p.empty())
            return declined(p);
    if (std::string p = unit.output_problem(); !p.empty()) return declined(p);
    const Quantization& y = *unit.output();
    bool equal = true;
    for (std::size_t i = 0; i < unit.input_count(); ++i) {
        if (std::string p = NodeUnit::type_problem(*unit.input(i), "input " + std::to_string(i), y,
                                                   "the result");
            !p.empty())
            return declined(p);
        equal = equal && same_parameters(*unit.input(i), y);
    }
    std::vector<ValueId> inputs;
    if (!equal) inputs = {y.scale, zero_point_of(context, y)};
    for (std::size_t i = 0; i < unit.input_count(); ++i) {
        const Quantization& x = *unit.input(i);
        inputs.push_back(x.stored);
        if (!equal) inputs.insert(inputs.end(), {x.scale, zero_point_of(context, x)});
    }
    context.replace(y.node, equal ? "Concat" : "com.microsoft::QLinearConcat", std::move(inputs),
                    std::vector<Attribute>(unit.node().attributes), unit.nodes());
    return applied(
        equal ? "Concat runs on integers, without DequantizeLinear and QuantizeLinear around it"
              : "DequantizeLinear, Concat, QuantizeLinear became QLinearConcat");
}

}  // namespace

PassBody fuse_quantized_concat() { return at_units("Concat", fuse_concat); }

}  // namespace lapidary::passes
