// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/executed_copies.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

namespace lapidary::app {
namespace {

constexpr const char* cpu_memory = "CPU";
constexpr const char* copy_target = "to";

void require_fit(bool fits) {
    if (!fits)
        fail(ErrorCode::io_failure,
             "copies of the worker process do not fit the graph of this process");
}

}  // namespace

std::vector<ExecutedCopy> copies_of(const Graph& executed, const PlacementReport& placement) {
    std::vector<ExecutedCopy> copies;
    const auto is_copy = [&](NodeId node) {
        return std::ranges::find(placement.copies, node, &PlannedCopy::node) !=
               placement.copies.end();
    };
    for (const PlannedCopy& planned : placement.copies) {
        const Node& node = executed.node(planned.node);
        ExecutedCopy& copy = copies.emplace_back();
        copy.domain = node.domain;
        copy.op = node.op_type;
        copy.name = node.name;
        copy.to = node.string_attribute(copy_target, "");
        copy.reads_made = planned.to == cpu_memory;
        const Value& made = executed.value(copy.reads_made ? node.inputs[0] : node.outputs[0]);
        copy.made_name = made.name;
        copy.node = node.id.index;
        copy.made = made.id.index;
        copy.other = (copy.reads_made ? node.outputs[0] : node.inputs[0]).index;
        copy.producer = made.producer.index;
        copy.producer_output = made.producer_output;
        for (const Use& use : made.uses)
            if (!is_copy(use.node)) copy.readers.emplace_back(use.node.index, use.input);
    }
    std::ranges::sort(copies, {}, &ExecutedCopy::node);
    return copies;
}

void add_copies(Graph& graph, const std::vector<ExecutedCopy>& copies) {
    if (copies.empty()) return;
    GraphEdit edit(graph);
    for (const ExecutedCopy& copy : copies) {
        const ValueId other(copy.other);
        require_fit(copy.other < graph.value_slots());
        const ValueId made = edit.add_value(copy.made_name, graph.value(other).type);
        require_fit(made.index == copy.made);
        if (copy.reads_made) {
            const NodeId producer(copy.producer);
            require_fit(graph.is_alive(producer));
            edit.set_output(producer, copy.producer_output, made);
        }
        NodeSpec spec;
        spec.domain = copy.domain;
        spec.op_type = copy.op;
        spec.name = copy.name;
        spec.version = 1;
        spec.attributes = {{copy_target, copy.to, {}, {}}};
        spec.inputs = {copy.reads_made ? made : other};
        spec.outputs = {copy.reads_made ? other : made};
        const NodeId node = edit.add_node(std::move(spec));
        require_fit(node.index == copy.node);
        edit.set_origins(node, {});
        for (const auto& [reader, input] : copy.readers) {
            require_fit(graph.is_alive(NodeId(reader)));
            edit.set_input(NodeId(reader), input, made);
        }
    }
    edit.finish();
}

}  // namespace lapidary::app
