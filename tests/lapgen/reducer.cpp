// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "lapgen/oracle.h"

namespace lapidary::lapgen {
namespace {

/// Removes nodes that no output needs.
void sweep(Graph& graph) {
    GraphEdit edit(graph);
    for (bool again = true; again;) {
        again = false;
        for (NodeId id : std::vector<NodeId>(graph.nodes().rbegin(), graph.nodes().rend())) {
            if (!graph.is_alive(id)) continue;
            const auto& outputs = graph.node(id).outputs;
            if (std::ranges::any_of(outputs,
                                    [&](ValueId v) { return v && !graph.value(v).is_unused(); }))
                continue;
            edit.erase(id);
            again = true;
        }
    }
    edit.finish();
    for (ValueId id : graph.values()) {
        const Value& v = graph.value(id);
        if (!v.is_unused()) continue;
        if (v.kind == ValueKind::initializer) edit.erase_value(id);
        else if (v.kind == ValueKind::input) edit.remove_input(id);
    }
}

/// The model with one node's results turned into inputs.
bool cut(Model& model, NodeId node) {
    GraphEdit edit(model.graph);
    const std::vector<ValueId> outputs = model.graph.node(node).outputs;
    for (ValueId v : outputs) {
        if (!v || model.graph.value(v).is_unused()) continue;
        const Type type = model.graph.value(v).type;
        if (!type.is_tensor() || !type.shape || type.dtype != DType::f32 ||
            model.graph.value(v).output_uses > 0)
            return false;
        edit.replace_uses(v, edit.add_input(edit.fresh_name("cut"), type));
    }
    edit.erase(node);
    return true;
}

bool try_change(Model& model, const std::function<bool(Model&)>& change,
                const std::function<bool(const Model&)>& fails) {
    try {
        Model smaller = model;
        if (!change(smaller)) return false;
        sweep(smaller.graph);
        infer_types(smaller);
        if (!fails(smaller)) return false;
        model = std::move(smaller);
        return true;
    } catch (const Error&) { return false; }
}

}  // namespace

Model reduce(const Model& model, const std::function<bool(const Model&)>& fails) {
    Model best = model;
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = best.graph.outputs().size();
             i-- > 0 && best.graph.outputs().size() > 1;)
            again |= try_change(
                best,
                [&](Model& m) {
                    std::vector<ValueId> outputs(m.graph.outputs().begin(),
                                                 m.graph.outputs().end());
                    outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(i));
                    GraphEdit(m.graph).set_outputs(outputs);
                    return true;
                },
                fails);
        for (NodeId id :
             std::vector<NodeId>(best.graph.nodes().begin(), best.graph.nodes().end())) {
            const ValueId result = best.graph.is_alive(id) && !best.graph.node(id).outputs.empty()
                                       ? best.graph.node(id).outputs[0]
                                       : ValueId();
            if (!result || (best.graph.outputs().size() == 1 && best.graph.outputs()[0] == result))
                continue;
            again |= try_change(
                best, [&](Model& m) { return GraphEdit(m.graph).set_outputs({result}), true; },
                fails);
        }
        for (NodeId id : std::vector<NodeId>(best.graph.nodes().begin(), best.graph.nodes().end()))
            if (best.graph.is_alive(id))
                again |= try_change(
                    best, [&](Model& m) { return cut(m, id); }, fails);
    }
    return best;
}

}  // namespace lapidary::lapgen
