// SPDX-License-Identifier: Apache-2.0
//   before:  y = Transpose(Relu(Transpose(x) {perm: [0,3,1,2]})) {perm: [0,2,3,1]}
//   after:   y = Relu(x)
// Operators between Transposes work on tensors in the other order of axes (their axes, pads,
// constants reordered with them) where that needs fewer Transposes. Each rewrite lowers the sum
// over all Transposes of (1 node, bytes moved) with the nodes it adds (a Gather on a Shape) counted
// as nodes, so it comes to an end, and the result has nothing left to lower.
#include <algorithm>
#include <set>

#include "passes/transpose_region.h"

namespace lapidary {
namespace passes {
namespace {

bool is_transpose(const Node& node) { return node.domain.empty() && node.op_type == "Transpose"; }

std::vector<NodeId> transposes_of(const Graph& graph) {
    std::vector<NodeId> list;
    for (NodeId id : graph.nodes())
        if (graph.is_alive(id) && is_transpose(graph.node(id))) list.push_back(id);
    return list;
}

/// A Transpose at most `steps` operators below the node.
bool leads_to_transpose(const Graph& graph, NodeId id, int steps) {
    for (ValueId out : graph.node(id).outputs) {
        if (!out) continue;
        for (const Use& use : graph.value(out).uses)
            if (is_transpose(graph.node(use.node)) ||
                (steps > 1 && leads_to_transpose(graph, use.node, steps - 1)))
                return true;
    }
    return false;
}

/// Why a Transpose with another one in reach stays where it is.
void explain(PassContext& context, NodeId transpose, const TransposeRegion& region) {
    const Graph& graph = context.graph();
    const auto stuck = std::ranges::find_if(region.stops(), [&](const TransposeRegion::Stop& s) {
        return leads_to_transpose(graph, s.node, 3);
    });
    const bool others = region.transposes().size() > 1 && region.operators() > 0;
    if (!others && (stuck == region.stops().end() || region.operators() > 0)) return;
    std::vector<NodeId> nodes{transpose};
    std::string reason;
    const auto stop = others && !region.stops().empty() ? region.stops().begin() : stuck;
    if (stop != region.stops().end()) {
        reason = "the Transpose stops at " + graph.node(stop->node).describe();
        reason +=
            stop->reason.empty() ? ", which depends on the order of axes" : ": " + stop->reason;
        nodes.push_back(stop->node);
    } else {
        reason = "moving the Transpose needs as many new ones at graph inputs and outputs";
    }
    context.miss(transpose, std::move(reason), 1, std::move(nodes));
}

/// Regions around one Transpose: what it feeds, and what feeds it.
bool improve(PassContext& context, NodeId id, std::set<NodeId>& settled, bool explaining) {
    const Node& node = context.graph().node(id);
    const auto permutation = permutation_of(context.scope(), node);
    if (!permutation || is_identity(*permutation)) return false;
    for (const bool below : {true, false}) {
        if (settled.contains(id)) break;
        TransposeRegion region(context, below ? node.outputs.at(0) : node.inputs.at(0),
                               below ? *permutation : inverse(*permutation));
        if (region.choose() && !explaining) {
            std::string remark = region.apply();
            context.record(std::move(remark));
            region.settle_origins();
            context.edit().finish();  // the next region is worked through in topological order
            return true;
        }
        if (explaining && below) explain(context, id, region);
        if (below && region.transposes().size() > 1 && explaining)
            settled.insert(region.transposes().begin(), region.transposes().end());
    }
    return false;
}

}  // namespace

PassBody move_transposes() {
    return {.run = [](PassContext& context) {
        settle_transposes(context);
        std::set<NodeId> settled;
        if (context.options().near_misses && context.may_rewrite())
            for (NodeId id : transposes_of(context.graph()))
                if (!settled.contains(id)) improve(context, id, settled, true);
    }};
}

}  // namespace passes

void settle_transposes(PassContext& context) {
    std::set<NodeId> settled;
    // Never reached as long as every rewrite lowers the sum; a mistake there must not hang the
    // program.
    std::size_t budget = 16 + 4 * passes::transposes_of(context.graph()).size();
    for (bool again = true; again && budget > 0;) {
        again = false;
        for (NodeId id : passes::transposes_of(context.graph())) {
            context.cancel().throw_if_cancelled();
            if (!context.may_rewrite()) return;
            if (context.graph().is_alive(id) && budget > 0 &&
                passes::improve(context, id, settled, false)) {
                again = true;
                --budget;
            }
        }
    }
}

}  // namespace lapidary
