// SPDX-License-Identifier: Apache-2.0
//   before:  y = EmbedLayerNormalization(Cast(ids), Cast(kinds), ..., Cast(positions)), the Casts
//            from int64 to int32
//   after:   y = EmbedLayerNormalization(ids, kinds, ..., positions)
// com.microsoft's operator is defined for int32 alone, which is checked before a session changes
// its copy; kernels here read either. Ids select rows of a table, so those that int32 does not hold
// are none.
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "passes/session/joined_origins.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

constexpr std::size_t id_inputs[] = {0, 1, 8};  // of words, segments and positions

/// The node where it makes int32 of int64; else none.
NodeId narrowing_cast(const Graph& graph, ValueId value) {
    if (!value || graph.value(value).kind != ValueKind::node_output) return {};
    const Node& node = graph.node(graph.value(value).producer);
    const bool narrows = node.domain.empty() && node.op_type == "Cast" &&
                         graph.value(node.inputs[0]).type.dtype == DType::i64 &&
                         graph.value(value).type.dtype == DType::i32;
    return narrows ? node.id : NodeId();
}

void read_ids(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) ||
            graph.node(id).qualified_op() != "com.microsoft::EmbedLayerNormalization")
            continue;
        std::vector<NodeId> joined{id};
        for (std::size_t i : id_inputs) {
            const NodeId cast = i < graph.node(id).inputs.size()
                                    ? narrowing_cast(graph, graph.node(id).inputs[i])
                                    : NodeId();
            if (!cast) continue;
            if (joined.size() == 1 && !context.may_rewrite()) return;
            context.edit().set_input(id, i, graph.node(cast).inputs[0]);
            joined.push_back(cast);
        }
        if (joined.size() == 1) continue;
        context.edit().set_origins(id, joined_origins(graph, joined));
        context.erase_unused(std::span(joined).subspan(1));
        context.record("ids of " + std::to_string(joined.size() - 1) + " inputs are read as int64");
    }
}

}  // namespace

PassBody read_wide_ids() { return {.run = read_ids}; }

}  // namespace lapidary::passes
