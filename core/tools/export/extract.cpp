// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/extract.h>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"
#include "graph/cut_nodes.h"

namespace lapidary {

Model extract_nodes(const Model& model, std::span<const NodeId> nodes, const Progress& progress) {
    const Graph& graph = model.graph;
    if (nodes.empty()) fail_input("no nodes are chosen, expected at least one of the main graph");
    for (const NodeId id : nodes)
        if (!graph.is_alive(id))
            fail_input("node " + std::to_string(id.index) + " is not in the graph");
    const std::set<NodeId> chosen(nodes.begin(), nodes.end());
    std::vector<CutPort> inputs, outputs;
    for (const ValueId id : values_read_by(graph, chosen)) {
        const Value& value = graph.value(id);
        if (value.type.kind == Type::Kind::unknown)
            fail_unsupported(
                "the type of " + quote(value.name) +
                ", which would be an input, is not known: nothing could run the part alone");
        inputs.push_back({id, value.name, value.type});
    }
    for (const NodeId id : graph.nodes()) {
        if (!chosen.contains(id)) continue;
        for (const ValueId output : graph.node(id).outputs)
            if (output && is_read_outside(graph, output, chosen))
                outputs.push_back({output, graph.value(output).name, {}});
    }
    if (outputs.empty())
        fail_unsupported(
            "nothing reads what the chosen nodes write: the part would have no output");
    progress.step("cut");
    Model part = cut_nodes(copy_model(model, progress.cancel), chosen, inputs, outputs);
    // The passport describes the whole model, not this part.
    std::erase_if(part.metadata,
                  [](const auto& entry) { return entry.first.starts_with("lapidary."); });
    infer_types(part, {}, progress);
    return part;
}

}  // namespace lapidary
