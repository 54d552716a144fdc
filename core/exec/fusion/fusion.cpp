// SPDX-License-Identifier: Apache-2.0
#include "exec/fusion/fusion.h"

#include <memory>
#include <vector>

#include <lapidary/graph_edit.h>

namespace lapidary {

#define LAPIDARY_FUSION(function) void function(Graph& graph, GraphEdit& edit, const CancelToken& cancel);
#include "exec/fusion/fusion_list.inc"
#undef LAPIDARY_FUSION

namespace {

/// Constants of `outer` that the subgraph reads become its own (sharing the storage), so that kernels can pack them.
void own_constants(const Graph& outer, Graph& inner) {
    GraphEdit edit(inner, "fuse_steps");
    for (ValueId id : inner.values()) {
        const Value& v = inner.value(id);
        if (v.kind != ValueKind::captured) continue;
        const Value& source = outer.value(v.outer);
        if (!source.is_constant() || !source.constant || source.sparse) continue;
        edit.replace_uses(id, edit.add_initializer(edit.fresh_name(v.name), *source.constant));
        edit.erase_value(id);
    }
    edit.finish();
}

}  // namespace

void fuse_steps(Graph& graph, const CancelToken& cancel) {
    GraphEdit edit(graph, "fuse_steps");
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end()))
        for (Attribute a : std::vector<Attribute>(graph.node(id).attributes))
            if (const auto* inner = std::get_if<GraphPtr>(&a.value); inner && *inner) {
                auto copy = std::make_shared<Graph>(**inner);
                own_constants(graph, *copy);
                fuse_steps(*copy, cancel);
                a.value = GraphPtr(std::move(copy));
                edit.set_attribute(id, std::move(a));
            }
#define LAPIDARY_FUSION(function) cancel.throw_if_cancelled(), function(graph, edit, cancel);
#include "exec/fusion/fusion_list.inc"
#undef LAPIDARY_FUSION
    edit.finish();
}

}  // namespace lapidary
