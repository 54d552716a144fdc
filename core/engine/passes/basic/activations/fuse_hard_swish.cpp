// SPDX-License-Identifier: Apache-2.0
//   before:  y = x * Clip(x + 3, 0, 6) / 6,  x * Clip(x / 6 + 0.5, 0, 1)  or  x * HardSigmoid(x)
//            {1/6, 0.5}
//   after:   y = HardSwish(x)   from opset 14 on
#include <cmath>

#include "passes/extended/activations/gated_activation.h"

namespace lapidary::passes {
namespace {

/// The bound is constant; a Clip before opset 11 has it as an attribute.
bool bound_is(const PassContext& context, const Node& node, std::size_t input, double value) {
    const auto bound = node.inputs.size() > input
                           ? scalar_of(context.scope().constant(node.inputs[input]))
                           : std::nullopt;
    return bound && *bound == value;
}

GatedActivation clipped(double shift, double scale, double top) {
    return {.title = "HardSwish",
            .function = "Clip",
            .function_text = "clip",
            .argument = {{{{0, 0}, shift}, {{1, 0}, scale}}},
            .result = {{{{1, 1}, 1 / top}}},
            .required_power = -1,
            .op = "HardSwish",
            .accepts = [top](const PassContext& context, const Node& node) {
                return bound_is(context, node, 1, 0) && bound_is(context, node, 2, top);
            }};
}

}  // namespace

PassBody fuse_hard_swish() {
    return {.run =
                [](PassContext& context) {
                    fuse_gated_activation(context, clipped(3, 1, 6));
                    fuse_gated_activation(context, clipped(0.5, 1.0 / 6, 1));
                    fuse_gated_activation(
                        context, {.title = "HardSwish",
                                  .function = "HardSigmoid",
                                  .function_text = "hardsigmoid",
                                  .argument = {{{{1, 0}, 1.0}}},
                                  .result = {{{{1, 1}, 1.0}}},
                                  .required_power = -1,
                                  .op = "HardSwish",
                                  .accepts = [](const PassContext&, const Node& node) {
                                      return std::abs(node.float_attribute("alpha", 0.2f) * 6 - 1) <
                                                 1e-5 &&
                                             node.float_attribute("beta", 0.5f) == 0.5f;
                                  }});
                },
            .least_opset = 14};
}

}  // namespace lapidary::passes
