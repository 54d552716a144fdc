// SPDX-License-Identifier: Apache-2.0
//   before:  If(c) {then: f(x) ..., else: f(x) ...}
//   after:   t = f(x), If(c) {then: t ..., else: t ...}
// A node that both branches of an If compute from values of the enclosing graph runs whichever
// branch is taken, so it may run before.
#include <map>

#include "passes/basic/folding/node_identity.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// Names inputs that stand outside (captured values) or are equal constants; empty for values
/// computed inside.
std::string outer_key(const Graph& branch, ValueId id) {
    const Value& v = branch.value(id);
    if (v.kind == ValueKind::captured) return "outer" + std::to_string(v.outer.index);
    constexpr std::size_t most_bytes = 4096;
    if (v.kind != ValueKind::initializer || !v.constant || v.constant->dtype() == DType::string ||
        v.constant->byte_size() > most_bytes)
        return {};
    return "constant" + std::string(name_of(v.constant->dtype())) + to_string(v.constant->shape()) +
           std::string(reinterpret_cast<const char*>(v.constant->raw()), v.constant->byte_size());
}

std::map<std::string, NodeId> liftable(const Graph& branch) {
    std::map<std::string, NodeId> out;
    for (NodeId id : branch.nodes()) {
        const Node& node = branch.node(id);
        bool writes_output = false;
        for (ValueId v : node.outputs) writes_output |= v && branch.value(v).output_uses > 0;
        // the branch would return a captured value: not all runtimes take that
        if (writes_output) continue;
        const std::string key =
            node_identity(node, [&](ValueId v) { return outer_key(branch, v); });
        if (!key.empty()) out.emplace(key, id);
    }
    return out;
}

/// Replaces the node in the branch by reads of the hoisted values.
void read_outer(Graph& branch, NodeId node, const std::vector<ValueId>& hoisted,
                const Graph& outer) {
    GraphEdit edit(branch);
    const std::vector<ValueId> old = branch.node(node).outputs;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (!old[i]) continue;
        const std::string name = outer.value(hoisted[i]).name;
        if (branch.value(old[i]).name == name) edit.rename(old[i], edit.fresh_name(name));
        const ValueId captured =
            edit.add_captured(edit.fresh_name(name), hoisted[i], outer.value(hoisted[i]).type);
        edit.replace_uses(old[i], captured);
    }
    edit.erase(node);
    edit.finish();
}

bool hoist_one(PassContext& context, NodeId if_id) {
    const Node if_node = context.graph().node(if_id);
    const GraphPtr then_branch = if_node.graph_attribute("then_branch"),
                   else_branch = if_node.graph_attribute("else_branch");
    if (!then_branch || !else_branch) return false;
    const auto in_then = liftable(*then_branch), in_else = liftable(*else_branch);
    for (const auto& [key, then_id] : in_then) {
        const auto other = in_else.find(key);
        if (other == in_else.end()) continue;
        const Node& node = then_branch->node(then_id);
        GraphEdit& edit = context.edit();
        NodeSpec spec;
        for (ValueId v : node.inputs) {
            if (!v) spec.inputs.push_back({});
            else if (const Value& inner = then_branch->value(v); inner.kind == ValueKind::captured)
                spec.inputs.push_back(inner.outer);
            else spec.inputs.push_back(edit.add_initializer(inner.name, *inner.constant));
        }
        for (ValueId v : node.outputs)
            spec.outputs.push_back(
                v ? edit.add_value(then_branch->value(v).name, then_branch->value(v).type)
                  : ValueId{});
        const std::vector<ValueId> hoisted = spec.outputs;
        const std::string remark =
            "both branches of " + if_node.describe() + " compute " + node.describe();
        spec.op_type = node.op_type;
        spec.domain = node.domain;
        spec.version = node.version;
        spec.name = node.name;
        spec.attributes = node.attributes;
        edit.set_origins(edit.add_node(std::move(spec)), if_node.origins);
        for (const auto& [name, branch, id] :
             {std::tuple{"then_branch", then_branch, then_id},
              std::tuple{"else_branch", else_branch, other->second}}) {
            auto copy = std::make_shared<Graph>(*branch);
            read_outer(*copy, id, hoisted, context.graph());
            Attribute replaced = *context.graph().node(if_id).attribute(name);
            replaced.value = GraphPtr(std::move(copy));
            edit.set_attribute(if_id, std::move(replaced));
        }
        context.record(remark);
        return true;
    }
    return false;
}

}  // namespace

PassBody hoist_common_branches() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            const Node& node = context.graph().node(id);
            if (node.op_type != "If" || !node.domain.empty()) continue;
            while (context.may_rewrite() && hoist_one(context, id)) {}
        }
    }};
}

}  // namespace lapidary::passes
