// SPDX-License-Identifier: Apache-2.0
//   before:  i = ArgMax(DequantizeLinear(x))
//   after:   i = ArgMax(x)                     a positive scale keeps order and ties
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {

PassBody eliminate_dequantize_before_argmax() {
    return at_units("ArgMax", [](const NodeUnit& unit, PassContext& context) {
        if (std::string p = unit.input_problem(0, "the input", {.keeps_order = true}); !p.empty())
            return declined(p);
        context.replace(unit.target(), "ArgMax", {unit.input(0)->stored},
                        std::vector<Attribute>(unit.node().attributes), unit.nodes());
        return applied("ArgMax reads the integers");
    });
}

}  // namespace lapidary::passes
