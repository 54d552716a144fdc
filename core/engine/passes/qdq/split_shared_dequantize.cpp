// SPDX-License-Identifier: Apache-2.0
//   before:  a DequantizeLinear that several node units read, or a node unit and something else
//   after:   a DequantizeLinear for each node unit
// Our integer operators read the integers themselves, even if others read the floats, so this is
// off by default: it prepares a model for runtimes that need a separate DequantizeLinear for each
// unit.
#include "passes/qdq/node_unit.h"

namespace lapidary::passes {
namespace {

void split(PassContext& context, NodeId id) {
    const Scope& scope = context.scope();
    const Value& real = scope.value(scope.node(id).outputs[0]);
    std::vector<Use> units;
    for (const Use& use : real.uses)
        if (const Node& reader = scope.node(use.node);
            !reader.outputs.empty() && reader.outputs[0] && NodeUnit(scope, use.node).output())
            units.push_back(use);
    const bool all =
        units.size() == real.uses.size() && real.output_uses == 0 && real.captured_by.empty();
    if (units.empty() || (all && units.size() == 1)) return;
    for (std::size_t i = all ? 1 : 0; i < units.size(); ++i) {
        const Node& node = context.graph().node(id);
        const std::string op = node.qualified_op();
        const ValueId copy = context.node(op, node.inputs, node.attributes);
        context.edit().set_input(units[i].node, units[i].input, copy);
    }
    context.record("DequantizeLinear stands once for each node unit that reads it");
}

}  // namespace

PassBody split_shared_dequantize() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.may_rewrite()) return;
            if (const Node& node = context.graph().node(id); is_dequantize(node) && node.outputs[0])
                split(context, id);
        }
    }};
}

}  // namespace lapidary::passes
