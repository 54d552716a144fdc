// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, DequantizeLinear(integers, scale, zero_point))
//   after:   y = Conv(x, weight)                                          with a weight in float
// Where no integer kernel took the pair, the weight would be made float in every run, and kernels
// that pack weights take constants alone.
#include <algorithm>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "ops/operator_traits.h"
#include "passes/basic/folding/constant_evaluation.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// Operators that multiply by it.
bool is_weight_of(const Node& node, std::size_t input) {
    const OperatorFamily family = traits_of(node).family;
    return input > 0 && (family == OperatorFamily::convolution ||
                         family == OperatorFamily::matrix || family == OperatorFamily::recurrent);
}

bool is_stored_weight(const Graph& graph, const Node& node) {
    if (node.op_type != "DequantizeLinear" || node.outputs.size() != 1) return false;
    const Value& out = graph.value(node.outputs[0]);
    if (out.output_uses > 0 || !out.captured_by.empty() || out.uses.empty()) return false;
    return std::ranges::all_of(
        out.uses, [&](const Use& use) { return is_weight_of(graph.node(use.node), use.input); });
}

void widen_weights(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!context.may_rewrite()) return;
        if (!graph.is_alive(id) || !is_stored_weight(graph, graph.node(id))) continue;
        const Node node = graph.node(id);
        std::vector<const Tensor*> inputs;
        for (ValueId input : node.inputs) inputs.push_back(context.scope().constant(input));
        const bool is_constant = std::ranges::all_of(
            node.inputs, [&](ValueId input) { return !input || context.scope().constant(input); });
        if (!is_constant) continue;
        Evaluation made = evaluate(graph, node, inputs, context.options().limits, context.cancel());
        if (!made.problem.empty()) {
            context.miss(id, "the weight stays in integers: " + made.problem);
            continue;
        }
        const std::string name = graph.value(node.outputs[0]).name;
        const ValueId weight = context.edit().add_initializer(context.edit().fresh_name(name),
                                                              std::move(made.outputs[0]));
        context.edit().replace_uses(node.outputs[0], weight);
        context.erase_unused(std::vector{id});
        context.record("the weight " + quote(name) + " is made float once");
    }
}

}  // namespace

PassBody widen_stored_weights() { return {.run = widen_weights}; }

}  // namespace lapidary::passes
