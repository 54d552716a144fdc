// SPDX-License-Identifier: Apache-2.0
//   before:  Cast(past.0), Cast(past.1), ..., present.0 = Cast(a), present.1 = Cast(b), ...
//   after:   MultiCast(past.0, past.1, ...), present.0, present.1, ... = MultiCast(a, b, ...)
// and of Casts from float32 behind chains, which round what they store just as well. Any Cast from
// float32 becomes a MultiCast, which makes no infinities of finite numbers.
#include "passes/session/join_casts.h"

#include <limits>
#include <span>
#include <string>

#include "passes/session/bounded_chain.h"
#include "rewrite/session_domain.h"

namespace lapidary::passes {
namespace {

using Added = std::vector<std::pair<NodeId, NodeId>>;

// what fewer launches save is less than the memory held meanwhile is worth
constexpr std::size_t least_joined = 4;

bool rounds(const Graph& graph, NodeId cast) {
    return graph.value(graph.node(cast).inputs[0]).type.dtype == DType::f32;
}

JoinedCasts in_one_node(GraphEdit& edit, std::span<const std::pair<NodeId, NodeId>> casts) {
    const Graph& graph = edit.graph();
    const Node& first = graph.node(casts[0].first);
    NodeSpec spec;
    spec.op_type = "MultiCast";
    spec.domain = session_domain;
    spec.version = 1;
    spec.name = first.name +
                (casts.size() == 1 ? "" : " and " + std::to_string(casts.size() - 1) + " more");
    spec.attributes = {{"to", first.int_attribute("to", 0)}};
    JoinedCasts joined;
    for (const auto& [id, of] : casts) {
        spec.inputs.push_back(graph.node(id).inputs[0]);
        spec.outputs.push_back(edit.take_outputs(id)[0]);
        edit.erase(id);
        joined.added_for.push_back(of);
    }
    joined.node = edit.add_node(std::move(spec));
    return joined;
}

void join(GraphEdit& edit, const Added& casts, std::size_t least,
          std::vector<JoinedCasts>& joined) {
    if (casts.size() >= least) {
        joined.push_back(in_one_node(edit, casts));
        return;
    }
    for (const auto& cast : casts)
        joined.push_back(rounds(edit.graph(), cast.first) ? in_one_node(edit, {&cast, 1})
                                                          : JoinedCasts{cast.first, {cast.second}});
}

}  // namespace

std::vector<JoinedCasts> join_casts(GraphEdit& edit, const Added& casts) {
    const Graph& graph = edit.graph();
    Added of_inputs, of_outputs, others;
    std::vector<JoinedCasts> joined;
    for (const auto& cast : casts) {
        const Node& node = graph.node(cast.first);
        const Value &from = graph.value(node.inputs[0]), &to = graph.value(node.outputs[0]);
        if (from.kind == ValueKind::input) of_inputs.push_back(cast);
        else if (to.output_uses > 0 && to.uses.empty() && to.captured_by.empty())
            of_outputs.push_back(cast);
        else others.push_back(cast);
    }
    join(edit, of_inputs, least_joined, joined);
    join(edit, of_outputs, least_joined, joined);
    join(edit, others, std::numeric_limits<std::size_t>::max(), joined);
    return joined;
}

std::vector<std::pair<NodeId, NodeId>> fold_casts_into_chains(GraphEdit& edit, const Added& casts) {
    const Graph& graph = edit.graph();
    Added left;
    for (const auto& cast : casts) {
        const ValueId written = graph.node(cast.first).inputs[0],
                      rounded = graph.node(cast.first).outputs[0];
        const Value& from = graph.value(written);
        const Type type = graph.value(rounded).type;
        if (from.kind != ValueKind::node_output || !from.read_once() ||
            from.type.dtype != DType::f32 || !is_chain(graph.node(from.producer)) ||
            !bound_chain(edit, from.producer, type.dtype)) {
            left.push_back(cast);
            continue;
        }
        edit.replace_uses(rounded, written);
        edit.erase(cast.first);
        edit.set_type(written, type);
    }
    return left;
}

}  // namespace lapidary::passes
