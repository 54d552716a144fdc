// SPDX-License-Identifier: Apache-2.0
#include "graph/cut_nodes.h"

#include <algorithm>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {
namespace {

void give_name(GraphEdit& edit, ValueId id, const std::string& wanted) {
    if (const ValueId holder = edit.graph().find_value(wanted); holder && holder != id)
        edit.rename(holder, edit.fresh_name(wanted + "_inner"));
    edit.rename(id, wanted);
}

}  // namespace

std::vector<ValueId> values_read_by(const Graph& graph, const std::set<NodeId>& nodes) {
    std::vector<ValueId> values;
    const auto add = [&](ValueId v) {
        if (!v || graph.value(v).is_constant() || std::ranges::find(values, v) != values.end())
            return;
        if (const Value& value = graph.value(v);
            value.kind == ValueKind::node_output && nodes.contains(value.producer))
            return;
        values.push_back(v);
    };
    for (NodeId id : graph.nodes()) {
        if (!nodes.contains(id)) continue;
        for (ValueId v : graph.node(id).inputs) add(v);
        for (ValueId v : graph.node(id).captures) add(v);
    }
    return values;
}

bool is_read_outside(const Graph& graph, ValueId value, const std::set<NodeId>& nodes) {
    const Value& v = graph.value(value);
    return v.output_uses > 0 ||
           std::ranges::any_of(v.uses, [&](const Use& use) { return !nodes.contains(use.node); }) ||
           std::ranges::any_of(v.captured_by,
                               [&](NodeId reader) { return !nodes.contains(reader); });
}

Model cut_nodes(Model model, const std::set<NodeId>& nodes, const std::vector<CutPort>& inputs,
                const std::vector<CutPort>& outputs) {
    GraphEdit edit(model.graph);
    edit.set_default_version(model.opset());
    const std::vector<NodeId> old(model.graph.nodes().begin(), model.graph.nodes().end());
    std::vector<ValueId> results;
    for (const CutPort& port : outputs) {
        const Value& v = model.graph.value(port.value);
        const bool own = v.kind == ValueKind::node_output && nodes.contains(v.producer) &&
                         std::ranges::find(results, port.value) == results.end();
        results.push_back(own ? port.value : edit.node("Identity", {port.value}));
    }
    edit.set_outputs(results);
    std::vector<ValueId> entries;
    const std::vector<ValueId> old_inputs(model.graph.inputs().begin(), model.graph.inputs().end());
    for (const CutPort& port : inputs) {
        entries.push_back(edit.add_input(edit.fresh_name("region_input"), port.type));
        if (!port.value) continue;
        if (const auto usual = model.graph.value(port.value).constant)
            edit.set_constant(entries.back(), *usual);
        edit.replace_uses(port.value, entries.back());
    }
    for (auto id = old.rbegin(); id != old.rend(); ++id)
        if (!nodes.contains(*id)) edit.erase(*id);
    for (ValueId id : old_inputs)
        if (model.graph.value(id).is_unused()) edit.remove_input(id);
    // values() returns a copy, which erasing does not change
    for (ValueId id : model.graph.values())
        if (const Value& v = model.graph.value(id); v.is_constant() && v.is_unused())
            edit.erase_value(id);
    for (std::size_t i = 0; i < entries.size(); ++i) give_name(edit, entries[i], inputs[i].name);
    for (std::size_t i = 0; i < results.size(); ++i) give_name(edit, results[i], outputs[i].name);
    edit.set_quantization_annotations({});
    edit.finish();
    model.path.clear();
    model.external_files.clear();
    model.warnings.clear();
    return model;
}

}  // namespace lapidary
