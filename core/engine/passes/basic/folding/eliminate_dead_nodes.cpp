// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

void erase_unused_values(PassContext& context) {
    for (ValueId id : context.graph().values()) {
        const Value& v = context.graph().value(id);
        const bool ours = v.kind == ValueKind::initializer || v.kind == ValueKind::captured ||
                          v.kind == ValueKind::undefined;
        if (ours && v.is_unused()) {
            context.edit().erase_value(id);
            context.touched();
        }
    }
}

}  // namespace

/// Nodes none of whose outputs is read, captured or a graph output; then constants and captured
/// values that lost their last reader.
PassBody eliminate_dead_nodes() {
    return {.run = [](PassContext& context) {
        if (!context.may_rewrite()) return;
        std::vector<NodeId> nodes = context.nodes();
        std::ranges::reverse(nodes);
        const std::size_t before = nodes.size();
        context.erase_unused(nodes);
        const auto left = static_cast<std::size_t>(
            std::ranges::count_if(nodes, [&](NodeId id) { return context.graph().is_alive(id); }));
        if (left != before)
            context.record("removed " + std::to_string(before - left) +
                           (before - left == 1 ? " node" : " nodes") + " that nothing needs");
        erase_unused_values(context);
    }};
}

}  // namespace lapidary::passes
