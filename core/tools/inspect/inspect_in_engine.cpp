// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/inspect_values.h>

#include <utility>

#include <lapidary/base/error.h>

#include "inspect/engine_values.h"
#include "inspect/value_choice.h"
#include "inspect/value_summary.h"

namespace lapidary {
namespace {

/// Whether a value of that type can be an output of a model in every engine.
bool can_be_output(const Value& value) {
    return value.kind == ValueKind::node_output && value.type.kind != Type::Kind::optional;
}

}  // namespace

Inspection inspect_values_in(const EngineRun& engine, const ModelPtr& model,
                             const NamedValues& inputs, const InspectOptions& options,
                             std::uint64_t slice_bytes, const Progress& progress) {
    const Graph& graph = model->graph;
    const ChosenValues chosen(graph, options.choice);
    for_each_body(graph, "", [&](const Graph& body, const std::string& path) {
        if (path.empty()) return;
        for (ValueId id : body.values())
            if (chosen.has(body, id) && body.value(id).kind == ValueKind::node_output)
                fail_unsupported("value " + quote(path + body.value(id).name) +
                                 " is of a body, whose values no other engine hands out");
    });
    ValueSummaries summaries(options, progress.cancel);
    std::vector<ValueId> of_nodes;
    std::vector<std::string> wanted;
    for (ValueId id : graph.initializers()) {
        if (!chosen.has(graph, id)) continue;
        const RuntimeValue constant = constant_value(graph, graph.value(id).name);
        summaries.add(place_of(graph, id), constant);
        if (constant.is_tensor()) constant.tensor().drop_pages();
    }
    for (ValueId id : graph.inputs())
        if (const RuntimeValue* given = find(inputs, graph.value(id).name);
            given && chosen.has(graph, id))
            summaries.add(place_of(graph, id), *given);
    for (NodeId node : graph.nodes())
        for (ValueId id : graph.node(node).outputs)
            if (chosen.has(graph, id) && can_be_output(graph.value(id))) {
                of_nodes.push_back(id);
                wanted.push_back(graph.value(id).name);
            }
    EngineValues values(engine, *model, inputs, wanted, slice_bytes, progress);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        summaries.add(place_of(graph, of_nodes[i]), values.value(wanted[i]));
    return summaries.take();
}

}  // namespace lapidary
