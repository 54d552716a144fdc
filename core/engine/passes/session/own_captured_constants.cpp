// SPDX-License-Identifier: Apache-2.0
//   before:  a body reads the initializer w of the graph around it
//   after:   the body has an initializer of its own that shares w's storage, which kernels of the
//            body can pack
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// The initializer that a captured value stands for; null where it is none, or a sparse one.
const Tensor* captured_constant(const Scope& scope, const Value& captured) {
    const Value* value = &captured;
    for (const Scope* outer = scope.outer; outer && value->kind == ValueKind::captured;
         outer = outer->outer)
        value = &outer->graph.value(value->outer);
    return value->kind == ValueKind::initializer && value->constant && !value->sparse
               ? &*value->constant
               : nullptr;
}

void own_constants(PassContext& context) {
    if (!context.scope().is_subgraph()) return;
    const Graph& graph = context.graph();
    std::vector<ValueId> captured;
    for (ValueId id : graph.values())
        if (graph.value(id).kind == ValueKind::captured &&
            captured_constant(context.scope(), graph.value(id)))
            captured.push_back(id);
    for (ValueId id : captured) {
        if (!context.may_rewrite()) return;
        const Tensor constant = *captured_constant(context.scope(), graph.value(id));
        const std::string name = graph.value(id).name;
        if (!graph.value(id).is_unused()) {
            const ValueId own =
                context.edit().add_initializer(context.edit().fresh_name(name), constant);
            context.edit().replace_uses(id, own);
        }
        context.edit().erase_value(id);
        context.record("the body has its own " + quote(name));
    }
}

}  // namespace

PassBody own_captured_constants() { return {.run = own_constants}; }

}  // namespace lapidary::passes
