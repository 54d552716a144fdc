// SPDX-License-Identifier: Apache-2.0
//   before:  y = If(constant) {then_branch, else_branch}
//   after:   the nodes of the branch that runs
#include "graph/splice_graph.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

std::optional<bool> known_condition(const PassContext& context, const Node& node) {
    const Tensor* t = context.scope().constant(node.inputs.at(0));
    if (!t || t->dtype() != DType::boolean || t->size() != 1) return std::nullopt;
    return t->data<bool>()[0];
}

}  // namespace

PassBody inline_branches() {
    return {.run =
                [](PassContext& context) {
                    for (NodeId id : context.nodes()) {
                        if (!context.may_rewrite()) return;
                        const Node node = context.graph().node(id);
                        if (node.op_type != "If" || !node.domain.empty()) continue;
                        const auto condition = known_condition(context, node);
                        if (!condition) continue;
                        const GraphPtr branch =
                            node.graph_attribute(*condition ? "then_branch" : "else_branch");
                        if (!branch || branch->outputs().size() < node.outputs.size()) continue;
                        ValueMap map;
                        for (ValueId v : branch->values())
                            if (branch->value(v).kind == ValueKind::captured)
                                map[v] = branch->value(v).outer;
                        splice_nodes(context.edit(), *branch, map,
                                     (node.name.empty() ? std::string("if") : node.name) + "/",
                                     node.origins);
                        splice_outputs(context.edit(), id, *branch, map, context.opset());
                        context.record("the condition of " + node.describe() + " is always " +
                                       (*condition ? "true" : "false") + ": took its " +
                                       (*condition ? "then" : "else") + " branch");
                    }
                },
            .changes_shapes = true};
}

}  // namespace lapidary::passes
