// SPDX-License-Identifier: Apache-2.0
//   before:  a = f(x), b = f(x)                after:  a = f(x), readers of b read a
// Common subexpressions within one graph, by operator, version, attributes and inputs. A graph
// output never loses its name: of two equal nodes the one that writes the output stays, and where
// both do, both stay.
#include <algorithm>
#include <unordered_map>

#include "passes/basic/folding/node_identity.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

bool writes_output(const Graph& graph, const Node& node) {
    return std::ranges::any_of(node.outputs,
                               [&](ValueId v) { return v && graph.value(v).output_uses > 0; });
}

/// Makes readers of `from`'s outputs read those of `to`, then erases `from`.
void merge(PassContext& context, NodeId from, NodeId to) {
    const std::vector<ValueId> gone = context.graph().node(from).outputs,
                               kept = context.graph().node(to).outputs;
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (gone[i]) context.edit().replace_uses(gone[i], kept[i]);
    const std::string remark = context.graph().node(from).describe() + " computes the same as " +
                               context.graph().node(to).describe();
    context.edit().erase(from);
    context.record(remark);
}

}  // namespace

PassBody merge_duplicates() {
    return {.run = [](PassContext& context) {
        std::unordered_map<std::string, NodeId> known;
        for (NodeId id : context.nodes()) {
            if (!context.may_rewrite()) return;
            const std::string key = node_identity(
                context.graph().node(id), [](ValueId v) { return std::to_string(v.index); });
            if (key.empty()) continue;
            const auto [first, is_new] = known.emplace(key, id);
            if (is_new) continue;
            NodeId keep = first->second;
            if (writes_output(context.graph(), context.graph().node(id))) {
                if (writes_output(context.graph(), context.graph().node(keep))) continue;
                first->second = id;
                merge(context, keep, id);
            } else {
                merge(context, id, keep);
            }
        }
    }};
}

}  // namespace lapidary::passes
